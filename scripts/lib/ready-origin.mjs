// @ts-check
import { createInterface } from "node:readline";

/**
 * Resolves with the origin that a program prints once it is ready. Rejects if it ends before or is not ready in time.
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, any>} child
 * @param {string} name for error messages
 * @param {{ withinMs?: number, onLine?: (line: string) => void }} [options] `onLine` receives all other lines of its output
 * @returns {Promise<string>}
 */
export function readyOrigin(child, name, { withinMs, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const timer =
      withinMs === undefined
        ? undefined
        : setTimeout(() => reject(new Error(`${name} was not ready within ${withinMs / 1_000} s`)), withinMs);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${name} ended with ${code ?? signal} before it was ready`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /\bready at (http:\S+)/.exec(line)?.[1];
      if (found === undefined) {
        onLine?.(line);
        return;
      }
      clearTimeout(timer);
      resolve(found.replace("localhost", "127.0.0.1"));
    });
  });
}
