// @ts-check
import { open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { accountDraft, password } from "./account-draft.mjs";

/** Someone who may bring data. @param {import("../lib/portal.mjs").Portal} portal */
export async function bringer(portal) {
  const token = await portal.asAdministrator();
  await portal.call("POST", "/admin/roles", { token, body: { name: "data-upload" } });
  await portal.call("POST", "/admin/users", { token, body: accountDraft("bringer", ["data-upload"]) });
  return portal.signIn({ username: "bringer", password });
}

/**
 * Imports a file, and makes a dataset of it.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {string} token
 * @param {string} file
 * @param {string} path
 * @param {number} maxMs how long each step may take
 * @returns {Promise<string>} how it ended; with `!` if not as it should
 */
export async function bring(portal, token, file, path, maxMs) {
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
  let answer = await settled(portal, token, id, maxMs);
  if (answer.status === "ready") {
    const made = await portal.call("POST", `/imports/${id}/dataset`, { token, body: { name: file } });
    if (made.status >= 500) return `! ${made.status} ${made.text.slice(0, 200)}`;
    if (made.status >= 400) return await finished(portal, token, id, `the dataset is refused: ${made.text.slice(11, 160)}`);
    answer = await settled(portal, token, id, maxMs);
  }
  const sentence = answer.failure?.message ?? answer.error ?? "";
  return finished(portal, token, id, `${answer.status === "waits" ? "! " : ""}${answer.status} ${JSON.stringify(sentence).slice(0, 200)}`);
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {string} id @param {string} outcome */
async function finished(portal, token, id, outcome) {
  await portal.call("DELETE", `/imports/${id}`, { token });
  return outcome;
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {string} id @param {number} maxMs @returns {Promise<any>} */
async function settled(portal, token, id, maxMs) {
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
