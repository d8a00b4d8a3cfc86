// Return which APIs of secure contexts the browser has.
export default () =>
  ["serviceWorker", "wakeLock", "clipboard", "share"].filter((name) => name in navigator);
