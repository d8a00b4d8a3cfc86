import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** Every component's styles have a class of their own; a short one, as it stands before each of them. */
const cssHash = ({ css, hash }) => `s${hash(css).slice(-5)}`;

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
