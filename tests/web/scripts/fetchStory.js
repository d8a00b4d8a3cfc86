// Return the story of the first round of the table in the address bar.
export default () => {
  const code = location.pathname.split("/").pop();
  return fetch(`${location.pathname.split("/t/")[0]}/api/tables/${code}/rounds/1`).then((response) => response.json());
};
