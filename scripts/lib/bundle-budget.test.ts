import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkBudgets, measureScreens } from "./bundle-budget.mjs";

let folder: string;
const manifest = {
  "index.html": { file: "index.js", imports: ["_shared.js"], dynamicImports: ["src/later.tsx"], css: ["index.css"] },
  "_shared.js": { file: "shared.js", imports: ["_cycle.js"] },
  "_cycle.js": { file: "cycle.js", imports: ["_shared.js"] },
  "src/later.tsx": { file: "later.js", imports: ["index.html"] },
};
// Random bytes do not compress.
const lengths = { "index.js": 3_000, "shared.js": 2_000, "cycle.js": 100, "later.js": 5_000, "index.css": 9_000 };
const around = (bytes: number) => [bytes, bytes + 200] as const;
const screen = (limit: number, ...parts: string[]) => ({ screen: "first", parts, limit });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-budget-"));
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, ".vite/manifest.json"), JSON.stringify(manifest));
  await Promise.all(Object.entries(lengths).map(([name, length]) => writeFile(join(folder, name), randomBytes(length))));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the bundle budget", () => {
  it("counts each initial script of a screen once, but neither styles nor lazy chunks", async () => {
    const [first] = await measureScreens(folder, [screen(1, "index.html")]);
    expect(first?.chunks.map(({ file }) => file)).toEqual(["index.js", "shared.js", "cycle.js"]);
    const [from, to] = around(5_100);
    expect(first?.bytes).toBeGreaterThan(from);
    expect(first?.bytes).toBeLessThan(to);
  });

  it("counts a lazy part that the budget lists", async () => {
    const [first] = await measureScreens(folder, [screen(1, "index.html", "src/later.tsx")]);
    expect(first?.chunks[0]?.file).toBe("later.js");
  });

  it("allows exactly the limit", async () => {
    const [{ bytes } = { bytes: 0 }] = await measureScreens(folder, [screen(1, "index.html")]);
    await expect(checkBudgets(folder, [screen(bytes, "index.html")])).resolves.toBeUndefined();
    await expect(checkBudgets(folder, [screen(bytes - 1, "index.html")])).rejects.toThrow("budget");
  });

  it("lists the chunks of a screen that exceeds it", async () => {
    await expect(checkBudgets(folder, [screen(4_000, "index.html")])).rejects.toThrow(
      /^The first screen loads 5\.\d kB of JavaScript \(gzip\), and its budget is 4\.0 kB: .*\n +3\.0 kB {2}index\.js\n +2\.0 kB {2}shared\.js\n {2}and 1 below 1 kB$/,
    );
  });

  it("fails for a part that no longer exists", async () => {
    await expect(checkBudgets(folder, [screen(1_000_000, "index.html", "src/gone.tsx")])).rejects.toThrow("src/gone.tsx");
  });
});
