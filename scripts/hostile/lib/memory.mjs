// @ts-check
import { readFileSync } from "node:fs";

/** @param {number} pid */
function bytesOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    // It has ended.
    return 0;
  }
}

/** The memory that a process has now, and the most until it is stopped. @param {number} pid */
export function watchMemory(pid) {
  const before = bytesOf(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, bytesOf(pid))), 100);
  return {
    before,
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}
