import { parse } from "papaparse";
import { decodeText } from "./decode-text.ts";
import type { CsvRequest, CsvTable } from "./csv-table.ts";

const maxRows = 500_000;
const maxColumns = 1_000;
const maxCellLength = 1_000;

/** Parses outside the page's thread. papaparse's own worker would come from a blob: address, which the policy forbids. */
function parseTable({ bytes, delimiter, isPart }: CsvRequest): CsvTable | { problem: string } {
  const text = decodeText(bytes);
  const { data, errors } = parse(text, { delimiter, skipEmptyLines: true, preview: maxRows + 2 });
  // The last row of a part may end anywhere.
  if (isPart && data.length > 1) data.pop();
  const error = errors.find(({ type, row }) => type === "Quotes" && !(isPart && row !== undefined && row >= data.length));
  if (error) return { problem: `Row ${((error.row ?? 0) + 1).toLocaleString("en-US")}: ${error.message}.` };
  const isCut = data.length > maxRows + 1;
  if (isCut) data.length = maxRows + 1;
  let columns = 0;
  for (const row of data) columns = Math.max(columns, row.length);
  for (const row of data) {
    if (row.length > maxColumns) row.length = maxColumns;
    for (const [index, cell] of row.entries()) if (cell.length > maxCellLength) row[index] = `${cell.slice(0, maxCellLength)}…`;
  }
  const [header = [], ...rows] = data;
  return { header, rows, columns, shownColumns: Math.min(columns, maxColumns), isCut };
}

addEventListener("message", ({ data }: MessageEvent<CsvRequest>) => {
  let answer: CsvTable | { problem: string };
  try {
    answer = parseTable(data);
  } catch (error) {
    answer = { problem: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});
