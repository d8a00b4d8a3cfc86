// Open states of the gallery in frames, all at once, look at each at all its sizes, and return the violations of the
// layout law (a function as text) as one list per state, and of `check` with axe (both as text) where a state asks for
// it. The frames are resized together: a layout that takes a few frames is awaited once for all of them.
export default async ({ cases, law, axe, check }) => {
  const FRAMES = 3; // until observers have seen the new size; more if a layout imports its question again
  const open = async ({ path, name }) => {
    const frame = document.createElement("iframe");
    frame.style.cssText = "position: absolute; inset: 0 auto auto 0; border: none; width: 390px; height: 844px";
    frame.src = path;
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    const { documentElement, fonts } = frame.contentDocument;
    while (documentElement.dataset.gallery !== name) await new Promise((resolve) => setTimeout(resolve, 5));
    await fonts.ready;
    return frame;
  };
  const look = ({ style, contentWindow }, { width, height, text }) => {
    Object.assign(style, { width: `${width}px`, height: `${height}px` });
    contentWindow.document.documentElement.style.fontSize = text === 1 ? "" : `${text * 100}%`;
    contentWindow.scrollTo(0, 0);
    contentWindow.dispatchEvent(new contentWindow.Event("resize")); // the text alone may have changed
  };
  document.body.replaceChildren();
  const frames = await Promise.all(cases.map(open));
  const faults = cases.map(() => []);
  for (let n = 0; cases.some(({ sights }) => n < sights.length); n += 1) {
    const seen = [...cases.entries()].filter(([, { sights }]) => n < sights.length);
    for (const [which, { sights }] of seen) look(frames[which], sights[n]);
    const isMissing = ([at, { sights }]) => !frames[at].contentDocument.querySelector(sights[n].now || "body");
    for (let waited = 0; waited < FRAMES || (waited < 200 * FRAMES && seen.some(isMissing)); waited += 1)
      await new Promise(requestAnimationFrame);
    for (const [which, { sights }] of seen) {
      const found = frames[which].contentWindow.eval(`(${law})`)(sights[n]);
      faults[which].push(...found.map((fault) => `${sights[n].title}: ${fault}`));
    }
  }
  const checked = [...cases.entries()].filter(([, { axe: sight }]) => sight !== null);
  for (const [which, { axe: sight }] of checked) look(frames[which], sight);
  for (const [which] of checked) {
    frames[which].contentWindow.eval(axe);
    faults[which].push(...(await frames[which].contentWindow.eval(`(${check})`)()));
  }
  return faults;
};
