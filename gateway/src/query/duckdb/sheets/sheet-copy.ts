import type { LineFindings } from "../text/text-copies.ts";
import { Occurrences, type SheetFacts } from "./sheet-facts.ts";
import { type LayoutChoices, type SheetLayout, sampledRows, sheetLayout } from "./sheet-layout.ts";
import { type MergedArea, type SheetCell, type SheetRow, sheetRows } from "./sheet-rows.ts";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";
import type { SheetEntry, WorkbookPackage } from "./workbook-package.ts";

export interface SheetChoices extends LayoutChoices {
  /** The name of a sheet; null: the first visible one with rows. */
  readonly sheet: string | null;
}

/** Sheets of more cells are not held in memory to fill merged areas down. */
const maxHeldCells = 500_000;

interface Kinds {
  numbers: number;
  texts: number;
  booleans: number;
  percent: number;
}

/**
 * The rows of a sheet as plain CSV in the form of the copies of JSON files: every value is a text, and the first column is the number of
 * the row.
 */
export async function* plainSheet(workbook: WorkbookPackage, choices: SheetChoices): AsyncGenerator<string, LineFindings> {
  const sheet = await chosenSheet(workbook, choices.sheet);
  const sample = await firstRows(workbook, sheet);
  const layout = sheetLayout(sample, choices);
  if (layout === undefined) throw new UnreadableWorkbook(`the sheet '${sheet.name}' has no rows`);
  const merged: MergedArea[] = [];
  const writer = new SheetWriter(layout);
  let held: SheetRow[] | undefined = [];
  let heldCells = 0;
  // Areas of several cells are known only when all rows are read.
  for await (const rows of sheetRows(workbook, sheet, (area) => merged.push(area))) {
    if (held === undefined) {
      yield writer.write(rows);
      continue;
    }
    held.push(...rows);
    heldCells += rows.reduce((sum, { cells }) => sum + cells.length, 0);
    if (heldCells <= maxHeldCells) continue;
    yield writer.write(held);
    held = undefined;
  }
  const areas = merged.filter(({ bottom, top, left }) => bottom > top && bottom >= layout.firstRow && layout.columns.includes(left));
  if (held !== undefined) yield writer.write(areas.length === 0 ? held : filledDown(held, areas, layout.firstRow));
  return writer.findings({
    sheet: sheet.name,
    sheets: await comparedSheets(workbook, sheet, layout),
    headerLine: layout.headerLine,
    skipLines: layout.skipLines,
    repeated: [...layout.repeated],
    merged: areas.length === 0 ? null : { areas: areas.length, isFilled: held !== undefined },
  });
}

async function chosenSheet(workbook: WorkbookPackage, name: string | null): Promise<SheetEntry> {
  const { sheets } = workbook;
  if (name !== null) {
    const chosen = sheets.find((sheet) => sheet.name === name);
    if (chosen === undefined) throw new UnreadableWorkbook(`it has no sheet '${name}'`);
    return chosen;
  }
  for (const sheet of sheets) if ((await firstRows(workbook, sheet, 1)).length > 0) return sheet;
  throw new UnreadableWorkbook("it has no rows");
}

/** Sheets whose columns are compared with those that are read: each takes a while. */
const maxCompared = 50;

/** All sheets, with whether they have the same column names as the one that is read. */
async function comparedSheets(workbook: WorkbookPackage, read: SheetEntry, layout: SheetLayout): Promise<SheetFacts["sheets"]> {
  const compared: SheetFacts["sheets"] = [];
  for (const [index, one] of workbook.sheets.entries()) {
    const isAlike = one === read || (index < maxCompared && layout.headerLine !== null && (await hasHeaders(workbook, one, layout)));
    compared.push({ name: one.name, isHidden: one.isHidden, isAlike });
  }
  return compared;
}

async function hasHeaders(workbook: WorkbookPackage, sheet: SheetEntry, { headers }: SheetLayout): Promise<boolean> {
  const other = sheetLayout(await firstRows(workbook, sheet), { headerLine: null, skipLines: null });
  return other !== undefined && other.headerLine !== null && JSON.stringify(other.headers) === JSON.stringify(headers);
}

/** Rows up to a number; at least one if there is any. */
async function firstRows(workbook: WorkbookPackage, sheet: SheetEntry, last: number = sampledRows): Promise<SheetRow[]> {
  const found: SheetRow[] = [];
  for await (const rows of sheetRows(workbook, sheet, () => undefined)) {
    found.push(...rows.filter(({ number, cells }) => (number <= last || found.length === 0) && cells.some(({ text }) => text !== "")));
    if (found.length > 0 && (rows.at(-1)?.number ?? 0) >= last) break;
  }
  return found;
}

