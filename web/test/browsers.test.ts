import { readdirSync, readFileSync } from "node:fs";
import { browserslistToTargets, Features, transform } from "lightningcss";
import { describe, expect, it } from "vitest";
import { OLDEST } from "../vite.config.ts";

const ASSETS = new URL("../../src/notahat/server/static/assets/", import.meta.url);
const NAMES: Record<string, string> = { safari: "safari", ios: "ios_saf", chrome: "chrome", firefox: "firefox" };

function files(ending: string): [string, string][] {
  return readdirSync(ASSETS)
    .filter((file) => file.endsWith(ending))
    .map((file) => [file, readFileSync(new URL(file, ASSETS), "utf-8")]);
}

/** Return our targets in the format of lightningcss. */
function targets(): ReturnType<typeof browserslistToTargets> {
  const named = (one: string) => one.replace(/^[a-z]+/, (name) => `${NAMES[name]} `);
  return browserslistToTargets(OLDEST.map(named));
}

/** Compile once more. light-dark() is excluded because its fallback would be added a second time. */
function recompile(css: string): string {
  const code = Buffer.from(css);
  const exclude = Features.LightDark;
  return transform({ filename: "x.css", code, minify: true, targets: targets(), exclude }).code.toString();
}

describe("the built styles", () => {
  it.each(files(".css"))("%s need no further compilation for the oldest browsers", (_, css) => {
    expect(/light-dark\(|color-mix\(|:has\(/.exec(css)).toBeNull();
    expect(recompile(css) === css.trim()).toBe(true);
  });

  it("have colours for light and dark", () => {
    const all = files(".css").map(([, css]) => css);
    const page = "--page:var(--lightningcss-light,#f7f2e8)var(--lightningcss-dark,#16151a)";
    expect(all.some((css) => css.includes(page))).toBe(true);
  });
});

describe("the built scripts", () => {
  it.each(files(".js"))("%s use no syntax newer than Safari 16.0", (_, script) => {
    expect(/\(\?<[=!]/.exec(script)).toBeNull(); // look-behind came with 16.4
    expect(/\bstatic\s*\{/.exec(script)).toBeNull(); // so did static blocks
  });
});
