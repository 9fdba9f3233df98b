import { afterAll, beforeAll, expect, it } from "vitest";
import { type RandomBreakdowns, randomBreakdowns } from "#testing/random-breakdowns.ts";

let breakdowns: RandomBreakdowns;
beforeAll(async () => {
  breakdowns = await randomBreakdowns();
});
afterAll(() => breakdowns.close());

it("random breakdowns are those of an evaluation without SQL, and their entries find as many rows as they count", async () => {
  expect(await breakdowns.compared(1, 8)).toBe(8);
  expect(await breakdowns.compared(2, 8)).toBe(8);
});
