// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { checkout } from "../../scripts/lib/checkout.mjs";
import { readyOrigin } from "../../scripts/lib/ready-origin.mjs";

/**
 * The data of the measured portal, kept between runs because building the large dataset takes a minute. Existing data is never
 * updated, so change the folder's name when the datasets change.
 */
export const benchHome = `${checkout}/.build/bench-home-2`;

/** All users sign in from one address, and one account makes thousands of calls a second. */
const generousLimits = {
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000000",
  // Profiles are computed once, not while something is measured.
  FAIRWAY_SETTINGS: JSON.stringify({ limits: { profileIntervalHours: 87_600 } }),
};

/** @typedef {{ origin: string, pid: number, readyMs: number, stop: () => Promise<void> }} RunningGateway */

/**
 * Starts a program and waits until it prints its address.
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
  // Also stops the program if a measurement fails.
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
