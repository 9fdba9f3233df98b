// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bring, bringer } from "../lib/brought-files.mjs";
import { watchMemory } from "../lib/memory.mjs";
import { textBombs } from "../lib/text-bombs.mjs";

export const name = "CSV and GeoJSON that take long to understand: as files of a fileset and as own data";
export const isLong = true;

/** One step of an import may take this long, a look at a file this long, and the portal this much memory. */
const [maxImportMs, maxReadingMs, maxBytes] = [60_000, 15_000, 2_500_000_000];

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-texts-"));
  const portal = await openPortal({ env: { LIMIT_USER_CALLS_PER_MINUTE: "1000000" } });
  try {
    const token = await bringer(portal);
    return await portal.measure(async () => {
      const notes = [];
      const problems = [];
      for (const [bomb, make] of Object.entries(textBombs)) {
        const bytes = Buffer.from(make(), "latin1");
        const file = join(folder, bomb);
        await writeFile(file, bytes);
        const memory = watchMemory(portal.pid);
        const startedMs = performance.now();
        const outcomes = [await look(portal, token, bomb, bytes), await bring(portal, token, bomb, file, maxImportMs)];
        const peak = memory.stop();
        await rm(file);
        const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
        const text = `${bomb} (${(bytes.length / 1e6).toFixed(1)} MB): ${outcomes.join(", ")} in ${seconds} s, ${Math.round(peak / 1e6)} MB`;
        notes.push(text);
        if (!portal.isRunning) return { note: notes.join("; "), problem: `the portal ended by ${bomb}` };
        if (outcomes.some((outcome) => outcome.startsWith("!") || outcome.includes("Something went wrong")) || peak > maxBytes)
          problems.push(text);
      }
      return { note: notes.join("; "), ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
    });
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Uploads a file to a fileset, and asks how its preview is read.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {string} token
 * @param {string} file
 * @param {Uint8Array} body
 */
async function look(portal, token, file, body) {
  const { text } = await portal.call("GET", `/filesets/open/upload?file=${file}`, { token });
  const headers = { "content-type": "text/plain" };
  const sent = await portal.call("PUT", JSON.parse(text).uploadUrl.replace(/^\/api/, ""), { body, headers });
  if (sent.status >= 300) return `! the upload answers ${sent.status} ${sent.text.slice(0, 200)}`;
  const { status, ms } = await portal.call("GET", `/filesets/open/reading?file=${file}`, { token, timeoutMs: maxReadingMs });
  return status === 200 ? `understood in ${Math.round(ms)} ms` : `! its reading answers ${status} in ${Math.round(ms)} ms`;
}
