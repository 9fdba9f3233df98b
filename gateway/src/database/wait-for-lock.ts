import { setTimeout as wait } from "node:timers/promises";

const pollMs = 200;

/**
 * Takes an advisory lock of a session, however long another gateway holds it. Polls, because a statement that waits would be ended by the
 * statement timeout. The lock is released if the gateway dies.
 */
export async function waitForLock(
  query: (statement: string) => Promise<{ readonly rows: readonly { readonly acquired: boolean }[] }>,
  lock: number,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const { rows } = await query(`select pg_try_advisory_lock(${lock}) as acquired`);
    if (rows[0]?.acquired === true) return;
    await wait(pollMs, undefined, signal ? { signal } : {});
  }
}
