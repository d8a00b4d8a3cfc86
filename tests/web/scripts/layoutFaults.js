// Return all violations of the layout law on this page, as texts. `now` selects what the person must be able to do
// now; a `fixed` screen must not scroll, and is read from a sofa; on a `table` for one person the gift on offer is the
// largest card.
export default ({ now, fixed, table }) => {
  const SLACK = 1.5; // pixels; cards are slightly rotated
  const TARGET = 43.5;
  const LEAST_TEXT = 11; // pixels
  const CONTROLS = "button, a[href], input, select, summary, [role=option], label.pill, label.button";
  const FIXED_PARTS =
    ".card, [data-air], .shop, [data-seat] .name, [data-name], [data-sentence] p, [data-news], .qr, [data-award], " +
    "[data-bubble], [data-meant], [data-seat] [data-face], [data-close-up] p";
  const faults = [];
  const overlay = document.querySelector("[data-countdown], .over, [data-close-up]");
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? overlay ?? document.querySelector("#app");
  const style = (element) => getComputedStyle(element);
  const label = (element) => {
    const text = (
      element.textContent.trim() ||
      element.getAttribute("aria-label") ||
      element.className ||
      ""
    ).toString();
    return `${element.tagName.toLowerCase()} "${text.replace(/\s+/g, " ").slice(0, 40)}"`;
  };
  const isHidden = (element) =>
    element.closest(".unseen, [hidden], template, [data-repeat]:not(:focus)") !== null ||
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = (selector) => [...root.querySelectorAll(selector)].filter((element) => !isHidden(element));
  const box = (element) => element.getBoundingClientRect();
  const scrollsX = (element) => {
    for (let one = element.parentElement; one; one = one.parentElement)
      if (/auto|scroll/.test(style(one).overflowX) && one.scrollWidth > one.clientWidth + 1) return true;
    return false;
  };
  const scrollBox = (element) => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
      if (/auto|scroll/.test(style(one).overflowY)) return one;
    return null;
  };
  /** The visible part of an element inside its scroll container. */
  const visible = (element) => {
    const { left, top, right, bottom } = box(element);
    const within = scrollBox(element);
    if (within === null) return { left, top, right, bottom };
    const around = box(within);
    return {
      left: Math.max(left, around.left),
      top: Math.max(top, around.top),
      right: Math.min(right, around.right),
      bottom: Math.min(bottom, around.bottom),
    };
  };

  // 1. words: none is broken by the letter, none is cut off, none sticks out of its control or of the window
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || isHidden(parent) || parent.closest("option, svg, script, style, noscript")) continue;
    const size = parseFloat(style(parent).fontSize);
    if (size > 0 && size < LEAST_TEXT - 0.1) faults.push(`text of ${Math.round(size * 10) / 10} px: ${label(parent)}`);
    const isUrl = /\S\.\S+\/\S/.test(node.data); // may be broken anywhere
    const control = parent.closest(CONTROLS);
    const bounds = control && box(control);
    for (const { 0: word, index } of node.data.matchAll(/[^\s\u00ad\u200b–—/-]+/gu)) {
      // after a hyphen, or a first letter with a style
      const first = node.data[index - 1] === "\u00ad" || !node.data.slice(0, index).trim();
      range.setStart(node, index + (first && word.length > 1 ? 1 : 0));
      range.setEnd(node, index + word.length);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      if (rects.length > 1 && !isUrl) faults.push(`broken by the letter: "${word}" in ${label(control ?? parent)}`);
      for (const rect of rects) {
        if ((rect.left < -SLACK || rect.right > innerWidth + SLACK) && !scrollsX(parent))
          faults.push(`outside the window: "${word}" in ${label(control ?? parent)}`);
        if (
          bounds &&
          (rect.left < bounds.left - SLACK ||
            rect.right > bounds.right + SLACK ||
            rect.top < bounds.top - 6 ||
            rect.bottom > bounds.bottom + 6)
        )
          faults.push(`sticks out of its control: "${word}" in ${label(control)}`);
      }
    }
    const clipper = style(parent).display === "inline" ? parent.parentElement : parent;
    if (/hidden|clip/.test(style(clipper).overflowX) && clipper.scrollWidth > clipper.clientWidth + 2)
      faults.push(`cut off: ${label(clipper)}`);
    if (
      /hidden|clip/.test(style(clipper).overflowY) &&
      clipper.scrollHeight > clipper.clientHeight + 0.4 * parseFloat(style(clipper).fontSize)
    )
      faults.push(`cut off: ${label(clipper)}`);
  }
  for (const part of all("header .where > span"))
    if (box(part).height > 2 * (parseFloat(style(part).fontSize) || 16)) faults.push(`wraps: ${label(part)}`);
  const canvas = document.createElement("canvas").getContext("2d");
  for (const field of all("input[placeholder]")) {
    const { paddingLeft, paddingRight } = style(field);
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(field, "::placeholder");
    canvas.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const wanted = canvas.measureText(field.placeholder).width;
    if (!field.value && wanted > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + 1)
      faults.push(`cut off: placeholder "${field.placeholder}"`);
  }

  for (const region of all("[data-sentence], [data-actions]:not(.docked)")) {
    const parts = [...region.children].filter(
      (part) => !isHidden(part) && !/absolute|fixed/.test(style(part).position),
    );
    const high =
      style(region).flexDirection === "column"
        ? parts.reduce((sum, part) => sum + part.offsetHeight, 0)
        : Math.max(0, ...parts.map((part) => part.offsetHeight));
    if (high > region.clientHeight + 2)
      faults.push(`${high} px in a region of ${region.clientHeight}: ${label(region)}`);
  }

  const isLarge = parseFloat(style(document.documentElement).fontSize) > 16;
  for (const header of all(".fixed-header"))
    if (!isLarge && box(header).height > innerHeight / 4)
      faults.push(`a header of ${Math.round(box(header).height)} px`);

  // 2. targets
  const controls = all(CONTROLS).filter(
    (element) => !(element.matches("a[href]") && style(element).display === "inline"),
  );
  for (const control of controls) {
    if (control.matches("label input")) continue; // its label is the target
    const { width, height } = box(control);
    if (Math.min(width, height) < TARGET)
      faults.push(`target of ${Math.round(width)} × ${Math.round(height)}: ${label(control)}`);
  }

  // 3. overlaps of controls, cards, names and texts
  const parts = [
    ...new Set([
      ...(overlay === root ? document.querySelectorAll("[data-do=go_on]") : []),
      ...controls.filter((one) => !one.matches("label input, .seat-picker")),
      ...all(table ? `${FIXED_PARTS}, [data-penalties]` : FIXED_PARTS),
    ]),
  ];
  const page = document.querySelector("#app .page[data-edge]") ?? document.documentElement; // a tablet's ending turns
  const isDocked = (element) => {
    for (let one = element; one && one !== root && one !== page; one = one.parentElement)
      if (/sticky|fixed/.test(style(one).position)) return true;
    return false;
  };
  // in place of the header for a moment
  const covers = (element) => element.closest("[data-news], [data-notice], .emotes .list") !== null;
  const measured = () =>
    parts
      .map((part) => ({ part, ...visible(part), docked: isDocked(part), covers: covers(part) }))
      .filter(({ left, right, top, bottom }) => right > left && bottom > top);
  const checkApart = (boxes, all) => {
    for (const [n, a] of boxes.entries())
      for (const b of boxes.slice(n + 1)) {
        if (a.part.contains(b.part) || b.part.contains(a.part) || a.covers || b.covers) continue;
        if (a.docked !== b.docked && !all) continue; // the rest scrolls below it
        const apart =
          a.right <= b.left + SLACK ||
          b.right <= a.left + SLACK ||
          a.bottom <= b.top + SLACK ||
          b.bottom <= a.top + SLACK;
        if (!apart) faults.push(`${label(a.part)} over ${label(b.part)}`);
      }
  };
  const boxes = measured();
  const scrolls = page.scrollHeight > page.clientHeight + 1;
  checkApart(boxes, !scrolls);
  if (fixed && scrolls) faults.push(`the page is ${page.scrollHeight} px high`);
  for (const { part, left, right } of boxes)
    if ((left < -SLACK || right > innerWidth + SLACK) && !scrollsX(part))
      faults.push(`outside the window: ${label(part)}`);
  if (document.documentElement.scrollWidth > innerWidth + 1)
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);

  // from four metres: claims, names, remarks and awards on a television
  const FROM_SOFA = {
    "[data-bubble].main": 64,
    "[data-seat] .name, [data-standing] [data-name], [data-bubble]:not(.main)": 36,
    "[data-award], [data-journey]": 32,
  }; // at 1080 lines
  for (const [selector, least] of fixed ? Object.entries(FROM_SOFA) : [])
    for (const text of all(selector)) {
      const size = (parseFloat(style(text).fontSize) * 1080) / innerHeight;
      const shares = text.closest("[data-sentence]")?.querySelector(".aside"); // who is away is said below the claim
      if (size < (shares ? 0.75 : 1) * least - 0.5) faults.push(`${Math.round(size)} px at 1080 lines: ${label(text)}`);
    }

  if (table && document.querySelector(".plane [data-sentence] .aside") && document.querySelector("[data-absent]"))
    faults.push("who is away is said below the claim too");

  // a stamp is over no name, and its words are within its circle
  for (const stamp of all("[data-close-up] [data-stamp]")) {
    const radius = stamp.offsetWidth / 2;
    const { left, right, top, bottom } = box(stamp);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    for (const name of all("[data-close-up] bdi")) {
      const at = box(name);
      const far = Math.hypot(Math.max(at.left - x, 0, x - at.right), Math.max(at.top - y, 0, y - at.bottom));
      if (far < radius) faults.push(`the stamp over ${label(name)}`);
    }
    for (const { offsetLeft, offsetTop, offsetWidth, offsetHeight } of stamp.children) {
      const across = Math.max(radius - offsetLeft, offsetLeft + offsetWidth - radius);
      const down = Math.max(radius - offsetTop, offsetTop + offsetHeight - radius);
      if (Math.hypot(across, down) > radius) faults.push(`sticks out of its circle: ${label(stamp)}`);
    }
  }
  for (const said of fixed ? all("[data-close-up] p") : [])
    if (box(said).bottom > innerHeight * 0.955) faults.push(`at the edge that televisions cut off: ${label(said)}`);
  for (const face of fixed ? all("[data-standing] [data-face]") : [])
    if ((box(face).width * 1080) / innerHeight < 140) faults.push(`${box(face).width} px: ending of ${label(face)}`);

  const widest = Math.max(...all("[data-seat] .card, .shop .pile").map((card) => box(card).width));
  for (const offered of table ? all("[data-air]") : [])
    if (box(offered).width < 1.1 * widest)
      faults.push(`a gift on offer of ${Math.round(box(offered).width)} px beside ${Math.round(widest)}`);

  // 4. what to do now is in sight, and at the end of a game everybody's face
  const inSight = (element) => {
    const { left, top, right, bottom } = visible(element);
    const whole = box(element);
    if (bottom - top < whole.height - SLACK || right - left < whole.width - SLACK) return false;
    if (left < -SLACK || top < -SLACK || right > innerWidth + SLACK || bottom > innerHeight + SLACK) return false;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  };
  /** A bar that does not scroll covers the lower edge. */
  const isBehindBar = (element) => {
    const { left, right, bottom } = box(element);
    const hit = document.elementFromPoint((left + right) / 2, bottom - SLACK - 1);
    return hit !== null && !element.contains(hit) && !hit.contains(element) && isDocked(hit);
  };
  const asked = all("[data-wants]").length > 0; // on a small phone its row covers some of those who won
  for (const face of table && !isLarge ? all(`${asked ? ".crowned" : "[data-standing]"} [data-face]`) : [])
    if (!inSight(face)) faults.push(`not in sight: ${label(face.closest("li"))}`);
  for (const button of innerWidth >= 1280 && !asked && !isLarge ? all("[data-watch]") : [])
    if (!inSight(button) && box(button).top < box(all(".go")[0]).top) faults.push(`half covered: ${label(button)}`);
  if (now) {
    const wanted = [...document.querySelectorAll(now)].filter((element) => !isHidden(element));
    if (wanted.length === 0) faults.push(`not there: ${now}`);
    else
      for (const one of now.startsWith("[data-") ? wanted : wanted.slice(0, 1))
        if (!inSight(one)) faults.push(`not in sight: ${label(one)}`); // the rest of a page may scroll
        else if (!isLarge && isBehindBar(one)) faults.push(`half covered: ${label(one)}`);
  }
  if (scrolls && root.tagName !== "DIALOG") {
    page.scrollTo(0, page.scrollHeight); // nothing stays covered at the end of the page
    checkApart(measured().filter(({ docked, top }) => !docked || top > innerHeight / 3), true); // no fixed header
    page.scrollTo(0, 0);
  }
  return [...new Set(faults)];
};
