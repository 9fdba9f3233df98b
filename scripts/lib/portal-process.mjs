// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";

/** Pauses before each restart of a portal that has crashed; the last one repeats. */
const restartPausesMs = [1_000, 2_000, 5_000, 10_000, 30_000];
/** A portal that was ready for this long, the longest pause, starts over with the shortest one. */
const lastingMs = 30_000;

/**
 * Runs the portal until it is stopped, forwarding signals. A portal that was ready and then failed or was killed is restarted;
 * one that was never ready is not, because another start would fail as well.
 * @param {string[]} args
 * @param {{ program?: string, pausesMs?: readonly number[], stableMs?: number }} [options]
 * @returns {Promise<number>} its exit code
 */
export async function runPortal(
  args,
  { program = join(checkout, "scripts/portal.mjs"), pausesMs = restartPausesMs, stableMs = lastingMs } = {},
) {
  const [command = process.execPath, ...rest] = [...endWithParent(), process.execPath, "--enable-source-maps", program, ...args];
  const stopping = new AbortController();
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let portal;
  const stop = () => {
    stopping.abort();
    portal?.kill("SIGTERM");
  };
  // Ctrl-C also reaches the portal directly, but a signal to this process does not. Repeated signals are harmless.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, stop);
  // A portal that was started in the background outlives its shell.
  const npmWatch = process.env["npm_lifecycle_event"] === undefined ? undefined : stopWhenParentEnds(stop);
  let wasReady = false;
  try {
    for (let failures = 0; ;) {
      let readyMs = Infinity;
      portal = spawn(command, rest, {
        stdio: ["inherit", "inherit", "inherit", "ipc"],
        // Each running query occupies one of these threads; files and passwords need some, too. Restarts open no browser.
        env: { UV_THREADPOOL_SIZE: "16", ...process.env, ...(wasReady ? { FAIRWAY_OPEN: "0" } : {}) },
      });
      portal.once("message", (message) => {
        if (message !== "ready") return;
        wasReady = true;
        readyMs = performance.now();
      });
      const { code, signal } = await ended(portal);
      if (stopping.signal.aborted || code === 0 || !wasReady) return code ?? 1;
      if (performance.now() - readyMs >= stableMs) failures = 0;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
      failures += 1;
      console.error(`Fairway ended unexpectedly (${signal ?? `exit code ${code}`}). It starts again in ${pauseMs / 1_000} s.`);
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return 0;
    }
  } finally {
    clearInterval(npmWatch);
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

/** A command prefix that makes the kernel stop the child when this process is killed, where supported, so that no orphan keeps the port. */
export function endWithParent() {
  const wrapper = ["--pdeathsig", "TERM", "--"];
  return spawnSync("setpriv", [...wrapper, "true"]).status === 0 ? ["setpriv", ...wrapper] : [];
}

/**
 * A killed process does not stop its child, which would continue as an orphan. There may be a shell between them, as below npm.
 * @param {() => void} stop
 */
export function stopWhenParentEnds(stop) {
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
 * @returns {{ name: string, parent: string }} empty if the system does not provide them
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
