import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Budgets, budgetWarnings, checkBudgets, measureParts, screenSources } from "./bundle-budget.mjs";
import { checkout } from "./checkout.mjs";

let folder: string;
const manifest = {
  "index.html": { file: "index.js", imports: ["_shared.js"], css: ["index.css"] },
  "login.html": { file: "login.js", imports: ["_shared.js"] },
  "_shared.js": { file: "shared.js", imports: ["_cycle.js"] },
  "_cycle.js": { file: "cycle.js", imports: ["_shared.js"] },
  "_common.js": { file: "common.js", imports: ["_shared.js"] },
  "src/features/first/first-page.tsx": { file: "first.js", isDynamicEntry: true, imports: ["index.html", "_common.js"] },
  "src/features/second/second-page.tsx": { file: "second.js", isDynamicEntry: true, imports: ["_common.js"] },
  "src/parts/map/map.tsx": { file: "map.js", isDynamicEntry: true, imports: ["_shared.js"] },
  "src/parts/small/small.tsx": { file: "small.js", isDynamicEntry: true },
};
// Random bytes do not compress.
const lengths = {
  "index.js": 3_000,
  "login.js": 500,
  "shared.js": 2_000,
  "cycle.js": 100,
  "common.js": 1_000,
  "first.js": 5_000,
  "second.js": 7_000,
  "map.js": 9_000,
  "index.css": 9_000,
};
const screens = ["src/features/first/first-page.tsx", "src/features/second/second-page.tsx"];

const measure = (limits: Partial<Budgets> = {}) =>
  measureParts(folder, {
    screens,
    limits: { pages: { "index.html": 10_000, "login.html": 10_000 }, parts: { "parts/map/map": 20_000 }, otherwise: 10_000, ...limits },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-budget-"));
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, ".vite/manifest.json"), JSON.stringify(manifest));
  await Promise.all(Object.entries(lengths).map(([name, length]) => writeFile(join(folder, name), randomBytes(length))));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the bundle budget", () => {
  it("counts what a screen adds to the shell, each script once and no style", async () => {
    const parts = await measure();
    const files = Object.fromEntries(parts.map(({ name, kind, scripts }) => [`${kind} ${name}`, scripts.map(({ file }) => file)]));
    expect(files).toEqual({
      "page index.html": ["index.js", "shared.js", "cycle.js"],
      "page login.html": ["shared.js", "login.js", "cycle.js"],
      "screen first/first-page": ["first.js", "common.js"],
      "screen second/second-page": ["second.js", "common.js"],
      "island parts/map/map": ["map.js"],
    });
    const first = parts.find(({ name }) => name === "first/first-page");
    expect(first?.all.map(({ file }) => file)).toEqual(["first.js", "index.js", "shared.js", "common.js", "cycle.js"]);
    expect(first?.shell).toBe(parts[0]?.own);
  });

  it("gives a screen without an entry the limit of all others, so that a larger menu of the shell fails no screen", async () => {
    const parts = await measure({ pages: { "index.html": 5_000, "login.html": 10_000 } });
    expect(parts.map(({ name, limit }) => [name, limit])).toEqual([
      ["index.html", 5_000],
      ["login.html", 10_000],
      ["first/first-page", 10_000],
      ["second/second-page", 10_000],
      ["parts/map/map", 20_000],
    ]);
    expect(() => checkBudgets(parts)).toThrow(
      /^index\.html loads 5\.\d kB of JavaScript \(gzip\), and its budget is 5\.0 kB\.[^]*index\.js[^]*$/,
    );
    expect(() => checkBudgets(parts)).not.toThrow("-page");
  });

  it("allows exactly the limit, and says so", async () => {
    const [{ own } = { own: 0 }] = await measure();
    const exact = await measure({ pages: { "index.html": own, "login.html": 10_000 } });
    expect(() => checkBudgets(exact)).not.toThrow();
    expect(budgetWarnings(exact)).toEqual([expect.stringMatching(/^index\.html has 5\.\d kB of 5\.\d kB\.$/)]);
    const less = await measure({ pages: { "index.html": own - 1, "login.html": 10_000 } });
    expect(() => checkBudgets(less)).toThrow("budget");
  });

  it("names what a screen adds, the shell, the limit and the three largest files", async () => {
    const parts = await measure({ otherwise: 7_000 });
    expect(() => checkBudgets(parts)).toThrow(
      /^The screen second\/second-page adds 8\.\d kB of JavaScript \(gzip\) to the shell's 5\.\d kB, and its budget is 7\.0 kB\. Its largest files:\n +7\.0 kB {2}second\.js\n +1\.0 kB {2}common\.js$/,
    );
  });

  it("fails for a budget of a part that no longer exists", async () => {
    await expect(measure({ parts: { "first/gone": 1_000_000 } })).rejects.toThrow("first/gone");
  });

  it("knows every screen that the shell imports", async () => {
    const shell = await readFile(join(checkout, "web/src/shell/screens.ts"), "utf8");
    const sources = await screenSources();
    expect(sources).toHaveLength(shell.split("import(").length - 1);
    expect(sources).toContain("src/features/search/results/results-page.tsx");
  });
});
