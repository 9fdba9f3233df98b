import { afterEach, expect, it, vi } from "vitest";
import { runEvery } from "./run-every.ts";

afterEach(() => vi.useRealTimers());

it("runs immediately and then at each interval, even after a failure, until closed", async () => {
  vi.useFakeTimers();
  const failures: unknown[] = [];
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 2) throw new Error("the database is away");
  };
  const job = runEvery(1_000, work, (error) => failures.push(error));
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([runs, failures]).toEqual([3, [new Error("the database is away")]]);
  await job.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(3);
});

it("waits for the current run when closing", async () => {
  let finish = () => {};
  const job = runEvery(
    1_000,
    () => new Promise<void>((resolve) => (finish = resolve)),
    () => undefined,
  );
  let isClosed = false;
  const closing = job.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  finish();
  await closing;
  expect(isClosed).toBe(true);
});
