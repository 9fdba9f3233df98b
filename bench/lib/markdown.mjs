// @ts-check

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/**
 * Replaces what stands between two marks of a page; all around them is written by hand.
 * @param {string} page
 * @param {string} content
 */
export function betweenMarks(page, content) {
  const [begin, end] = ["<!-- measured: begin -->", "<!-- measured: end -->"];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place between ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}

/** @param {number} value */
export const ms = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** @param {number} value */
export const ratio = (value) => value.toFixed(2);
/** @param {readonly [number, number]} spread */
export const from = ([least, most]) => `${ratio(least)} – ${ratio(most)}`;
/** @param {boolean} reached */
export const verdict = (reached) => (reached ? "reached" : "**missed**");
