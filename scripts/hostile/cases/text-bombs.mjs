// @ts-check
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bring } from "../lib/brought-files.mjs";
import { sendBombs } from "../lib/send-bombs.mjs";
import { textBombs } from "../lib/text-bombs.mjs";

export const name = "CSV and GeoJSON that take long to understand: as files of a fileset and as own data";
export const isLong = true;

/** One step of an import may take this long, a look at a file this long, and the portal this much memory. */
const [maxImportMs, maxReadingMs, maxBytes] = [60_000, 15_000, 2_500_000_000];

/** @param {import("../run.mjs").Context} context */
export const run = ({ openPortal }) =>
  sendBombs(openPortal, {
    names: Object.keys(textBombs),
    make: async (folder, bomb) => {
      const path = join(folder, bomb);
      await writeFile(path, Buffer.from(textBombs[bomb]?.() ?? "", "latin1"));
      return path;
    },
    attack: async (portal, token, bomb, path) => {
      const outcomes = [await look(portal, token, bomb, await readFile(path)), await bring(portal, token, bomb, path, maxImportMs)];
      return outcomes.map((outcome) => (outcome.includes("Something went wrong") ? `! ${outcome}` : outcome));
    },
    maxBytes,
  });

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
