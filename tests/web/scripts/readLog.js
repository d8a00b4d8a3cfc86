// Return the log of a local table from the database.
export default (code) =>
  new Promise((resolve) => {
    const request = indexedDB.open("notahat");
    request.onsuccess = () => {
      const range = IDBKeyRange.bound([code, 0], [code, Infinity]);
      const rows = request.result.transaction("log").objectStore("log").getAll(range);
      rows.onsuccess = () => {
        request.result.close();
        resolve(rows.result);
      };
    };
  });
