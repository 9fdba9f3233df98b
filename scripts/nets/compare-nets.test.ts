import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeEach, expect, it } from "vitest";
import { compareNets } from "./compare-nets.mjs";
import { compareTimes, readTimes } from "./times.mjs";

const root = mkdtempSync(join(tmpdir(), "fairway-nets-"));
const [before, after] = [join(root, "before"), join(root, "after")];

afterAll(() => rmSync(root, { recursive: true }));

/** A gray picture of 8 by 4 pixels. */
function picture(changed?: readonly [x: number, y: number], width = 8): Buffer {
  const png = new PNG({ width, height: 4 });
  png.data.fill(200);
  if (changed) png.data[4 * (changed[1] * width + changed[0])] = 201;
  return PNG.sync.write(png);
}

function write(folder: string, state: string, file: string, content: string | Buffer): void {
  mkdirSync(join(folder, "states", state), { recursive: true });
  writeFileSync(join(folder, "states", state, file), content);
}

const writeMade = (folder: string, failures: Record<string, string> = {}) =>
  writeFileSync(join(folder, "made.json"), JSON.stringify({ sources: "", only: "", failures }));

beforeEach(() => {
  for (const folder of [before, after]) {
    rmSync(folder, { recursive: true, force: true });
    for (const state of ["board", "keys"]) {
      write(folder, state, "light-1440.png", picture());
      write(folder, state, "tree-1440.yml", '- button "Save"\n- button "Cancel"\n');
      write(folder, state, "calls-1440.txt", "open\nGET /boards\n");
    }
    writeMade(folder);
  }
});

it("finds no difference between equal nets, and says how many it compared", () => {
  expect(compareNets(before, after)).toEqual({ states: 2, pictures: 2, texts: 4, differences: [] });
});

it("finds a single pixel that differs by a single bit, and draws where it is", () => {
  write(after, "board", "light-1440.png", picture([5, 2]));
  const { differences } = compareNets(before, after);
  const target = join(after, "differences/board/light-1440.png");
  expect(differences).toEqual([{ state: "board", text: `light-1440.png: 1 pixels differ, from 5, 2 to 5, 2; see ${target}` }]);
  expect(existsSync(target)).toBe(true);
});

it("finds a picture of another size", () => {
  write(after, "board", "light-1440.png", picture(undefined, 9));
  expect(compareNets(before, after).differences[0]?.text).toMatch(/^light-1440\.png: 8 × 4 pixels became 9 × 4;/);
});

it("finds another name, another order and another call, and shows the lines", () => {
  write(after, "board", "tree-1440.yml", '- button "Cancel"\n- button "Save"\n');
  write(after, "keys", "calls-1440.txt", "open\nGET /boards\nGET /boards\n");
  const { differences } = compareNets(before, after);
  expect(differences.map(({ state }) => state)).toEqual(["board", "keys"]);
  expect(differences[0]?.text).toMatch(/^tree-1440\.yml: [^]*- button "Save"/);
  expect(differences[1]?.text).toContain("+GET /boards");
});

it("counts what only one of them has, and what could not be reached in either", () => {
  write(after, "alerts", "tree-1440.yml", "");
  rmSync(join(after, "states/keys"), { recursive: true });
  writeMade(before, { faq: "The page did not come to rest." });
  expect(compareNets(before, after).differences).toEqual([
    { state: "faq", text: `not reached in ${before}: The page did not come to rest.` },
    { state: "alerts", text: `tree-1440.yml only in ${after}` },
    ...["calls-1440.txt", "light-1440.png", "tree-1440.yml"].map((file) => ({ state: "keys", text: `${file} only in ${before}` })),
  ]);
});

it("compares only the states that are asked for", () => {
  write(after, "board", "tree-1440.yml", "");
  expect(compareNets(before, after, { only: "^keys" })).toMatchObject({ states: 1, differences: [] });
});

it("reads the times of test files from the reports of a run in any checkout, and lists those that differ most", () => {
  const testResults = [
    { name: "/srv/fairway/web/src/features/help/help.test.tsx", startTime: 0, endTime: 4_000, assertionResults: [] },
    { name: "/srv/fairway/gateway/src/portal/service.test.ts", startTime: 0, endTime: 9_000, assertionResults: [] },
  ];
  writeFileSync(join(root, "vitest.json"), JSON.stringify({ numPassedTests: 0, numFailedTests: 0, testResults }));
  const times = readTimes(root);
  expect(times.map(({ name, seconds }) => [name, seconds])).toEqual([
    ["gateway/src/portal/service.test.ts", 9],
    ["web/src/features/help/help.test.tsx", 4],
  ]);
  expect(readTimes(undefined)).toEqual([]);
  const [service] = times;
  expect(compareTimes(times, service ? [{ ...service, seconds: 8.5 }] : [])).toEqual([
    "Test files whose times differ most:",
    "    4.0 →       – s  web/src/features/help/help.test.tsx",
    "    9.0 →     8.5 s  gateway/src/portal/service.test.ts",
    "   13.0 →     8.5 s  all 2 test files",
  ]);
});
