// Return everything that the page stores for itself.
export default () =>
  JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie]);
