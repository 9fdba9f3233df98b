// @ts-check
// The time of `npm start` when everything is installed, built and seeded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { checkout } from "../scripts/lib/checkout.mjs";

/**
 * Seconds from the command until the line with the portal's address, one value per start.
 * @param {number} starts
 * @returns {Promise<number[]>}
 */
export async function measureWarmStarts(starts) {
  // The first start may have to build and seed.
  await start();
  /** @type {number[]} */
  const seconds = [];
  while (seconds.length < starts) {
    const { durationSeconds, hasBuilt } = await start();
    // A source has changed meanwhile, so this was not a warm start.
    if (!hasBuilt) seconds.push(durationSeconds);
  }
  return seconds;
}

async function start() {
  const started = performance.now();
  const npm = spawn("npm", ["start"], {
    cwd: checkout,
    env: { ...process.env, PORT: "0", FAIRWAY_OPEN: "0", FAIRWAY_HOME: `${checkout}/.build/bench-start` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  let hasBuilt = false;
  const durationSeconds = await new Promise((resolve, reject) => {
    npm.once("exit", () => reject(new Error("npm start ended before it was ready")));
    createInterface({ input: npm.stdout }).on("line", (line) => {
      if (line.startsWith("Building")) hasBuilt = true;
      if (line.includes("ready at")) resolve((performance.now() - started) / 1_000);
    });
  });
  npm.kill("SIGTERM");
  await ended;
  return { durationSeconds, hasBuilt };
}
