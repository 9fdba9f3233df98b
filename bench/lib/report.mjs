// @ts-check
// A measurement as a section of docs/performance-report.md: a title, what was done with what target, and a table.

/**
 * @typedef {object} Section
 * @property {string} text what was measured, and its targets
 * @property {readonly string[]} head
 * @property {readonly (readonly (string | number)[])[]} rows
 * @property {readonly string[]} [notes]
 */

/**
 * @param {string} title
 * @param {Section} section
 */
export const sectionText = (title, { text, head, rows, notes = [] }) => [`## ${title}`, text, table(head, rows), ...notes].join("\n\n");

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows
 */
const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** @param {number} value */
export const ms = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** @param {number} value */
export const ratio = (value) => value.toFixed(2);
/** @param {readonly [number, number]} spread */
export const range = ([min, max]) => `${ratio(min)} – ${ratio(max)}`;
/** @param {boolean} reached */
export const verdict = (reached) => (reached ? "reached" : "**missed**");
/** Memory that a system other than Linux does not tell. @param {number | undefined} value */
export const mb = (value) => (value === undefined ? "not measured here" : `${Math.max(0, value).toFixed(0)} MB`);
/** @param {Readonly<Record<string, number>>} responses by status */
export const counts = (responses) =>
  Object.entries(responses)
    .map(([status, times]) => `${times} × ${status}`)
    .join(", ");

/** The cells of two measurements that alternate. @param {import("./statistics.mjs").Comparison} comparison */
export const compared = ({ ours, theirs, ratio: share, spread }) => [ms(ours), ms(theirs), ratio(share), range(spread)];
/** Their heads. @param {string} ours @param {string} theirs */
export const comparedHead = (ours, theirs) => [`${ours}, ms`, `${theirs}, ms`, "ratio", "ratio by round"];
