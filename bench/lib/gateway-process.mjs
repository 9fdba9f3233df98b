// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkout } from "../../scripts/lib/checkout.mjs";
import { readyOrigin } from "../../scripts/lib/ready-origin.mjs";
import { Caller, expectOk } from "./caller.mjs";

/**
 * The data of the measured portal, kept between runs because building the large dataset takes a minute. Existing data is never
 * updated, so change the folder's name when the datasets change.
 */
export const benchHome = `${checkout}/.build/bench-home-2`;
export const dataFolder = `${benchHome}/datasets`;

/** All users sign in from one address, and one account makes thousands of calls a second. */
const generousLimits = {
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  LIMIT_LOGIN_FAILURES_PER_MINUTE: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000000",
  // Profiles are computed once, not while something is measured.
  FAIRWAY_SETTINGS: JSON.stringify({ limits: { profileIntervalHours: 87_600 } }),
};

/** @typedef {{ origin: string, pid: number, stop: () => Promise<void> }} RunningGateway */

/**
 * Starts a program and waits until it prints its address.
 * @param {string[]} args of node
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<RunningGateway>}
 */
export async function startProgram(args, env = {}) {
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
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * The measured portal, once the profiles of its datasets are computed, which would slow down what is measured.
 * @param {(line: string) => void} log
 */
export async function openMeasuredPortal(log) {
  log("Starting the measured portal; its first start creates the data, which takes a minute or two …");
  const portal = fileURLToPath(new URL("../portal.mjs", import.meta.url));
  const gateway = await startProgram(["--enable-source-maps", portal], { FAIRWAY_HOME: benchHome, UV_THREADPOOL_SIZE: "16" });
  const caller = await Caller.signIn(gateway.origin, "viewer");
  for (const id of ["positions", "wide", "fleet"]) {
    for (;;) {
      const { state } = JSON.parse(expectOk(await caller.call("GET", `/datasets/Measurements/${id}/profile`)).text);
      if (state === "done" || state === "failed") break;
      await sleep(1_000);
    }
  }
  caller.close();
  return gateway;
}
