// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { checkout } from "../../scripts/lib/checkout.mjs";
import { readyOrigin } from "../../scripts/lib/ready-origin.mjs";

/**
 * Everything the measured portal writes; kept between runs, because building the large dataset takes a minute. A platform that
 * describes its datasets otherwise needs another folder: what is there stays as it is.
 */
export const benchHome = `${checkout}/.build/bench-home-2`;

/** One address signs in a whole crowd, and one account makes thousands of calls a second. */
const generousLimits = {
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000000",
};

/** @typedef {{ origin: string, pid: number, readyMs: number, stop: () => Promise<void> }} RunningGateway */

/**
 * Starts a program that says where it listens, and waits until it has.
 * @param {string[]} args of node
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<RunningGateway>}
 */
export async function startProgram(args, env = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...process.env, PORT: "0", FAIRWAY_OPEN: "0", ...generousLimits, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  // A measurement that fails leaves nothing behind.
  process.once("exit", () => child.kill("SIGTERM"));
  const origin = await readyOrigin(child, args.join(" "), {
    onLine: (line) => {
      if (line.startsWith("Building")) console.log(`  ${line}`);
    },
  });
  return {
    origin,
    pid: child.pid ?? 0,
    readyMs: performance.now() - started,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The measured portal. */
export function startGateway() {
  const portal = fileURLToPath(new URL("../portal.mjs", import.meta.url));
  return startProgram(["--enable-source-maps", portal], { FAIRWAY_HOME: benchHome, UV_THREADPOOL_SIZE: "16" });
}
