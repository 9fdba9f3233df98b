import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepBudgets, measureScreens } from "./bundle-budget.mjs";

let folder: string;
const manifest = {
  "index.html": { file: "index.js", imports: ["_shared.js"], dynamicImports: ["src/later.tsx"], css: ["index.css"] },
  "_shared.js": { file: "shared.js", imports: ["_cycle.js"] },
  "_cycle.js": { file: "cycle.js", imports: ["_shared.js"] },
  "src/later.tsx": { file: "later.js", imports: ["index.html"] },
};
// Random bytes stay as long as they are.
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
  it("counts each script that a screen needs at first once, and neither styles nor what comes later", async () => {
    const [first] = await measureScreens(folder, [screen(1, "index.html")]);
    expect(first?.chunks.map(({ file }) => file)).toEqual(["index.js", "shared.js", "cycle.js"]);
    const [from, to] = around(5_100);
    expect(first?.bytes).toBeGreaterThan(from);
    expect(first?.bytes).toBeLessThan(to);
  });

  it("counts a lazy part that the screen names", async () => {
    const [first] = await measureScreens(folder, [screen(1, "index.html", "src/later.tsx")]);
    expect(first?.chunks[0]?.file).toBe("later.js");
  });

  it("is kept up to the limit itself", async () => {
    const [{ bytes } = { bytes: 0 }] = await measureScreens(folder, [screen(1, "index.html")]);
    await expect(keepBudgets(folder, [screen(bytes, "index.html")])).resolves.toBeUndefined();
    await expect(keepBudgets(folder, [screen(bytes - 1, "index.html")])).rejects.toThrow("budget");
  });

  it("says which chunks a screen that outgrew it loads", async () => {
    await expect(keepBudgets(folder, [screen(4_000, "index.html")])).rejects.toThrow(
      /^The first screen loads 5\.\d kB of JavaScript \(gzip\), and its budget is 4\.0 kB: .*\n +3\.0 kB {2}index\.js\n +2\.0 kB {2}shared\.js\n {2}and 1 below 1 kB$/,
    );
  });

  it("refuses to count a part that was renamed as nothing", async () => {
    await expect(keepBudgets(folder, [screen(1_000_000, "index.html", "src/gone.tsx")])).rejects.toThrow("src/gone.tsx");
  });
});
