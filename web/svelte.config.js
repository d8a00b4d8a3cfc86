import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

const styles = new Map(); // by class

/** Every component's styles have a class of their own; a short one, as it stands before each of them. */
function cssHash({ css, hash }) {
  const name = `s${hash(css).slice(-4)}`;
  if ((styles.get(name) ?? css) !== css) throw new Error(`two components have the class ${name}: change one`);
  styles.set(name, css);
  return name;
}

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, fragments: "tree", cssHash } };
