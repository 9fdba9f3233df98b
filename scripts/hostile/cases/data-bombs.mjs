// @ts-check
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
        const outcome = await bring(portal, token, bomb, file);
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

/** Someone who may bring data. @param {import("../lib/portal.mjs").Portal} portal */
async function bringer(portal) {
  const token = await portal.asAdministrator();
  await portal.call("POST", "/admin/roles", { token, body: { name: "data-upload" } });
  const account = { username: "bringer", password: "a long password" };
  const draft = {
    username: account.username,
    email: "",
    firstName: "",
    lastName: "",
    groups: [],
    roles: [{ name: "data-upload" }],
    password: { setPassword: true, value: account.password },
  };
  await portal.call("POST", "/admin/users", { token, body: draft });
  return portal.signIn(account);
}

/**
 * Imports a file, and makes a dataset of it.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {string} token
 * @param {string} file
 * @param {string} path
 * @returns {Promise<string>} how it ended; with `!` if not as it should
 */
async function bring(portal, token, file, path) {
  const { size } = await stat(path);
  const started = await portal.call("POST", "/imports", { token, body: { files: [{ file, size }] } });
  if (started.status !== 201) return `refused with ${started.status}`;
  const { id, files } = JSON.parse(started.text);
  const { partBytes } = files[0];
  const handle = await open(path);
  for (let part = 1; part === 1 || (part - 1) * partBytes < size; part += 1) {
    const bytes = Buffer.alloc(Math.min(partBytes, size - (part - 1) * partBytes));
    await handle.read(bytes, 0, bytes.length, (part - 1) * partBytes);
    const { text } = await portal.call("GET", `/imports/${id}/files/1/parts/${part}`, { token });
    const { uploadUrl } = JSON.parse(text);
    const sent = await portal.call("PUT", uploadUrl.replace(/^\/api/, ""), {
      body: bytes,
      headers: { "content-type": "application/octet-stream" },
    });
    if (sent.status !== 204) {
      await handle.close();
      return `! a part answers ${sent.status} ${sent.text.slice(0, 200)}`;
    }
  }
  await handle.close();
  await portal.call("POST", `/imports/${id}/complete`, { token });
  let answer = await settled(portal, token, id);
  if (answer.status === "ready") {
    const made = await portal.call("POST", `/imports/${id}/dataset`, { token, body: { name: file } });
    if (made.status >= 500) return `! ${made.status} ${made.text.slice(0, 200)}`;
    if (made.status >= 400) return await finished(portal, token, id, `the dataset is refused: ${made.text.slice(11, 160)}`);
    answer = await settled(portal, token, id);
  }
  const sentence = answer.failure?.message ?? answer.error ?? "";
  return finished(portal, token, id, `${answer.status === "waits" ? "! " : ""}${answer.status} ${JSON.stringify(sentence).slice(0, 200)}`);
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {string} id @param {string} outcome */
async function finished(portal, token, id, outcome) {
  await portal.call("DELETE", `/imports/${id}`, { token });
  return outcome;
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {string} id @returns {Promise<any>} */
async function settled(portal, token, id) {
  const endMs = performance.now() + maxMs;
  while (performance.now() < endMs && portal.isRunning) {
    const { status, text } = await portal.call("GET", `/imports/${id}`, { token });
    if (status !== 200) return { status: `${status === 404 ? "" : "! "}${status}`, error: text };
    const answer = JSON.parse(text);
    if (!["uploading", "reading", "creating"].includes(answer.status)) return answer;
    await sleep(300);
  }
  return { status: "waits" };
}
