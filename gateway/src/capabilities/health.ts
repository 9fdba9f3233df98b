import { setTimeout as wait } from "node:timers/promises";
import type { health } from "@fairway/contract/health";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Metrics } from "#http/metrics.ts";

export interface Readiness {
  /** Each rejects when its part cannot answer. */
  readonly checks: Readonly<Record<"database" | "engine" | "store", () => Promise<void>>>;
}

/** Who asks whether we are ready, asks often and does not wait. */
const patienceMs = 4_000;

async function inTime(check: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const late = wait(patienceMs, undefined, { signal: patience.signal }).then(() => Promise.reject(new Error("no answer in time")));
  try {
    await Promise.race([check, late]);
  } finally {
    patience.abort();
    late.catch(() => undefined);
  }
}

export const healthRoutes = ({ checks }: Readiness, metrics: Metrics): Handlers<typeof health> => ({
  live: () => ({ status: "ok" }),
  ready: sharedWhileRunning(async ({ log }) => {
    const failed: string[] = [];
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await inTime(check());
        } catch (error) {
          log.warn({ err: error }, `${name} is not ready`);
          failed.push(name);
        }
      }),
    );
    if (failed.length > 0) throw new Refusal("not-ready", `Not ready: ${failed.toSorted().join(", ")}.`, { retryAfterSeconds: 5 });
    return { status: "ok", checks: { database: "ok", engine: "ok", store: "ok" } };
  }),
  metrics: async () => {
    const text = await metrics.text();
    return {
      contentType: metrics.contentType,
      chunks: (async function* () {
        yield text;
      })(),
    };
  },
});

/** Calls that come while one is being answered get the same answer: anyone may ask, and each check takes a connection and a slot. */
function sharedWhileRunning<Call, Answer>(answer: (call: Call) => Promise<Answer>): (call: Call) => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  return (call) =>
    (running ??= answer(call).finally(() => {
      running = undefined;
    }));
}
