// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";

/** Before each next start of a portal that ended by itself; the last one again and again. */
const restartPausesMs = [1_000, 2_000, 5_000, 10_000, 30_000];
/** A portal that ran for this long begins with the shortest pause again. */
const steadyMs = 60_000;

/**
 * Runs the portal and hands on what we are told, until it is stopped. One that was ready and then failed or was killed is
 * started again; one that was never ready has a reason that another start would not change.
 * @param {string[]} args
 * @param {{ program?: string, pausesMs?: readonly number[] }} [options]
 * @returns {Promise<number>} its exit code
 */
export async function runPortal(args, { program = join(checkout, "scripts/portal.mjs"), pausesMs = restartPausesMs } = {}) {
  const [command = process.execPath, ...rest] = [...endsWithUs(), process.execPath, "--enable-source-maps", program, ...args];
  const stopping = new AbortController();
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let portal;
  const stop = () => {
    stopping.abort();
    portal?.kill("SIGTERM");
  };
  // Ctrl-C reaches the portal by itself, a signal to us alone does not; it stops once however often it is told.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, stop);
  const watch = stopWithoutNpm(stop);
  let wasReady = false;
  try {
    for (let failures = 0; ;) {
      const startedMs = Date.now();
      portal = spawn(command, rest, {
        stdio: ["inherit", "inherit", "inherit", "ipc"],
        // Each running query holds one of these threads; files and passwords need some too. A browser is opened once.
        env: { UV_THREADPOOL_SIZE: "16", ...process.env, ...(wasReady ? { FAIRWAY_OPEN: "0" } : {}) },
      });
      portal.once("message", (message) => (wasReady ||= message === "ready"));
      const { code, signal } = await ended(portal);
      if (stopping.signal.aborted || code === 0 || !wasReady) return code ?? 1;
      if (Date.now() - startedMs > steadyMs) failures = 0;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
      failures += 1;
      console.error(`Fairway ended unexpectedly (${signal ?? `exit code ${code}`}). It starts again in ${pauseMs / 1_000} s.`);
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return 0;
    }
  } finally {
    clearInterval(watch);
  }
}

/**
 * @param {import("node:child_process").ChildProcess} portal
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
function ended(portal) {
  return new Promise((resolve, reject) => {
    portal.once("error", reject);
    portal.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** Where the system can, the kernel tells the portal to stop when we are killed: no orphan keeps the port. */
export function endsWithUs() {
  const wrapper = ["--pdeathsig", "TERM", "--"];
  return spawnSync("setpriv", [...wrapper, "true"]).status === 0 ? ["setpriv", ...wrapper] : [];
}

/**
 * A killed npm tells nobody, and its child would go on with no one to stop it. Between npm and us there may be a shell.
 * @param {() => void} stop
 */
function stopWithoutNpm(stop) {
  if (process.env["npm_lifecycle_event"] === undefined) return undefined;
  const ancestors = () => {
    const parent = process.ppid;
    const { name, parent: grandparent } = processAt(parent);
    return /^(ba|da)?sh$/.test(name) ? `${parent} ${grandparent}` : `${parent}`;
  };
  const before = ancestors();
  return setInterval(() => {
    if (ancestors() !== before) stop();
  }, 1_000).unref();
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: string }} empty where the system does not tell
 */
function processAt(pid) {
  try {
    const [, name = "", parent = ""] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { name, parent };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { name: "", parent: "" };
  }
}
