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
 * Two measurements that alternate over several rounds, so that other load on the machine affects both.
 * @typedef {object} Comparison
 * @property {number} ours smallest median of a round
 * @property {number} theirs smallest median of a round
 * @property {number} ratio ours divided by theirs
 * @property {[number, number]} spread smallest and largest ratio of a round's medians
 */

/**
 * @param {readonly { ours: readonly number[], theirs: readonly number[] }[]} rounds durations of each side, in milliseconds
 * @returns {Comparison}
 */
export function compare(rounds) {
  const medians = rounds.map(({ ours, theirs }) => ({ ours: median(ours), theirs: median(theirs) }));
  const ours = Math.min(...medians.map((round) => round.ours));
  const theirs = Math.min(...medians.map((round) => round.theirs));
  const ratios = medians.map((round) => round.ours / round.theirs);
  return { ours, theirs, ratio: ours / theirs, spread: [Math.min(...ratios), Math.max(...ratios)] };
}
