// Resolve after the next layout.
export default () =>
  new Promise((resolve) => {
    new ResizeObserver((_, observer) => {
      observer.disconnect();
      resolve();
    }).observe(document.documentElement);
  });
