import type { Plugin } from "vite";

/** Leave out the code that takes over HTML from a server: every page is made in the browser. Svelte marks this code by one variable, so that
 *  bundlers drop what depends on it, but Rolldown does not see that it never changes. */
export function noHydrationPlugin(): Plugin {
  return {
    name: "no-hydration",
    apply: "build",
    enforce: "post",
    transform(code, id) {
      if (id.endsWith("/svelte/src/internal/client/dom/hydration.js"))
        return replace(replace(code, "export let hydrating", "export const hydrating"), "hydrating = value;", "");
      if (id.endsWith(".svelte")) return code.replace(/^\s*\$\.(reset|next)\([^()]*\);$/gm, ""); // they do nothing else
      return null;
    },
  };
}

function replace(code: string, what: string, by: string): string {
  if (!code.includes(what)) throw new Error(`Svelte has changed: its hydration.js has no "${what}"`);
  return code.replace(what, by);
}
