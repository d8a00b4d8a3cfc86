import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The texts of the manifest: by their English ones, the words that translate them. */
const TEXTS = ["home.unofficial", "home.play", "home.join", "day.title"];
const LANGUAGES = readdirSync(new URL("../src/words/", import.meta.url))
  .flatMap((file) => /^(\w\w)\.json$/.exec(file)?.[1] ?? [])
  .filter((lang) => lang !== "en");

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf-8");
const words = (lang: string): Record<string, string> =>
  JSON.parse(read(`../src/words/${lang}.json`)) as Record<string, string>;

/** Return the manifest of the installed app in a language. */
export function manifestIn(lang: string): string {
  const [english, own] = [words("en"), words(lang)];
  const manifest = TEXTS.reduce(
    (text, key) => text.replaceAll(`"${english[key]!}"`, `"${own[key]!}"`),
    read("../public/manifest.webmanifest"),
  );
  return manifest.replace('"lang": "en"', `"lang": "${lang}"`);
}

/** Return what previews of links say, by language. */
export function previewTexts(): string {
  const texts = ["en", ...LANGUAGES].map((lang) => {
    const { "home.tagline": description, "preview.invitation": invitation } = words(lang);
    return [lang, { description, invitation }];
  });
  return JSON.stringify(Object.fromEntries(texts));
}

/** Write the texts of previews, and the manifest in all languages but English, which is in `public`. */
export function manifestPlugin(): Plugin {
  return {
    name: "manifest",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "previews.json", source: previewTexts() });
      for (const lang of LANGUAGES)
        this.emitFile({ type: "asset", fileName: `manifest-${lang}.webmanifest`, source: manifestIn(lang) });
    },
  };
}
