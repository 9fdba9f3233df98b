import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";

/** Ends with 7 when it is told to, and tells what it was given. */
const portal = `
  process.on("SIGTERM", () => { console.log("told"); setTimeout(() => process.exit(7), 50); });
  console.log("up", process.argv[2], process.env.UV_THREADPOOL_SIZE);
  setInterval(() => {}, 1_000);`;

async function launched(
  env: NodeJS.ProcessEnv = {},
  source = portal,
): Promise<{ launcher: ChildProcessByStdio<null, Readable, null>; said: AsyncIterator<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-launch-"));
  const program = join(folder, "portal.mjs");
  await writeFile(program, source);
  const module = new URL("portal-process.mjs", import.meta.url).href;
  // What it says of itself goes to stderr, here beside what the portal says.
  const code = `console.error = console.log; import(${JSON.stringify(module)}).then(async ({ runPortal }) => { process.exitCode = await runPortal(["--production"], { program: ${JSON.stringify(program)}, pausesMs: [${env["PAUSE_MS"] ?? "20, 50"}] }); });`;
  const launcher = spawn(process.execPath, ["--eval", code], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    launcher.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  return { launcher, said: launcher.stdout.setEncoding("utf8")[Symbol.asyncIterator]() };
}

it("starts the portal with threads for long queries, hands signals on and ends as the portal did", async () => {
  const { launcher, said } = await launched();
  expect((await said.next()).value).toBe("up --production 16\n");
  launcher.kill("SIGTERM");
  launcher.kill("SIGINT");
  expect(await once(launcher, "exit")).toEqual([7, null]);
});

it("keeps the operator's own number of threads", async () => {
  const { said } = await launched({ UV_THREADPOOL_SIZE: "5" });
  expect((await said.next()).value).toBe("up --production 5\n");
});

it.runIf(process.platform === "linux")("leaves no portal behind when it is killed with -9", async () => {
  const { launcher, said } = await launched();
  await said.next();
  launcher.kill("SIGKILL");
  // Told once per thread of the launcher that dies. The pipe closes when the last process that holds it has ended.
  let heard = "";
  for (let next = await said.next(); !next.done; next = await said.next()) heard += String(next.value);
  expect(heard).toMatch(/^(told\n)+$/);
});

/** Ready at once, and ended by each thing that the file of its starts does not hold yet. */
const failing = `
  import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
  const starts = new URL("starts", import.meta.url);
  appendFileSync(starts, ".");
  const { length } = readFileSync(starts, "utf8");
  process.on("SIGTERM", () => process.exit(0));
  process.send("ready", () => {
    if (length === 1) process.exit(1);
    if (length === 2) process.kill(process.pid, "SIGKILL");
    console.log("up", length, process.env.FAIRWAY_OPEN);
  });
  setInterval(() => {}, 1_000);`;

/** All that is said until `pattern` is. */
async function saidUntil(said: AsyncIterator<unknown>, pattern: RegExp): Promise<string> {
  let text = "";
  while (!pattern.test(text)) {
    const next = await said.next();
    if (next.done) return text;
    text += String(next.value);
  }
  return text;
}

it("starts a portal again that was ready and then failed or was killed, with growing pauses", async () => {
  const { launcher, said } = await launched({}, failing);
  expect((await saidUntil(said, /up/)).trim().split("\n")).toEqual([
    "Fairway ended unexpectedly (exit code 1). It starts again in 0.02 s.",
    "Fairway ended unexpectedly (SIGKILL). It starts again in 0.05 s.",
    "up 3 0",
  ]);
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
});

it("ends with a portal that was never ready: another start would not help", async () => {
  const { launcher, said } = await launched({}, 'console.log("PORT is missing"); process.exitCode = 1;');
  const exit = once(launcher, "exit");
  expect(await saidUntil(said, /again/)).toBe("PORT is missing\n");
  expect(await exit).toEqual([1, null]);
});

it("stops while it waits to start a portal again", async () => {
  const { launcher, said } = await launched({ PAUSE_MS: "60000" }, 'process.send("ready", () => process.exit(1));');
  await saidUntil(said, /again in/);
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
});
