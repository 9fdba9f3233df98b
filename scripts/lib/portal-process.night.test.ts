import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";

/** Prints its argument and thread count, and exits with 7 on SIGTERM. */
const portal = `
  process.on("SIGTERM", () => { console.log("stopping"); setTimeout(() => process.exit(7), 50); });
  console.log("up", process.argv[2], process.env.UV_THREADPOOL_SIZE);
  setInterval(() => {}, 1_000);`;

async function launch(
  env: NodeJS.ProcessEnv = {},
  source = portal,
): Promise<{ launcher: ChildProcessByStdio<null, Readable, null>; output: AsyncIterator<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-launch-"));
  const program = join(folder, "portal.mjs");
  await writeFile(program, source);
  const module = new URL("portal-process.mjs", import.meta.url).href;
  // The launcher's own messages go to stderr; here they are merged with the portal's output.
  const code = `console.error = console.log; import(${JSON.stringify(module)}).then(async ({ runPortal }) => { process.exitCode = await runPortal(["--production"], { program: ${JSON.stringify(program)}, pausesMs: [${env["PAUSE_MS"] ?? "20, 50"}], stableMs: ${env["STABLE_MS"] ?? "60_000"} }); });`;
  const launcher = spawn(process.execPath, ["--eval", code], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    launcher.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  return { launcher, output: launcher.stdout.setEncoding("utf8")[Symbol.asyncIterator]() };
}

it("starts the portal with enough threads, forwards signals and exits with the portal's exit code", async () => {
  const { launcher, output } = await launch();
  expect((await output.next()).value).toBe("up --production 16\n");
  launcher.kill("SIGTERM");
  launcher.kill("SIGINT");
  expect(await once(launcher, "exit")).toEqual([7, null]);
});

it("respects the operator's number of threads", async () => {
  const { output } = await launch({ UV_THREADPOOL_SIZE: "5" });
  expect((await output.next()).value).toBe("up --production 5\n");
});

it.runIf(process.platform === "linux")("leaves no portal behind when killed with SIGKILL", async () => {
  const { launcher, output } = await launch();
  await output.next();
  launcher.kill("SIGKILL");
  // The portal gets one signal per thread of the launcher. The pipe closes once all processes that hold it have ended.
  let text = "";
  for (let next = await output.next(); !next.done; next = await output.next()) text += String(next.value);
  expect(text).toMatch(/^(stopping\n)+$/);
});

/** Is ready at once; the first start fails, the second is killed and the third keeps running. */
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

/** The output up to a match of `pattern`. */
async function outputUntil(output: AsyncIterator<unknown>, pattern: RegExp): Promise<string> {
  let text = "";
  while (!pattern.test(text)) {
    const next = await output.next();
    if (next.done) return text;
    text += String(next.value);
  }
  return text;
}

it("restarts a portal that was ready and then failed or was killed, with growing pauses", async () => {
  const { launcher, output } = await launch({}, failing);
  expect((await outputUntil(output, /up/)).trim().split("\n")).toEqual([
    "Fairway ended unexpectedly (exit code 1). It starts again in 0.02 s.",
    "Fairway ended unexpectedly (SIGKILL). It starts again in 0.05 s.",
    "up 3 0",
  ]);
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
});

/** Is ready at once, and fails: at once, but after a while in its fourth run. The sixth keeps running. */
const lasting = `
  import { appendFileSync, readFileSync } from "node:fs";
  const starts = new URL("starts", import.meta.url);
  appendFileSync(starts, ".");
  const { length } = readFileSync(starts, "utf8");
  process.on("SIGTERM", () => process.exit(0));
  process.send("ready", () => {
    if (length === 4) setTimeout(() => process.exit(1), 4_500);
    else if (length < 6) process.exit(1);
    else console.log("up", length);
  });
  setInterval(() => {}, 1_000);`;

it("starts over with the shortest pause after a run that lasted, however often it failed before", async () => {
  const { launcher, output } = await launch({ PAUSE_MS: "20, 30, 40", STABLE_MS: "4_000" }, lasting);
  const pauses = [...(await outputUntil(output, /up/)).matchAll(/again in (\S+) s/g)].map(([, seconds]) => seconds);
  expect(pauses).toEqual(["0.02", "0.03", "0.04", "0.02", "0.03"]);
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
});

it("exits with a portal that was never ready", async () => {
  const { launcher, output } = await launch({}, 'console.log("PORT is missing"); process.exitCode = 1;');
  const exit = once(launcher, "exit");
  expect(await outputUntil(output, /again/)).toBe("PORT is missing\n");
  expect(await exit).toEqual([1, null]);
});

it("can be stopped while it waits for a restart", async () => {
  const { launcher, output } = await launch({ PAUSE_MS: "60000" }, 'process.send("ready", () => process.exit(1));');
  await outputUntil(output, /again in/);
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
});
