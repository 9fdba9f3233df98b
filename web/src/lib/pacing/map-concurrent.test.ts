import { expect, it } from "vitest";
import { mapConcurrent } from "./map-concurrent.ts";

it("runs work in order, within the concurrency limit, and rejects with the first failure", async () => {
  const started: number[] = [];
  let running = 0;
  let maxRunning = 0;
  const work = async (item: number) => {
    started.push(item);
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await Promise.resolve();
    running -= 1;
    if (item === 9) throw new Error("nine");
  };
  await mapConcurrent([1, 2, 3, 4, 5], 2, work);
  expect([started, maxRunning]).toEqual([[1, 2, 3, 4, 5], 2]);
  await expect(mapConcurrent([8, 9], 2, work)).rejects.toThrow("nine");
});
