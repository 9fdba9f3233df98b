// @ts-check
import { stopWhenParentEnds } from "./portal-process.mjs";

/**
 * Calls `end` once: on a signal that asks this process to end, or when the process that started it has ended, which a killed one
 * does without a word.
 * @param {() => void} end
 */
export function onceAskedToEnd(end) {
  let isEnding = false;
  const endOnce = () => {
    if (isEnding) return;
    isEnding = true;
    end();
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, endOnce);
  stopWhenParentEnds(endOnce);
}
