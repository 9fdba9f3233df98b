import { afterAll, beforeAll, expect, it } from "vitest";
import { type RandomBreakdowns, randomBreakdowns } from "#testing/random-breakdowns.ts";

let breakdowns: RandomBreakdowns;
beforeAll(async () => {
  breakdowns = await randomBreakdowns();
});
afterAll(() => breakdowns.close());

const seeds = Array.from({ length: 50 }, (_, index) => 100 + index);
it.each(seeds)("random breakdowns are those of an evaluation without SQL (seed %i)", { timeout: 120_000 }, async (seed) => {
  expect(await breakdowns.compared(seed, 30)).toBe(30);
});
