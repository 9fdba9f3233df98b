// @ts-check
import { spawn } from "node:child_process";

/**
 * Unmounts a folder as soon as nobody uses it, also when this process has ended by then: a portal that is told to stop needs its
 * disk to the end.
 * @param {string} folder
 */
export function unmountLater(folder) {
  const tries = 'for try in $(seq 30); do umount "$0" && rmdir "$0" && exit; sleep 1; done';
  spawn("sh", ["-c", tries, folder], { detached: true, stdio: "ignore" }).unref();
}
