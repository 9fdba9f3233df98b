// @ts-check
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bringer } from "./brought-files.mjs";
import { watchMemory } from "./memory.mjs";

/**
 * @typedef {object} Bombs
 * @property {readonly string[]} names
 * @property {(folder: string, name: string) => Promise<string>} make writes one below a folder, and resolves with its path
 * @property {(portal: import("./portal.mjs").Portal, token: string, name: string, path: string) => Promise<string[]>} attack resolves with
 * the outcomes, those that are wrong with `!` before them
 * @property {number} [maxMs] for how long an attack may take
 * @property {number} maxBytes the memory that the portal may take
 */

/**
 * Sends one file after another to a portal of their own.
 * @param {import("../run.mjs").Context["openPortal"]} openPortal
 * @param {Bombs} bombs
 */
export async function sendBombs(openPortal, { names, make, attack, maxMs = Infinity, maxBytes }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bombs-"));
  const portal = await openPortal({ env: { LIMIT_USER_CALLS_PER_MINUTE: "1000000" } });
  try {
    const token = await bringer(portal);
    return await portal.measure(async () => {
      const notes = [];
      const problems = [];
      for (const bomb of names) {
        const path = await make(folder, bomb);
        const { size } = await stat(path);
        const memory = watchMemory(portal.pid);
        const startedMs = performance.now();
        const outcomes = await attack(portal, token, bomb, path);
        const peak = memory.stop();
        const ms = performance.now() - startedMs;
        await rm(path);
        const text = `${bomb} (${(size / 1e6).toFixed(1)} MB): ${outcomes.join(", ")} in ${(ms / 1_000).toFixed(1)} s, ${Math.round(peak / 1e6)} MB`;
        notes.push(text);
        if (!portal.isRunning) return { note: notes.join("; "), problem: `the portal ended by ${bomb}` };
        if (outcomes.some((outcome) => outcome.startsWith("!")) || ms > maxMs || peak > maxBytes) problems.push(text);
      }
      return { note: notes.join("; "), ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
    });
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
