// Record console errors, exceptions and policy violations in `window.__errors`.
export default () => {
  window.__errors = [];
  for (const level of ["error", "warn"]) {
    const log = console[level];
    console[level] = (...words) => {
      window.__errors.push(words.join(" "));
      log.apply(console, words);
    };
  }
  addEventListener("error", ({ message }) => window.__errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => window.__errors.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.__errors.push(violatedDirective));
};
