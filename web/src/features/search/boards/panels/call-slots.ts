/** Waiting for a turn was given up. */
const abandoned = () => new DOMException("No longer wanted.", "AbortError");

/**
 * Runs at most `count` pieces of work at a time, in the order in which they were asked for. One whose signal is aborted while it
 * waits rejects without having run.
 */
export function callSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const next = () => {
    const start = waiting.shift();
    if (start) start();
    else free += 1;
  };
  return async <Answer>(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    if (free > 0) free -= 1;
    else {
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(start), 1);
          reject(abandoned());
        };
        waiting.push(start);
        signal.addEventListener("abort", leave, { once: true });
      });
    }
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      next();
    }
  };
}
