import { expect, it } from "vitest";
import { mapConcurrent } from "./map-concurrent.ts";

it("work is done in its order, never more at a time than allowed, and the first failure is told", async () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (one: number) => {
    begun.push(one);
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (one === 9) throw new Error("nine");
  };
  await mapConcurrent([1, 2, 3, 4, 5], 2, work);
  expect([begun, most]).toEqual([[1, 2, 3, 4, 5], 2]);
  await expect(mapConcurrent([8, 9], 2, work)).rejects.toThrow("nine");
});
