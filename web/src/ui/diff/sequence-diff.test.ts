import { expect, it } from "vitest";
import { matchSequences } from "./sequence-diff.ts";
import { commonLength, randomNumbers, many } from "#testing/subsequences.ts";

function longestCommonLength(before: readonly number[], after: readonly number[]): number {
  let row = Array.from({ length: after.length + 1 }, () => 0);
  for (const value of before) {
    const next = [0];
    after.forEach((other, index) => next.push(other === value ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0)));
    row = next;
  }
  return row.at(-1) ?? 0;
}

it("finds the longest common subsequence of generated sequences", () => {
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const random = randomNumbers(seed);
    const values = () => Array.from({ length: random(25) }, () => random(2 + (seed % 20)));
    const [before, after] = [values(), values()];
    expect(commonLength(before, after, matchSequences(before, after)), `seed ${seed}`).toBe(longestCommonLength(before, after));
  }
});

it("compares what is between anchors as well", () => {
  const shuffled = (from: number) => Array.from({ length: 20 }, (_, index) => from + index);
  const core = Array.from({ length: 200 }, (_, index) => [index, 1_000]).flat();
  const before = [...shuffled(2_000), ...core, ...shuffled(3_000)];
  const after = [...shuffled(2_000).toReversed(), ...core, ...shuffled(3_000).toReversed()];
  expect(commonLength(before, after, matchSequences(before, after, 3))).toBe(402);
});

it("finds few changes in large sequences of few different values", () => {
  const random = randomNumbers(1);
  const before = Array.from({ length: many }, () => random(5));
  const after = before.toSpliced(150_000, 3).toSpliced(20, 0, 7, 1, 2);
  expect(commonLength(before, after, matchSequences(before, after))).toBe(many - 3);
});
