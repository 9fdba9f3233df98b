/** The row of a list that a key moves to; undefined for other keys. `page`: rows of a page. */
export function nextRowIndex(key: string, from: number, rows: number, page = 10): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(rows - 1, from + 1);
    case "ArrowUp":
      return Math.max(0, from - 1);
    case "PageDown":
      return Math.min(rows - 1, from + page);
    case "PageUp":
      return Math.max(0, from - page);
    case "Home":
      return 0;
    case "End":
      return rows - 1;
    default:
      return undefined;
  }
}
