import { setTimeout as wait } from "node:timers/promises";
import { health } from "@fairway/contract/health";
import { type Capability, implement } from "#capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Metrics } from "#http/metrics.ts";

interface Parts {
  /** Each rejects when its part cannot answer. */
  readonly checks: Readonly<Record<"database" | "engine" | "store", () => Promise<void>>>;
  readonly metrics: Pick<Metrics, "text" | "contentType">;
}

export const openHealth = (parts: Parts): Capability => ({ routes: { health: implement(health, handlers(parts)) } });

/** Load balancers ask often and do not wait. */
const checkTimeoutMs = 4_000;

async function inTime(check: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const timeout = wait(checkTimeoutMs, undefined, { signal: timer.signal }).then(() => Promise.reject(new Error("no answer in time")));
  try {
    await Promise.race([check, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}

const handlers = ({ checks, metrics }: Parts): Handlers<typeof health> => ({
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
