import { setTimeout as wait } from "node:timers/promises";
import { NifiFailed } from "./failure.ts";
import { pauses } from "./waits.ts";

/** Repeats a check with growing pauses. Rejects with NifiFailed when the time is over; `late` says what did not happen. */
export async function pollUntil(timeoutMs: number, late: string | (() => string), isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let pauseMs = pauses.firstMs; !(await isDone()); pauseMs = Math.min(pauses.maxMs, pauseMs * 1.5)) {
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) {
      const sentence = typeof late === "string" ? late : late();
      throw new NifiFailed("failed", `${sentence} within ${(timeoutMs / 1_000).toLocaleString("en-US")} s.`);
    }
    await wait(Math.min(pauseMs, leftMs));
  }
}
