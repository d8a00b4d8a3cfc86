// Return whether the present is shown and no animation of less than two seconds runs.
export default () =>
  new Promise((resolve) => {
    const isStill = () =>
      !document.querySelector("main[data-beat]:not([data-beat=present])") &&
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== "running" || effect.getComputedTiming().endTime > 2000);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(isStill())));
  });
