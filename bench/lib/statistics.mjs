// @ts-check

/**
 * @param {readonly number[]} values at least one
 * @param {number} share 0 to 1
 */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * Two things measured in turns over several rounds, so that whatever else the machine does meets both.
 * @typedef {object} Comparison
 * @property {number} ours median of the quietest round
 * @property {number} theirs median of the quietest round
 * @property {number} ratio ours by theirs, of these two
 * @property {[number, number]} spread smallest and largest ratio of a round's medians
 */

/**
 * @param {readonly { ours: readonly number[], theirs: readonly number[] }[]} rounds what each side took, in milliseconds
 * @returns {Comparison}
 */
export function compared(rounds) {
  const medians = rounds.map(({ ours, theirs }) => ({ ours: median(ours), theirs: median(theirs) }));
  const ours = Math.min(...medians.map((round) => round.ours));
  const theirs = Math.min(...medians.map((round) => round.theirs));
  const ratios = medians.map((round) => round.ours / round.theirs);
  return { ours, theirs, ratio: ours / theirs, spread: [Math.min(...ratios), Math.max(...ratios)] };
}
