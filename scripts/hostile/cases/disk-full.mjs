// @ts-check
import { execFile } from "node:child_process";
import { mkdtemp, open, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { busyFactor } from "../lib/machine-speed.mjs";
import { viewer } from "../lib/platform.mjs";
import { unmountLater } from "../lib/unmount-later.mjs";
import { Writers, isAcknowledged, writerLimits, upload } from "../lib/writers.mjs";

export const name = "A full disk of the portal, and its recovery";
export const isLong = true;

const execute = promisify(execFile);
/** A call without an answer for this long counts as hanging. */
const timeoutMs = 15_000;
const fullMs = 12_000;
/** On a busy machine, it is longer by the busy factor. */
const maxRecoveryMs = 5_000;
const megabyte = 1_048_576;

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const home = await mkdtemp(join(tmpdir(), "fairway-hostile-disk-"));
  const isMounted = await execute("mount", ["-t", "tmpfs", "-o", "size=300m,mode=700", "tmpfs", home]).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rm(home, { recursive: true });
    return { notRun: "mounting a file system is not allowed here" };
  }
  const unmount = () => unmountLater(home);
  process.once("exit", unmount);
  try {
    const portal = await openPortal({ home, env: { LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000", ...writerLimits } });
    try {
      return await underFullDisk(portal);
    } finally {
      if (portal.isRunning) await portal.kill("SIGTERM");
    }
  } finally {
    process.off("exit", unmount);
    await execute("umount", ["--lazy", home]);
    await rm(home, { recursive: true, force: true });
  }
}

/** @param {import("../lib/portal.mjs").Portal} portal */
async function underFullDisk(portal) {
  const { home } = portal;
  await allowOwnData(portal);
  const token = await portal.asViewer();
  const writers = new Writers({ timeoutMs });
  return portal.measure(async () => {
    await writers.saveSearch(portal, token);
    await writers.giveFeedback(portal, token);
    // Without these files no database session can start: the worst effect of a full disk.
    const data = join(home, "postgres/data");
    const cacheFiles = (await readdir(data, { recursive: true })).filter((file) => file.endsWith("pg_internal.init"));
    const filler = await fill(home);
    for (const file of cacheFiles) await rm(join(data, file));
    /** @type {Map<string, boolean>} */
    const files = new Map();
    const answers = await whileFull(portal, token, writers, filler, files);
    await rm(filler);
    const recoveryMs = await waitUntilWritable(portal, token, writers);
    const lost = await writers.lost(portal, token);
    const half = await halfFiles(portal, token, files);
    const hanging = answers.filter(({ status }) => status === 0).length;
    const refused = answers.filter(({ status }) => status >= 500);
    const unexpected = refused.filter(({ status }) => status !== 503 && status !== 507);
    const slowestMs = Math.max(...answers.map(({ ms }) => ms));
    const note = `${refused.length} of ${answers.length} calls refused while full, the slowest in ${Math.round(slowestMs)} ms; writes succeeded ${Math.round(recoveryMs)} ms after space was freed; ${writers.acknowledged} acknowledged, ${lost.length} lost; ${files.size} files sent, ${[...files.values()].filter(Boolean).length} acknowledged, ${half.length} lost or half`;
    const problems = [];
    if (hanging > 0) problems.push(`${hanging} calls without an answer`);
    if (unexpected.length > 0)
      problems.push(
        `failures without a specific cause: ${[...new Set(unexpected.map(({ status, text }) => `${status} ${text.slice(0, 120)}`))].slice(0, 5).join("; ")}`,
      );
    if (refused.length === 0) problems.push("no call was affected by the full disk");
    if (recoveryMs > maxRecoveryMs * busyFactor()) problems.push(`no write for ${Math.round(recoveryMs)} ms`);
    if (lost.length > 0) problems.push(`lost: ${lost.slice(0, 10).join(", ")}`);
    if (half.length > 0) problems.push(`of files: ${half.slice(0, 10).join(", ")}`);
    return { note, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
  });
}

/** Fills the disk. @param {string} folder */
async function fill(folder) {
  const filler = join(folder, "filler");
  await fillRest(filler, folder);
  return filler;
}

/** @param {string} filler @param {string} folder */
async function fillRest(filler, folder) {
  const handle = await open(filler, "a");
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      if (free === 0) return;
      await handle.appendFile(Buffer.alloc(Math.min(megabyte, free)));
    }
  } catch (error) {
    // The portal has used the last block meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Makes all kinds of calls while keeping the disk full.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {string} token
 * @param {Writers} writers
 * @param {string} filler
 * @param {Map<string, boolean>} files the files that were sent, and whether they were acknowledged
 */
async function whileFull(portal, token, writers, filler, files) {
  const timeRange = { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" };
  const kinds = [
    () => writers.saveSearch(portal, token, "x".repeat(20_000)),
    () => writers.giveFeedback(portal, token),
    () => upload(portal, token, timeoutMs),
    () => portal.call("POST", "/auth/login", { body: viewer, timeoutMs }),
    () => portal.call("POST", "/datasets/Trials/points/search", { token, body: { filters: [], timeRange }, timeoutMs }),
    () =>
      portal.call("POST", "/datasets/Trials/points/export", {
        token,
        body: { format: "csv", search: { filters: [], timeRange } },
        timeoutMs,
      }),
    () => uploadFile(portal, token, files),
    () => importFile(portal, token),
    () => portal.call("GET", "/datasets", { token, timeoutMs }),
    () => portal.call("GET", "/profile", { token, timeoutMs }),
    () => portal.call("GET", "/health/ready", { timeoutMs }),
  ];
  const endMs = performance.now() + fullMs;
  /** @type {import("../lib/portal.mjs").Answer[]} */
  const answers = [];
  const repeat = async (/** @type {() => Promise<import("../lib/portal.mjs").Answer>} */ call) => {
    while (performance.now() < endMs) {
      answers.push(await call());
      await sleep(50);
    }
  };
  const keepFull = async () => {
    while (performance.now() < endMs) {
      await fillRest(filler, portal.home);
      await sleep(100);
    }
  };
  await Promise.all([keepFull(), ...kinds.map(repeat)]);
  return answers;
}

/** Gives the viewer the role to bring data. @param {import("../lib/portal.mjs").Portal} portal */
async function allowOwnData(portal) {
  const token = await portal.asAdministrator();
  const roles = [{ name: "data-upload" }];
  await portal.call("POST", "/admin/roles", { token, body: roles[0] });
  const users = JSON.parse((await portal.call("GET", "/admin/users", { token })).text);
  const user = users.find((/** @type {{ username: string }} */ one) => one.username === viewer.username);
  const { status, text } = await portal.call("PUT", "/admin/users", { token, body: { ...user, roles } });
  if (status !== 200) throw new Error(`the viewer cannot bring data: ${status} ${text.slice(0, 300)}`);
}

/** Larger than what one block of the disk holds. */
const content = "x".repeat(300_000);

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {Map<string, boolean>} files */
async function uploadFile(portal, token, files) {
  const file = `full-${files.size}.txt`;
  const address = await portal.call("GET", `/filesets/open/upload?file=${file}`, { token, timeoutMs });
  if (address.status !== 200) return address;
  files.set(file, false);
  const { uploadUrl } = JSON.parse(address.text);
  const sent = await portal.call("PUT", uploadUrl.replace(/^\/api/, ""), {
    body: content,
    headers: { "content-type": "text/plain" },
    timeoutMs,
  });
  files.set(file, isAcknowledged(sent));
  return sent;
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token */
async function importFile(portal, token) {
  const started = await portal.call("POST", "/imports", { token, body: { files: [{ file: "a.csv", size: content.length }] }, timeoutMs });
  if (started.status !== 201) return started;
  const { id } = JSON.parse(started.text);
  const address = await portal.call("GET", `/imports/${id}/files/1/parts/1`, { token, timeoutMs });
  if (address.status !== 200) return address;
  const { uploadUrl } = JSON.parse(address.text);
  const sent = await portal.call("PUT", uploadUrl.replace(/^\/api/, ""), {
    body: content,
    headers: { "content-type": "text/plain" },
    timeoutMs,
  });
  await portal.call("DELETE", `/imports/${id}`, { token, timeoutMs });
  return sent;
}

/**
 * Files that were acknowledged and are gone, are not whole, or that an upload has left unfinished.
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {string} token
 * @param {Map<string, boolean>} files
 */
async function halfFiles(portal, token, files) {
  const problems = [];
  for (const [file, isStored] of files) {
    const { status, text } = await portal.call("GET", `/filesets/open/download?file=${file}`, { token });
    const isWhole = status === 200 && text === content;
    if (isStored ? !isWhole : !isWhole && status !== 404) problems.push(`${file} (${status}, ${text.length} bytes)`);
  }
  const unfinished = await readdir(join(portal.home, "files/open/.fairway/unfinished")).catch(() => []);
  return [...problems, ...unfinished.map((file) => `unfinished ${file}`)];
}

/** @param {import("../lib/portal.mjs").Portal} portal @param {string} token @param {Writers} writers */
async function waitUntilWritable(portal, token, writers) {
  const startedMs = performance.now();
  while (performance.now() < startedMs + 30_000) {
    const answers = [await writers.saveSearch(portal, token), await writers.giveFeedback(portal, token)];
    if (answers.every(isAcknowledged)) break;
    await sleep(50);
  }
  return performance.now() - startedMs;
}
