import { expect, it } from "vitest";
import { matchSequences } from "./sequence-diff.ts";
import { commonLength, randomNumbers, many } from "#testing/subsequences.ts";

it("still finds common subsequences when it may only look for few edits", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomNumbers(seed);
    const before = Array.from({ length: 200 }, (_, index) => (random(3) === 0 ? 1_000 + random(4) : index));
    const after = before.toSorted((one, other) => ((one * 7) % 5) - ((other * 7) % 5));
    expect(commonLength(before, after, matchSequences(before, after, 3))).toBeGreaterThanOrEqual(20);
  }
});

it("gives up on the longest result in large sequences that are shuffled, before the test times out", () => {
  const random = randomNumbers(2);
  const before = Array.from({ length: many }, (_, index) => index);
  const few = before.map(() => random(50));
  expect(() => commonLength(before, before.toReversed(), matchSequences(before, before.toReversed()))).not.toThrow();
  const shuffled = before.toSorted((one, other) => ((one * 7_919) % many) - ((other * 7_919) % many));
  expect(() => commonLength(before, shuffled, matchSequences(before, shuffled))).not.toThrow();
  expect(() => commonLength(few, few.toReversed(), matchSequences(few, few.toReversed()))).not.toThrow();
});
