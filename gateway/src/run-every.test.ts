import { afterEach, expect, it, vi } from "vitest";
import { runEvery } from "./run-every.ts";

afterEach(() => vi.useRealTimers());

it("works at once and again each time, also after a failure, and until it is closed", async () => {
  vi.useFakeTimers();
  const failures: unknown[] = [];
  let rounds = 0;
  const work = async () => {
    rounds += 1;
    if (rounds === 2) throw new Error("the database is away");
  };
  const working = runEvery(1_000, work, (error) => failures.push(error));
  expect(rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([rounds, failures]).toEqual([3, [new Error("the database is away")]]);
  await working.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rounds).toBe(3);
});

it("closes once the round under way is over", async () => {
  let finish = () => {};
  const working = runEvery(
    1_000,
    () => new Promise<void>((resolve) => (finish = resolve)),
    () => undefined,
  );
  let isClosed = false;
  const closing = working.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  finish();
  await closing;
  expect(isClosed).toBe(true);
});
