// Add a local table that was last used 31 days ago.
export default () =>
  new Promise((resolve) => {
    const request = indexedDB.open("notahat");
    request.onsuccess = () => {
      const change = request.result.transaction(["log", "tables"], "readwrite");
      change.objectStore("tables").put({ code: "POCKET-7", used: Date.now() - 31 * 24 * 3600 * 1000, snapshot: null });
      change.objectStore("log").put({ code: "POCKET-7", version: 1, command: "opened", entry: "{}" });
      change.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
