// @ts-check
// CPU time from Linux's /proc: unlike elapsed time, it hardly depends on what else the machine does.
import { readFile } from "node:fs/promises";

/** Linux reports CPU time in these units. */
const ticksPerSecond = 100;

/**
 * CPU seconds that a process has used with all its threads.
 * @param {number} pid
 */
export async function cpuSeconds(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
