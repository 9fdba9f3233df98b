// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";

/**
 * Runs the portal and hands on what we are told, until it ends.
 * @param {string[]} args
 * @param {string} [program]
 * @returns {Promise<number>} its exit code
 */
export async function runPortal(args, program = join(checkout, "scripts/portal.mjs")) {
  const [command = process.execPath, ...rest] = [...endsWithUs(), process.execPath, "--enable-source-maps", program, ...args];
  const portal = spawn(command, rest, {
    stdio: "inherit",
    // Each running query holds one of these threads; files and passwords need some too.
    env: { UV_THREADPOOL_SIZE: "16", ...process.env },
  });
  // Ctrl-C reaches the portal by itself, a signal to us alone does not; it stops once however often it is told.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => portal.kill("SIGTERM"));
  const watch = stopWithoutNpm(() => portal.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    portal.once("error", reject);
    portal.once("exit", (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

/** Where the system can, the kernel tells the portal to stop when we are killed: no orphan keeps the port. */
function endsWithUs() {
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
