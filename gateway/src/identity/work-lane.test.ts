import { expect, it, vi } from "vitest";
import { WorkLane } from "./work-lane.ts";

/** Work that runs until `end` is called. */
function pendingWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => end() };
}

it("limits concurrency and runs the rest in order", async () => {
  const lane = new WorkLane(2, 10);
  const started: number[] = [];
  const jobs = Array.from({ length: 5 }, pendingWork);
  const all = jobs.map((job, index) =>
    lane.run(() => {
      started.push(index);
      return job.work();
    }),
  );
  await vi.waitFor(() => expect(started).toEqual([0, 1]));
  jobs[1]?.end();
  await all[1];
  await vi.waitFor(() => expect(started).toEqual([0, 1, 2]));
  for (const job of jobs) job.end();
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

it("refuses work beyond the queue with 503 and Retry-After", async () => {
  const lane = new WorkLane(1, 1);
  const { work, end } = pendingWork();
  const running = [lane.run(work), lane.run(work)];
  await expect(lane.run(work)).rejects.toMatchObject({ code: "not-ready", status: 503, retryAfterSeconds: 2 });
  end();
  await Promise.all(running);
  await expect(lane.run(async () => "free again")).resolves.toBe("free again");
});

it("continues after failed work", async () => {
  const lane = new WorkLane(1, 5);
  const failing = lane.run(() => Promise.reject(new Error("no")));
  const next = lane.run(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});
