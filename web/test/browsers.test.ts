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

/** "ios16" as lightningcss wants it. */
function targets(): ReturnType<typeof browserslistToTargets> {
  return browserslistToTargets(OLDEST.map((one) => one.replace(/^([a-z]+)(\d+)$/, (_, name: string, version: string) => `${NAMES[name]} ${version}`)));
}

/** Compiled once more. What stands for light-dark() would be written a second time, so that is looked for by name. */
function again(css: string): string {
  return transform({ filename: "x.css", code: Buffer.from(css), minify: true, targets: targets(), exclude: Features.LightDark }).code.toString();
}

describe("the finished styles", () => {
  it.each(files(".css"))("%s leave nothing to compile for the oldest browsers", (_, css) => {
    expect(/light-dark\(|color-mix\(|@container|:has\(/.exec(css)).toBeNull();
    expect(again(css) === css.trim()).toBe(true);
  });

  it("have their colours twice, for light and for dark", () => {
    const all = files(".css").map(([, css]) => css);
    expect(all.some((css) => css.includes("--page:var(--lightningcss-light,#f7f2e8)var(--lightningcss-dark,#16151a)"))).toBe(true);
  });
});

describe("the finished scripts", () => {
  it.each(files(".js"))("%s use no syntax that Safari 16.0 does not read", (_, script) => {
    expect(/\(\?<[=!]/.exec(script)).toBeNull(); // looking back in a pattern came with 16.4
    expect(/\bstatic\s*\{/.exec(script)).toBeNull(); // so did static blocks
  });
});
