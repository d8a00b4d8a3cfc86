// Run axe-core and store the violations in `window.axeFound`.
export default (rules) => {
  window.axeFound = null;
  const options = { runOnly: rules, resultTypes: ["violations"], preload: false };
  window.axe.run(document, options).then(({ violations }) => {
    window.axeFound = violations;
  });
};
