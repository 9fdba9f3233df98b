// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPortal, sumMeasurements } from "../lib/portal.mjs";
import { Random } from "../lib/random.mjs";
import { Writers, writerLimits } from "../lib/writers.mjs";

export const name = "20 times kill -9 of the portal or its database under writers";
export const isLong = true;

const kills = 20;
const options = { env: writerLimits, expectedError: "The database process ended unexpectedly; nothing that was saved is lost." };

export async function run() {
  const random = new Random(9);
  const writers = new Writers({ timeoutMs: 10_000 });
  let portal = await openPortal(options);
  const { home } = portal;
  const token = await portal.asViewer();
  const rounds = [];
  const startsMs = [];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = portal;
      const database = Number((await readFile(join(home, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);
      /** @type {ReturnType<Writers["start"]> | undefined} */
      let writing;
      const round = await victim.measure(async () => {
        writing = writers.start(victim, token);
        await sleep(200 + random.next() * 600);
        return "";
      });
      rounds.push(round);
      // The portal exits when its embedded database ends.
      if (kill % 4 === 3) process.kill(database, "SIGKILL");
      else await victim.kill("SIGKILL");
      await victim.ended;
      await writing?.stop();
      const startedMs = performance.now();
      portal = await openPortal({ home, ...options });
      startsMs.push(performance.now() - startedMs);
    }
    const lost = await writers.lost(portal, token);
    const note = `${writers.acknowledged} writes acknowledged, ${lost.length} lost; the slowest start took ${Math.round(Math.max(...startsMs))} ms`;
    const problems = [];
    if (writers.acknowledged < kills) problems.push("almost nothing was written");
    if (lost.length > 0) problems.push(`lost: ${lost.slice(0, 10).join(", ")}`);
    return { ...sumMeasurements(rounds), note, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
  } finally {
    await portal.stop();
  }
}
