// Pretend that the tab is shown again after an hour, until the page has found a new release. Return whether it has.
export default () => {
  if (document.querySelector("body > [role=status]") !== null) return true;
  const now = Date.now;
  Date.now = () => now() + 3_600_000;
  document.dispatchEvent(new Event("visibilitychange"));
  return false;
};
