// @ts-check
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const pollIntervalMs = 20;

/**
 * The memory of a gateway and its embedded PostgreSQL in MB, with shared pages counted once. Undefined except on Linux.
 * @param {number} pid
 * @returns {Promise<{ gateway: number, postgres: number } | undefined>}
 */
export async function memoryOf(pid) {
  if (process.platform !== "linux") return undefined;
  const children = await descendants(pid);
  const [gateway = 0, ...others] = await Promise.all([pid, ...children].map(proportionalMb));
  return { gateway, postgres: others.reduce((sum, mb) => sum + mb, 0) };
}

/**
 * @param {number} pid
 * @returns {Promise<number[]>}
 */
async function descendants(pid) {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(ended);
  const children = text.split(" ").filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

/** @param {number} pid */
async function proportionalMb(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(ended);
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1_024;
}

/**
 * A process that has ended meanwhile counts as empty.
 * @param {NodeJS.ErrnoException} error
 */
function ended(error) {
  if (error.code === "ENOENT" || error.code === "ESRCH") return "";
  throw error;
}

/**
 * By how many MB the gateway's memory grows at most while something runs. Undefined except on Linux.
 * @param {number} pid
 * @param {() => Promise<unknown>} run
 */
export async function watchGrowth(pid, run) {
  const before = await memoryOf(pid);
  const running = run();
  const over = new AbortController();
  running.finally(() => over.abort()).catch(() => undefined);
  let peakMb = before?.gateway ?? 0;
  while (!over.signal.aborted) {
    peakMb = Math.max(peakMb, (await memoryOf(pid))?.gateway ?? 0);
    await sleep(pollIntervalMs);
  }
  await running;
  return before === undefined ? undefined : peakMb - before.gateway;
}
