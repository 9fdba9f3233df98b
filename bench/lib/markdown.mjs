// @ts-check

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** @param {number} value */
export const ms = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** @param {number} value */
export const ratio = (value) => value.toFixed(2);
/** @param {readonly [number, number]} spread */
export const range = ([min, max]) => `${ratio(min)} – ${ratio(max)}`;
/** @param {boolean} reached */
export const verdict = (reached) => (reached ? "reached" : "**missed**");
