// Whether this person asked for less motion: `reducedMotion.current`.
import { MediaQuery } from "svelte/reactivity";

export const reducedMotion = new MediaQuery("(prefers-reduced-motion: reduce)");
