// @ts-check
// Processes that commands start: how they become ready, and end with them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkout } from "./checkout.mjs";
import { Failure } from "./failure.mjs";
import { run } from "./run.mjs";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** Until a server that was asked to end is killed. */
const patienceMs = 20_000;

/** @param {ChildProcess} child */
export const isRunning = (child) => child.exitCode === null && child.signalCode === null && child.pid !== undefined;

/**
 * Signals a process and waits until it has ended.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function end(child, signal) {
  if (!isRunning(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/**
 * Ends a process together with this one.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function endWithThis(child, signal) {
  const kill = () => child.kill(signal);
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

/** @typedef {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, any>} PortalProcess */

/**
 * Starts a portal, or a program like it, without the settings of this process. Its output is piped.
 * @param {string} program in the checkout
 * @param {{ cwd?: string, args?: readonly string[], variables?: Readonly<Record<string, string | undefined>>, rest?: readonly ("inherit" | "pipe" | "ipc")[] }} [options]
 * `rest`: what becomes of its errors, and a channel for messages
 */
export function spawnPortal(program, { cwd = checkout, args = [], variables = {}, rest = ["inherit"] } = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FAIRWAY_|LIMIT_|npm_)|^(PORT|HOST|DATABASE_URL)$/.test(name));
  const child = spawn(process.execPath, ["--enable-source-maps", resolve(cwd, program), ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), UV_THREADPOOL_SIZE: "16", FAIRWAY_OPEN: "0", PORT: "0", ...variables },
    stdio: ["ignore", "pipe", ...rest],
  });
  endWithThis(child, "SIGTERM");
  return /** @type {PortalProcess} */ (child);
}

/**
 * @typedef {object} ServerOptions
 * @property {string} title
 * @property {readonly string[]} command
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} output the file that gets what it prints
 * @property {string} [log] the file that says why it did not start
 * @property {() => Promise<boolean>} isReady
 * @property {number} minutes until it has to
 * @property {boolean} [ownGroup] whether it starts others, which end with it
 */

/**
 * Starts a server and waits until it is ready. It ends with this process.
 * @param {ServerOptions} options
 */
export async function startServer({ title, command, cwd, env, output, log = output, isReady, minutes, ownGroup = false }) {
  const [program = "", ...args] = command;
  const written = createWriteStream(output, { flags: "a" });
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: ownGroup });
  child.stdout.pipe(written, { end: false });
  child.stderr.pipe(written, { end: false });
  /** @type {string | undefined} */
  let ended;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended = `it ended with ${signal ?? code}`));
  const signal = (/** @type {NodeJS.Signals} */ name) => {
    if (child.pid !== undefined && ended === undefined) process.kill(ownGroup ? -child.pid : child.pid, name);
  };
  const killNow = () => signal("SIGKILL");
  process.once("exit", killNow);
  const stop = async (/** @type {NodeJS.Signals} */ name = "SIGTERM") => {
    process.off("exit", killNow);
    if (ended === undefined) {
      const exited = once(child, "exit");
      signal(name);
      await Promise.race([exited, wait(patienceMs, undefined, { ref: false }).then(killNow)]);
    }
    written.end();
  };
  for (const endMs = Date.now() + minutes * 60_000; Date.now() < endMs && isRunning(child); await wait(250)) {
    if (await isReady()) return { signal, stop };
  }
  const text = await readFile(log, "utf8").catch(() => "");
  await stop();
  throw new Failure(`${title} did not start: ${ended ?? `it did not answer within ${minutes} minutes`}.\n${text.slice(-2_000)}`);
}

/** @param {string} url */
export async function answers(url) {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

/**
 * Lets a server listen on this machine only, and resolves with its port.
 * @param {import("node:net").Server} server
 * @param {number} [port] default: a free one
 */
export async function listen(server, port = 0) {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * Fills a folder apart, which only takes its place once it is whole.
 * @param {string} target
 * @param {(folder: string) => Promise<string>} fill resolves with what becomes the target: the folder, or one within it
 */
export async function installFolder(target, fill) {
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(`${target}-`);
  try {
    const whole = await fill(folder);
    await rm(target, { recursive: true, force: true });
    await rename(whole, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads a file by Maven.
 * @param {string} title
 * @param {string} artifact
 * @param {string} folder
 */
export async function downloadByMaven(title, artifact, folder) {
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
  const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`, "-Dmdep.useBaseVersion=true"];
  await run(`Downloading ${title} by Maven`, "mvn", ["-q", "-B", plugin, ...options], { cwd: folder });
}
