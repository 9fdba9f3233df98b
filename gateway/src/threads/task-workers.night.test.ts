import { afterEach, expect, it } from "vitest";
import { TaskWorkers, type WorkerLimits, workerProgram } from "./task-workers.ts";
import type { TestTask } from "./test-worker.ts";

const never = new AbortController().signal;
const opened: TaskWorkers<TestTask, number>[] = [];
afterEach(async () => {
  for (const workers of opened.splice(0)) await workers.close();
});

function open(limits: Partial<WorkerLimits> = {}): TaskWorkers<TestTask, number> {
  const program = workerProgram(import.meta.url, "./test-worker");
  const workers = new TaskWorkers<TestTask, number>(program, {
    workers: 1,
    perOwner: 1,
    queue: 1,
    queuePerOwner: 2,
    waitMs: 60_000,
    memoryMb: 64,
    ...limits,
  });
  opened.push(workers);
  return workers;
}

const run = async (workers: TaskWorkers<TestTask, number>, task: TestTask, signal = never, timeoutMs = 60_000) => {
  const { result, chunks } = await workers.run(task, { call: { signal, owner: "ada" }, timeoutMs });
  return [result, ...chunks.map((chunk) => Buffer.from(chunk).toString())];
};
const echo: TestTask = { kind: "echo", texts: ["a", "é", "c"] };
const echoed = [3, "a", "é", "c"];

it("returns the chunks of tasks in order, running one task after another in a worker", async () => {
  const workers = open();
  expect(await Promise.all([run(workers, echo), run(workers, { kind: "echo", texts: [] })])).toEqual([echoed, [0]]);
  await expect.poll(() => workers.metrics).toEqual({ running: 0, waiting: 0, started: 2 });
});

it.each([
  ["needs too much memory", "allocate", "out-of-memory", 60_000],
  ["takes too long", "spin", "timed-out", 200],
  ["throws", "throw", "crashed", 60_000],
] as const)("terminates the worker of a task that %s, and starts another one for the next task", async (_, kind, why, timeoutMs) => {
  const workers = open();
  await expect(run(workers, { kind }, never, timeoutMs)).rejects.toMatchObject({ name: "WorkerEnded", why });
  expect(await run(workers, echo)).toEqual(echoed);
});

it("aborts running and waiting tasks, and refuses tasks beyond the queue", async () => {
  const workers = open();
  const [runningAbort, waitingAbort] = [new AbortController(), new AbortController()];
  const running = run(workers, { kind: "spin" }, runningAbort.signal);
  const waiting = run(workers, { kind: "spin" }, waitingAbort.signal);
  await expect(run(workers, echo)).rejects.toMatchObject({ reason: "busy" });
  waitingAbort.abort();
  await expect(waiting).rejects.toMatchObject({ reason: "abandoned" });
  const next = run(workers, echo);
  runningAbort.abort();
  await expect(running).rejects.toMatchObject({ reason: "abandoned" });
  expect(await next).toEqual(echoed);
});
