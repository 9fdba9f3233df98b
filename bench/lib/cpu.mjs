// @ts-check
// CPU time from Linux's /proc: unlike elapsed time, it hardly depends on what else the machine does.
import { readFile, readdir } from "node:fs/promises";

/** Linux reports CPU time in these units. */
const ticksPerSecond = 100;

/**
 * CPU seconds that a process has used with all its threads.
 * @param {number} pid
 */
export async function cpuSeconds(pid) {
  const { own } = await statOf(pid);
  return own;
}

/**
 * CPU seconds of a process and its children, also of those that have ended.
 * @param {number} pid
 */
export async function cpuSecondsOfTree(pid) {
  const { own, ended } = await statOf(pid);
  let seconds = own + ended;
  for (const child of await childrenOf(pid)) {
    // It may end meanwhile, and counts as ended the next time.
    seconds += await cpuSecondsOfTree(child).catch(() => 0);
  }
  return seconds;
}

/** @param {number} pid */
async function statOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const seconds = (/** @type {number} */ index) => Number(fields[index]) / ticksPerSecond;
  return { own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14) };
}

/** @param {number} pid */
async function childrenOf(pid) {
  /** @type {number[]} */
  const children = [];
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const text = await readFile(`/proc/${pid}/task/${thread}/children`, "utf8");
    children.push(...text.split(" ").filter(Boolean).map(Number));
  }
  return children;
}
