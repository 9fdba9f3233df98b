import type { SheetColumn } from "./sheet-column.ts";
import { cellOf, columnLetters, maxCellCharacters, styles, textCell } from "./sheet-cells.ts";
import { rangeOf, sheetStart } from "./workbook-parts.ts";

type StoredRows = AsyncIterable<readonly (readonly (string | null)[])[]>;

/** A label and its text, on the second sheet. */
export type AboutLine = readonly [label: string, text: string];

/** Rows that decide how wide columns are. */
const measuredRows = 100;
const [minWidth, maxWidth] = [8, 60];
const pieceCharacters = 256 * 1024;

/** The text of the sheet of rows, piece by piece. `onCutText` is called for each text that does not fit into a cell. */
export async function* dataSheet(columns: readonly SheetColumn[], rowCount: number, rows: StoredRows, onCutText: () => void) {
  const header = columns.map((column) => textCell(column.header, styles.header));
  const widths = header.map(({ width }) => width);
  const letters = columns.map((_, index) => columnLetters(index));
  let number = 1;
  let piece = "";
  // The widths of columns precede the rows that they depend on.
  let isStarted = false;
  const start = () => {
    isStarted = true;
    const frozen = `><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>`;
    const cells = header.map(({ xml }, index) => `<c r="${letters[index]}1"${xml}</c>`).join("");
    // Room for the button of the filter.
    piece = `${sheetStart(frozen, columnsXml(widths.map((width) => width + 3)))}<row r="1">${cells}</row>${piece}`;
  };
  for await (const page of rows) {
    for (const row of page) {
      number += 1;
      let cells = "";
      for (const [index, column] of columns.entries()) {
        const cell = cellOf(row[index] ?? null, column);
        if (cell === undefined) continue;
        if (!isStarted) widths[index] = Math.max(widths[index] ?? 0, cell.width);
        if (cell.isCut) onCutText();
        cells += `<c r="${letters[index]}${number}"${cell.xml}</c>`;
      }
      piece += `<row r="${number}">${cells}</row>`;
      if (!isStarted && number > measuredRows) start();
      if (isStarted && piece.length >= pieceCharacters) {
        yield piece;
        piece = "";
      }
    }
  }
  if (!isStarted) start();
  if (number !== rowCount + 1) throw new Error(`the sheet has ${number - 1} of ${rowCount} rows`);
  yield `${piece}</sheetData><autoFilter ref="${rangeOf(columns.length, number)}"/></worksheet>`;
}

/** The text of the sheet of labels and texts. */
export function aboutSheet(lines: readonly AboutLine[]): string {
  const rows = lines.map(([label, text], index) => {
    const cells = [textCell(label, styles.header), textCell(text.slice(0, maxCellCharacters))];
    return `<row r="${index + 1}">${cells.map(({ xml }, column) => `<c r="${columnLetters(column)}${index + 1}"${xml}</c>`).join("")}</row>`;
  });
  return `${sheetStart("/>", columnsXml([16, maxWidth]))}${rows.join("")}</sheetData></worksheet>`;
}

const columnsXml = (widths: readonly number[]): string =>
  `<cols>${widths
    .map(
      (width, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${Math.min(maxWidth, Math.max(minWidth, width))}" customWidth="1"/>`,
    )
    .join("")}</cols>`;
