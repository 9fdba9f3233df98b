import { expect, it } from "vitest";
import { matchSequences } from "./sequence-diff.ts";

/** The length of the common subsequence. Fails if the matches are none. */
function commonLength(before: readonly number[], after: readonly number[], matches: Int32Array): number {
  let last = -1;
  let length = 0;
  matches.forEach((match, index) => {
    if (match < 0) return;
    // A call of expect for each of 200,000 values takes seconds.
    if (after[match] !== before[index] || match <= last) throw new Error(`It matches ${index} with ${match} after ${last}.`);
    last = match;
    length += 1;
  });
  return length;
}

function longestCommonLength(before: readonly number[], after: readonly number[]): number {
  let row = Array.from({ length: after.length + 1 }, () => 0);
  for (const value of before) {
    const next = [0];
    after.forEach((other, index) => next.push(other === value ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0)));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it("finds the longest common subsequence of generated sequences", () => {
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const random = randomNumbers(seed);
    const values = () => Array.from({ length: random(25) }, () => random(2 + (seed % 20)));
    const [before, after] = [values(), values()];
    expect(commonLength(before, after, matchSequences(before, after)), `seed ${seed}`).toBe(longestCommonLength(before, after));
  }
});

it("still finds common subsequences when it may only look for few edits", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomNumbers(seed);
    const before = Array.from({ length: 200 }, (_, index) => (random(3) === 0 ? 1_000 + random(4) : index));
    const after = before.toSorted((one, other) => ((one * 7) % 5) - ((other * 7) % 5));
    expect(commonLength(before, after, matchSequences(before, after, 3))).toBeGreaterThanOrEqual(20);
  }
});

it("compares what is between anchors as well", () => {
  const shuffled = (from: number) => Array.from({ length: 20 }, (_, index) => from + index);
  const core = Array.from({ length: 200 }, (_, index) => [index, 1_000]).flat();
  const before = [...shuffled(2_000), ...core, ...shuffled(3_000)];
  const after = [...shuffled(2_000).toReversed(), ...core, ...shuffled(3_000).toReversed()];
  expect(commonLength(before, after, matchSequences(before, after, 3))).toBe(402);
});

const many = 200_000;

it("finds few changes in large sequences of few different values", () => {
  const random = randomNumbers(1);
  const before = Array.from({ length: many }, () => random(5));
  const after = before.toSpliced(150_000, 3).toSpliced(20, 0, 7, 1, 2);
  expect(commonLength(before, after, matchSequences(before, after))).toBe(many - 3);
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
