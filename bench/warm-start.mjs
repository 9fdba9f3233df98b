// @ts-check
// How long `npm start` takes when everything is installed, built and filled.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { checkout } from "../scripts/lib/checkout.mjs";

/**
 * Seconds from the command to the line that says where to go, one per start.
 * @param {number} starts
 * @returns {Promise<number[]>}
 */
export async function measureWarmStarts(starts) {
  // The first one may have to build and to fill.
  await start();
  /** @type {number[]} */
  const seconds = [];
  while (seconds.length < starts) {
    const { took, built } = await start();
    // Somebody changed a source meanwhile: that was no warm start.
    if (!built) seconds.push(took);
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
  let built = false;
  const took = await new Promise((resolve, reject) => {
    npm.once("exit", () => reject(new Error("npm start ended before it was ready")));
    createInterface({ input: npm.stdout }).on("line", (line) => {
      if (line.startsWith("Building")) built = true;
      if (line.includes("ready at")) resolve((performance.now() - started) / 1_000);
    });
  });
  npm.kill("SIGTERM");
  await ended;
  return { took, built };
}
