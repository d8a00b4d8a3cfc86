import type { Plugin } from "vite";

type Replacement = [what: string, by: string];

/** Code of libraries that never runs here, which the bundler cannot know, by the end of its file's name. */
const UNUSED: Record<string, Replacement[]> = {
  // Svelte takes over HTML from a server; here every page is made in the browser
  "/svelte/src/internal/client/dom/hydration.js": [
    ["export let hydrating", "export const hydrating"],
    ["hydrating = value;", ""],
  ],
  // QR codes as GIF, SVG or text: ui/QrCode.svelte draws the modules itself
  "/qr/index.js": [["if (output === 'raw')\n", ""]],
  // options and formats of pictures: views/byHand/Scanner.svelte passes the pixels of a canvas
  "/qr/decode.js": [
    ["validateOpts(init);", ""],
    ["validateOpts(opts);", ""],
    ["validateImage(img, opts.format);", ""],
    ["validateImage(img, named, layout, maxSize);", "RGBA;"],
  ],
};

export function unusedCodePlugin(): Plugin {
  return {
    name: "unused-code",
    apply: "build",
    enforce: "post",
    transform(code, id) {
      if (id.endsWith(".svelte")) return code.replace(/^\s*\$\.(reset|next)\([^()]*\);$/gm, ""); // for hydration only
      const file = Object.keys(UNUSED).find((name) => id.endsWith(name));
      return file ? UNUSED[file]!.reduce(replace, code) : null;
    },
  };
}

function replace(code: string, [what, by]: Replacement): string {
  if (!code.includes(what)) throw new Error(`a library has changed: it has no "${what}"`);
  return code.replace(what, by);
}
