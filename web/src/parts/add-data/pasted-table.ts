/** Lines of a table at least: its header and a row. */
const minLines = 2;

/** A file of a pasted table, whose cells are separated by tabs or commas; null if a text is no table. */
export function pastedTable(text: string): File | null {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length < minLines) return null;
  if (isSeparated(lines, "\t")) return new File([text], "Pasted table.tsv", { type: "text/tab-separated-values" });
  if (isSeparated(lines, ",")) return new File([text], "Pasted table.csv", { type: "text/csv" });
  return null;
}

/** Whether the first lines have the delimiter, and nearly all of them as often. Quoted cells may hold more. */
function isSeparated(lines: readonly string[], delimiter: string): boolean {
  const counts = lines.slice(0, 20).map((line) => line.replaceAll(/"[^"]*"/g, "").split(delimiter).length - 1);
  const [header = 0] = counts;
  return header > 0 && counts.filter((count) => count === header).length >= counts.length * 0.8;
}
