// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** @typedef {{ seconds: number, hasBuilt: boolean, steps: Map<string, number> }} TimedStart `steps`: seconds of each, in their order */

/**
 * Runs `npm start` until the line with the portal's address, and stops it.
 * @param {{ folder: string, home: string, env?: NodeJS.ProcessEnv }} options `folder`: the clone
 * @returns {Promise<TimedStart>}
 */
export async function timedStart({ folder, home, env = {} }) {
  const started = performance.now();
  const npm = spawn("npm", ["start", "--", "--verbose"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", FAIRWAY_OPEN: "0", FAIRWAY_HOME: home, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Not "exit": npm may end before the portal, which still writes to its folder.
  const ended = once(npm, "close");
  let hasBuilt = false;
  /** @type {Map<string, number>} */
  const steps = new Map();
  const seconds = await new Promise((resolve, reject) => {
    npm.once("exit", () => reject(new Error("npm start ended before it was ready")));
    createInterface({ input: npm.stdout }).on("line", (line) => {
      if (line.startsWith("Building …")) hasBuilt = true;
      const [, time, step] = /^ *(\d+\.\d) s {2}(.+)$/.exec(line) ?? [];
      if (step !== undefined) steps.set(step, Number(time));
      if (line.includes("ready at")) resolve((performance.now() - started) / 1_000);
    });
  });
  npm.kill("SIGTERM");
  await ended;
  return { seconds, hasBuilt, steps };
}
