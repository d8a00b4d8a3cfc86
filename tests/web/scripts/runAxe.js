// Run axe-core on this page, with all rules of WCAG 2.2 AA and best practice in light mode, and those of colours, which
// alone differ, in dark mode. Return what it finds as texts.
export default async () => {
  const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const find = async (theme, runOnly) => {
    document.documentElement.dataset.theme = theme;
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"], preload: false });
    const texts = ({ help, nodes }) => nodes.map(({ html }) => `axe, ${theme}: ${help}: ${html.slice(0, 160)}`);
    return violations.flatMap(texts);
  };
  const dark = await find("dark", ["color-contrast", "link-in-text-block"]);
  return [...(await find("light", LEVELS)), ...dark];
};
