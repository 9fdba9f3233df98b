/** The row of a list that a key moves to; undefined for other keys. */
export function nextRowIndex(key: string, from: number, rows: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(rows - 1, from + 1);
    case "ArrowUp":
      return Math.max(0, from - 1);
    case "PageDown":
      return Math.min(rows - 1, from + 10);
    case "PageUp":
      return Math.max(0, from - 10);
    case "Home":
      return 0;
    case "End":
      return rows - 1;
    default:
      return undefined;
  }
}
