// @ts-check
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bring, bringer } from "../lib/brought-files.mjs";
import { dataBombs, makeBomb } from "../lib/data-bombs.mjs";
import { watchMemory } from "../lib/memory.mjs";

export const name = "Own data that expands too much: Parquet, XLSX, ZIP, gzip, JSON, GeoJSON and CSV";
export const isLong = true;

/** An import may take this long, and the portal this much memory. */
const [maxMs, maxBytes] = [240_000, 2_500_000_000];

/** @param {import("../run.mjs").Context & { only?: string }} context */
export async function run({ openPortal, only = "" }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bombs-"));
  const portal = await openPortal({ env: { LIMIT_USER_CALLS_PER_MINUTE: "1000000" } });
  try {
    const token = await bringer(portal);
    return await portal.measure(async () => {
      const notes = [];
      const problems = [];
      for (const bomb of Object.keys(dataBombs).filter((one) => one.includes(only))) {
        const file = await makeBomb(folder, bomb);
        const { size } = await stat(file);
        const memory = watchMemory(portal.pid);
        const startedMs = performance.now();
        const outcome = await bring(portal, token, bomb, file, maxMs);
        const peak = memory.stop();
        const ms = performance.now() - startedMs;
        await rm(file);
        const text = `${bomb} (${(size / 1e6).toFixed(1)} MB): ${outcome} in ${(ms / 1_000).toFixed(1)} s, ${Math.round(peak / 1e6)} MB`;
        notes.push(text);
        if (!portal.isRunning) return { note: notes.join("; "), problem: `the portal ended by ${bomb}` };
        if (outcome.startsWith("!") || ms > maxMs || peak > maxBytes) problems.push(text);
      }
      return { note: notes.join("; "), ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
    });
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
