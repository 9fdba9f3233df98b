// @ts-check
import { spawn } from "node:child_process";

/**
 * Unmounts a folder in the background as soon as it is no longer used, even after this process has ended, because a stopping
 * portal still needs its disk.
 * @param {string} folder
 */
export function unmountLater(folder) {
  const tries = 'for try in $(seq 30); do umount "$0" && rmdir "$0" && exit; sleep 1; done';
  spawn("sh", ["-c", tries, folder], { detached: true, stdio: "ignore" }).unref();
}
