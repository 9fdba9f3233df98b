import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keptGreen, outcomeOf, runNight } from "./night.mjs";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fairway-night-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A piece that notes each of its runs in the file `runs`, prints and exits. */
function piece(path: string, name: string, output: string, code = 0) {
  const program =
    `require("node:fs").appendFileSync(${JSON.stringify(join(path, "runs"))}, "${name} "); ` +
    `console.log(${JSON.stringify(output)}); process.exitCode = ${code};`;
  return { name, command: [process.execPath, "-e", program] };
}

const runsOf = (path: string) => readFile(join(path, "runs"), "utf8");
const log = () => undefined;

it("goes on where it is not green yet at the same commit, and starts over at another one", async () => {
  const path = await folder();
  const good = piece(path, "good", "7 passed, 0 failed");
  const bad = piece(path, "bad", "2 passed, 1 failed", 1);
  const last = piece(path, "last", "3 passed, 0 failed");
  const night = (commit: string, pieces = [good, bad, last]) => runNight({ pieces, commit, folder: path, log });
  const first = await night("c1");
  expect(first.map(({ name, outcome }) => [name, outcome.passed, outcome.failed])).toEqual([
    ["good", 7, 0],
    ["bad", 2, 1],
    ["last", 3, 0],
  ]);
  expect(await runsOf(path)).toBe("good bad last ");
  const greenAt = async (commit: string) =>
    Promise.all([good, bad, last].map(async ({ name }) => (await keptGreen(path, name, commit)) !== undefined));
  expect(await greenAt("c1")).toEqual([true, false, true]);
  expect(await greenAt("c2")).toEqual([false, false, false]);
  const mended = piece(path, "bad", "3 passed, 0 failed");
  const second = await night("c1", [good, mended, last]);
  expect(second.map(({ outcome }) => [outcome.passed, outcome.failed])).toEqual([
    [7, 0],
    [3, 0],
    [3, 0],
  ]);
  expect(await runsOf(path)).toBe("good bad last bad ");
  await night("c2", [good]);
  expect(await runsOf(path)).toBe("good bad last bad good ");
  expect(JSON.parse(await readFile(join(path, "good.json"), "utf8"))).toMatchObject({ commit: "c2", passed: 7, failed: 0 });
  expect(await readFile(join(path, "good.log"), "utf8")).toBe("7 passed, 0 failed\n");
});

it("keeps nothing of sources that are not committed", async () => {
  const path = await folder();
  const pieces = [piece(path, "one", "1 passed, 0 failed")];
  for (let count = 0; count < 2; count += 1) await runNight({ pieces, commit: undefined, folder: path, log });
  expect(await runsOf(path)).toBe("one one ");
  expect(existsSync(join(path, "one.json"))).toBe(false);
});

it("lists a piece whose program is missing as not run, and runs it once the program is there", async () => {
  const path = await folder();
  let missing: string | undefined = "java missing";
  const pieces = [{ ...piece(path, "server", "4 passed, 0 failed"), missing: () => Promise.resolve(missing) }];
  expect(await runNight({ pieces, commit: "c1", folder: path, log })).toEqual([
    { name: "server", outcome: { passed: 0, failed: 0, notRun: ["server (java missing)"] } },
  ]);
  missing = undefined;
  expect(await runNight({ pieces, commit: "c1", folder: path, log })).toMatchObject([{ name: "server", outcome: { passed: 4 } }]);
});

it("ends the running piece with all it has started when it is stopped, and keeps no result of it", async () => {
  const path = await folder();
  const [started, ended] = [join(path, "started"), join(path, "ended")];
  const write = (file: string) => `require("node:fs").writeFileSync(${JSON.stringify(file)}, "");`;
  const grandchild = `process.on("SIGTERM", () => { ${write(ended)} process.exit(); }); ${write(started)} setInterval(() => {}, 1_000);`;
  const program = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}]);`;
  const stopped = new AbortController();
  const pieces = [{ name: "endless", command: [process.execPath, "-e", program] }, piece(path, "next", "1 passed, 0 failed")];
  const night = runNight({ pieces, commit: "c1", folder: path, log, signal: stopped.signal });
  await expect.poll(() => existsSync(started), { timeout: 30_000 }).toBe(true);
  stopped.abort();
  expect(await night).toEqual([]);
  await expect.poll(() => existsSync(ended), { timeout: 30_000 }).toBe(true);
  expect([existsSync(join(path, "endless.json")), existsSync(join(path, "runs"))]).toEqual([false, false]);
});

it("a piece without a count passes or fails as a whole, and one that has checked nothing fails unless it says why", () => {
  expect(outcomeOf("done", 0)).toEqual({ passed: 1, failed: 0, notRun: [] });
  expect(outcomeOf("done", 1)).toEqual({ passed: 0, failed: 1, notRun: [] });
  expect(outcomeOf("1 passed, 0 failed\nmore\n5 passed, 2 failed\n", 1)).toEqual({ passed: 5, failed: 2, notRun: [] });
  expect(outcomeOf("5 passed, 0 failed", 1)).toMatchObject({ passed: 5, failed: 1 });
  expect(outcomeOf("5 passed, 0 failed", null)).toMatchObject({ failed: 1 });
  expect(outcomeOf("0 passed, 0 failed", 0)).toMatchObject({ failed: 1 });
  expect(outcomeOf("not run: the chart (helm is not installed)\n\n0 passed, 0 failed", 0)).toEqual({
    passed: 0,
    failed: 0,
    notRun: ["the chart (helm is not installed)"],
  });
});

it("a result that cannot be read stops the night", async () => {
  const path = await folder();
  await appendFile(join(path, "one.json"), "{");
  await expect(runNight({ pieces: [piece(path, "one", "1 passed, 0 failed")], commit: "c1", folder: path, log })).rejects.toThrow("JSON");
});
