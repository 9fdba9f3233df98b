import { numberText, unescaped } from "./cell-texts.ts";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";
import { TextReader, type WorkbookPackage, workbookLimits } from "./workbook-package.ts";
import { xmlEvents } from "./xml-events.ts";

/** A cell with a value. `text` of errors is empty. */
export interface SheetCell {
  readonly column: number;
  readonly text: string;
  readonly kind: "number" | "text" | "boolean" | "error" | "unstored";
  readonly isPercent: boolean;
  /** A whole number of more than 15 digits, or the name of an error. */
  readonly note?: string;
}

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

/** Rows and columns that count from 1. */
export interface MergedArea {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
}

/** The rows of a sheet that have cells with values, in lists, and the areas of several cells, which the file lists behind all rows. */
export async function* sheetRows(
  workbook: WorkbookPackage,
  { part, name }: { readonly part: string; readonly name: string },
  onMerged: (area: MergedArea) => void,
): AsyncGenerator<readonly SheetRow[]> {
  const reader = new CellReader(workbook, onMerged);
  const events = xmlEvents(workbook.content(part), `the sheet '${name}'`, {
    open: (element, attributes) => reader.open(element, attributes),
    text: (text) => reader.text(text),
    close: (element) => reader.close(element),
  });
  for await (const _ of events) {
    const rows = reader.take();
    if (rows.length > 0) yield rows;
  }
}

const maxExact = 1e15;

class CellReader {
  readonly #workbook: WorkbookPackage;
  readonly #onMerged: (area: MergedArea) => void;
  #rows: SheetRow[] = [];
  #row = 0;
  #cells: SheetCell[] = [];
  #column = 0;
  #type = "n";
  #style = 0;
  #value: string | undefined;
  #hasFormula = false;
  #isInValue = false;
  #isInCell = false;
  #count = 0;
  readonly #inline = new TextReader();
  #hasInline = false;

  constructor(workbook: WorkbookPackage, onMerged: (area: MergedArea) => void) {
    this.#workbook = workbook;
    this.#onMerged = onMerged;
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case "row":
        // Numbers of rows and cells may be left out: then they go on.
        this.#row = Number(attributes["r"] ?? this.#row + 1);
        this.#cells = [];
        this.#column = 0;
        return;
      case "c":
        this.#column = attributes["r"] === undefined ? this.#column + 1 : columnOf(attributes["r"]);
        this.#type = attributes["t"] ?? "n";
        this.#style = Number(attributes["s"] ?? 0);
        this.#value = undefined;
        this.#hasFormula = false;
        this.#hasInline = false;
        this.#isInCell = true;
        return;
      case "v":
        this.#isInValue = this.#isInCell;
        this.#value ??= "";
        return;
      case "f":
        this.#hasFormula = true;
        return;
      case "is":
        this.#hasInline = true;
        this.#inline.start();
        return;
      case "mergeCell":
        this.#merge(attributes["ref"] ?? "");
        return;
      default:
        if (this.#hasInline) this.#inline.open(name);
    }
  }

  text(text: string): void {
    if (this.#isInValue) this.#value = (this.#value ?? "") + text;
    else if (this.#hasInline) this.#inline.text(text);
  }

  close(name: string): void {
    switch (name) {
      case "v":
        this.#isInValue = false;
        return;
      case "c":
        this.#isInCell = false;
        this.#endCell();
        return;
      case "row":
        if (this.#cells.length > 0) this.#rows.push({ number: this.#row, cells: this.#cells });
        return;
      default:
        if (this.#hasInline) this.#inline.close(name);
    }
  }

  #endCell(): void {
    const cell = this.#cell();
    if (cell === undefined) return;
    this.#count += 1;
    if (this.#count > workbookLimits.cells) throw new UnreadableWorkbook("it has more than 20 million cells");
    this.#cells.push({ column: this.#column, isPercent: false, ...cell });
  }

  #cell(): (Pick<SheetCell, "text" | "kind"> & Partial<SheetCell>) | undefined {
    const value = this.#value;
    if (this.#type === "inlineStr") return this.#hasInline ? { text: this.#inline.end(), kind: "text" } : undefined;
    if (value === undefined || (value === "" && this.#type !== "str")) return this.#hasFormula ? { text: "", kind: "unstored" } : undefined;
    switch (this.#type) {
      case "s": {
        const text = this.#workbook.sharedText(Number(value));
        if (text === undefined) throw new UnreadableWorkbook("a text of its cells is missing");
        return { text, kind: "text" };
      }
      case "str":
        return { text: unescaped(value), kind: "text" };
      case "d":
        return { text: value, kind: "text" };
      case "b":
        return { text: value.trim() === "1" || value.trim() === "true" ? "true" : "false", kind: "boolean" };
      case "e":
        return { text: "", kind: "error", note: value };
      default:
        return this.#number(Number(value), value);
    }
  }

  #number(value: number, raw: string): Pick<SheetCell, "text" | "kind"> & Partial<SheetCell> {
    if (!Number.isFinite(value)) return { text: raw, kind: "text" };
    const format = this.#workbook.formatOf(this.#style);
    const { text, isNumber } = numberText(value, format, this.#workbook.is1904);
    const isLong = Math.abs(value) >= maxExact && Number.isInteger(value);
    return { text, kind: isNumber ? "number" : "text", isPercent: format.kind === "percent", ...(isLong ? { note: text } : {}) };
  }

  #merge(reference: string): void {
    const [from = "", to = ""] = reference.split(":");
    const [top, bottom] = [rowOf(from), rowOf(to)];
    if (top > 0 && bottom > 0) this.#onMerged({ top, bottom, left: columnOf(from) });
  }
}

/** From 1: `AB12` is in column 28. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column;
}

const rowOf = (reference: string): number => Number(reference.replace(/^[A-Za-z]+/, ""));
