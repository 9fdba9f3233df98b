/** The length of the common subsequence. Fails if the matches are none. */
export function commonLength(before: readonly number[], after: readonly number[], matches: Int32Array): number {
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

export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const many = 200_000;