/** Gives the value of the first cell of an area to the cells below it that have none. */
function filledDown(rows: readonly SheetRow[], areas: readonly MergedArea[], firstRow: number): SheetRow[] {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const added = new Map<number, SheetCell[]>();
  for (const { top, left, bottom } of areas) {
    const first = byNumber.get(top)?.cells.find(({ column }) => column === left);
    if (first === undefined || top < firstRow) continue;
    for (let number = top + 1; number <= bottom; number += 1) {
      const row = byNumber.get(number);
      // Rows without any value stay no rows.
      if (row === undefined || row.cells.some(({ column }) => column === left)) continue;
      added.set(number, [...(added.get(number) ?? []), first]);
    }
  }
  return rows.map((row) => {
    const cells = added.get(row.number);
    return cells === undefined ? row : { number: row.number, cells: [...row.cells, ...cells] };
  });
}

/** Writes rows as lines of CSV, and notes what they hold. */
class SheetWriter {
  readonly #layout: SheetLayout;
  readonly #indexes: ReadonlyMap<number, number>;
  readonly #kinds: readonly Kinds[];
  readonly #noted = new Occurrences();
  readonly #unreadable: { line: number; text: string; reason: string }[] = [];
  #unreadableCount = 0;
  #lines = 0;
  #longestLine = 0;

  constructor(layout: SheetLayout) {
    this.#layout = layout;
    this.#indexes = new Map(layout.columns.map((column, index) => [column, index]));
    this.#kinds = layout.columns.map(() => ({ numbers: 0, texts: 0, booleans: 0, percent: 0 }));
  }

  write(rows: readonly SheetRow[]): string {
    const { firstRow, headerLine, skipLines, columns } = this.#layout;
    let text = "";
    for (const { number, cells } of rows) {
      if (number < firstRow) {
        if (number !== headerLine && number > skipLines) this.#leaveOut(number, cells);
        continue;
      }
      const values = columns.map(() => "");
      let isEmpty = true;
      for (const cell of cells) {
        const index = this.#indexes.get(cell.column);
        if (index === undefined) {
          if (cell.text !== "") this.#noted.add("outside", number, cell.text.slice(0, 100));
          continue;
        }
        isEmpty = false;
        values[index] = this.#value(cell, index, number);
      }
      if (isEmpty) continue;
      this.#lines += 1;
      const line = `${number},${values.join(",")}\n`;
      this.#longestLine = Math.max(this.#longestLine, line.length);
      text += line;
    }
    return text;
  }

  #value({ kind, text, note = "", isPercent }: SheetCell, index: number, line: number): string {
    const kinds = this.#kinds[index];
    if (kind === "error") this.#noted.add("errors", line, note);
    if (kind === "unstored") this.#noted.add("unstored", line);
    if (kinds === undefined || kind === "error" || kind === "unstored") return "";
    if (kind === "number") kinds.numbers += 1;
    else if (kind === "boolean") kinds.booleans += 1;
    else kinds.texts += 1;
    if (isPercent) kinds.percent += 1;
    if (note !== "") this.#noted.add("long", line, note);
    return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /** Titles, as of text files. */
  #leaveOut(line: number, cells: readonly SheetCell[]): void {
    this.#lines += 1;
    this.#unreadableCount += 1;
    if (this.#unreadable.length >= 5) return;
    const text = cells.map((cell) => cell.text).join(",");
    this.#unreadable.push({ line, text: text.slice(0, 200), reason: aboveHeader });
  }

  findings(facts: Omit<SheetFacts, "errors" | "unstored" | "long" | "outside" | "percent">): LineFindings {
    const { headers } = this.#layout;
    const [first] = this.#unreadable;
    const noted = (kind: string) => this.#noted.of(kind);
    return {
      lines: this.#lines,
      unreadable: first === undefined ? null : { count: this.#unreadableCount, line: first.line, reason: first.reason },
      unreadableLines: this.#unreadable,
      short: null,
      comments: null,
      recoded: null,
      longestLine: this.#longestLine,
      json: {
        headers: [...headers],
        kinds: this.#kinds.map(({ numbers, texts, booleans }) => ({ numbers, texts, booleans, nested: 0 })),
        path: "",
        paths: [],
        repeatedKeys: null,
        halfCharacters: null,
        isWhole: true,
        geo: null,
      },
      sheet: {
        ...facts,
        errors: noted("errors"),
        unstored: noted("unstored"),
        long: noted("long"),
        outside: noted("outside"),
        percent: headers.filter((_, index) => (this.#kinds[index]?.percent ?? 0) > 0),
      },
    };
  }
}

const aboveHeader = "it stands before the column names";
