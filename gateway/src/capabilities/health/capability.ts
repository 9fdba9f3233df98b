import { setTimeout as wait } from "node:timers/promises";
import { health } from "@fairway/contract/health";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Metrics } from "#http/metrics.ts";

interface Parts {
  /** Each rejects if its part is not ready. */
  readonly checks: Readonly<Record<"database" | "engine" | "store", () => Promise<void>>>;
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  /** Aborted once the portal is asked to stop: it is not ready from then on, although it still serves for a while. */
  readonly stopping: AbortSignal;
}

export const openHealth = (parts: Parts): Capability => ({ routes: { health: implement(health, handlers(parts)) } });

/** Shorter than the timeout of common load balancers. */
const checkTimeoutMs = 4_000;

async function withTimeout(check: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const timeout = wait(checkTimeoutMs, undefined, { signal: timer.signal }).then(() => Promise.reject(new Error("timed out")));
  try {
    await Promise.race([check, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}

const handlers = ({ checks, metrics, stopping }: Parts): Handlers<typeof health> => ({
  live: () => ({ status: "ok" }),
  ready: sharedWhileRunning(async ({ log }) => {
    if (stopping.aborted) throw new Refusal("not-ready", "Not ready: the portal is stopping.", { retryAfterSeconds: 5 });
    const failed: string[] = [];
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withTimeout(check());
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

/** Shares the result of a running call with concurrent ones: the route is public, and each check takes a connection and a slot. */
function sharedWhileRunning<Call, Result>(run: (call: Call) => Promise<Result>): (call: Call) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (call) =>
    (running ??= run(call).finally(() => {
      running = undefined;
    }));
}
