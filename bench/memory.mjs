// @ts-check
import { readFile } from "node:fs/promises";

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
