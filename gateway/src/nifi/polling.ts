import { setTimeout as wait } from "node:timers/promises";
import { NifiFailed } from "./failure.ts";

/** How long NiFi may take for what it does in the background. */
export interface Waits {
  readonly stopMs: number;
  readonly replaceMs: number;
  readonly servicesMs: number;
  readonly startMs: number;
  /** How long a component has to be invalid to count as invalid. */
  readonly settleMs: number;
}

const firstPauseMs = 100;
const maxPauseMs = 1_000;

/** Repeats a check with growing pauses. Rejects with NifiFailed when the time is over; `late` says what did not happen. */
export async function pollUntil(timeoutMs: number, late: string | (() => string), isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; !(await isDone()); pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) {
      const sentence = typeof late === "string" ? late : late();
      throw new NifiFailed("failed", `${sentence} within ${(timeoutMs / 1_000).toLocaleString("en-US")} s.`);
    }
    await wait(Math.min(pauseMs, leftMs));
  }
}
