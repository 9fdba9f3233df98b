import type { SheetColumn } from "./sheet-column.ts";

/** Positions in the list of styles of the workbook. */
export const styles = { plain: 0, seconds: 1, milliseconds: 2, day: 3, header: 4 } as const;

export const maxCellCharacters = 32_767;

/** Numbers of more digits are rounded by spreadsheets. */
const maxDigits = 15;

export interface Cell {
  /** Attributes and content of the element, without the reference. */
  readonly xml: string;
  /** The number of characters that it takes on the screen. */
  readonly width: number;
  /** Whether a text was too long for a cell. */
  readonly isCut: boolean;
}

/** The cell of a value; undefined if it is empty. */
export function cellOf(text: string | null, { kind, unitMs }: SheetColumn): Cell | undefined {
  if (text === null) return undefined;
  switch (kind) {
    case "text":
      return textCell(text);
    case "double": {
      const number = Number(text);
      return Number.isFinite(number) ? numberCell(number, styles.plain, Math.min(text.length, 17)) : undefined;
    }
    case "exact":
      return digitsOf(text) <= maxDigits ? numberCell(Number(text), styles.plain, text.length) : textCell(text);
    case "boolean":
      return { xml: ` t="b"><v>${text === "true" ? 1 : 0}</v>`, width: 5, isCut: false };
    case "time":
      return timeCell(text, unitMs, false);
    case "day":
      return timeCell(text, unitMs, true);
    default:
      return kind satisfies never;
  }
}

/** Digits that a number needs: all of a whole number, and those of a fraction up to its last one that is not zero. */
function digitsOf(text: string): number {
  const [whole = "", fraction = ""] = text.replace(/^-?0*/, "").split(".");
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === "0") end -= 1;
  const needed = fraction.slice(0, end);
  return whole === "" ? needed.replace(/^0+/, "").length : whole.length + needed.length;
}

const numberCell = (value: number, style: number, width: number): Cell => ({
  xml: `${style === styles.plain ? "" : ` s="${style}"`}><v>${value}</v>`,
  width,
  isCut: false,
});

const dayMs = 86_400_000;
const firstMs = Date.UTC(1900, 0, 1);
/** Spreadsheets count a 29th of February 1900. */
const leapMs = Date.UTC(1900, 2, 1);
const endMs = Date.UTC(10_000, 0, 1);
const serialOf1970 = 25_569;

/** Times before 1900 and after 9999 are no dates of a spreadsheet: they are ISO texts, or the number outside of the calendar. */
function timeCell(text: string, unitMs: number, isDay: boolean): Cell {
  const number = Number(text);
  const ms = unitMs === 1 ? Math.round(number) : Math.floor(number) * unitMs;
  const date = new Date(ms);
  if (!Number.isFinite(number) || Number.isNaN(date.getTime())) return textCell(text);
  if (ms < firstMs || ms >= endMs) {
    const iso = date.toISOString();
    return textCell(isDay ? iso.slice(0, iso.indexOf("T")) : iso.replace(".000Z", "Z"));
  }
  const days = isDay ? Math.floor(ms / dayMs) : ms / dayMs;
  const serial = days + serialOf1970 - (ms < leapMs ? 1 : 0);
  const hasFraction = ms % 1_000 !== 0;
  const style = isDay ? styles.day : hasFraction ? styles.milliseconds : styles.seconds;
  return numberCell(serial, style, isDay ? 10 : hasFraction ? 23 : 19);
}

/** Inline texts are never run as formulas. */
export function textCell(text: string, style: number = styles.plain): Cell {
  const isCut = text.length > maxCellCharacters;
  const shown = isCut ? cut(text) : text;
  const space = /^\s|\s$|[\n\t]| {2}/.test(shown) ? ' xml:space="preserve"' : "";
  const styled = style === styles.plain ? "" : ` s="${style}"`;
  return {
    xml: `${styled} t="inlineStr"><is><t${space}>${escaped(shown)}</t></is>`,
    width: shown.length > 200 ? 200 : Math.max(...shown.split("\n").map(({ length }) => length)),
    isCut,
  };
}

/** Not within a pair of surrogates. */
function cut(text: string): string {
  const last = text.charCodeAt(maxCellCharacters - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? maxCellCharacters - 1 : maxCellCharacters);
}

/** Characters that XML cannot hold are written as `_x0001_`, and so is a text that looks like it. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
const unusual = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\da-fA-F]{4}_)|[\ud800-\udfff]/;

export function escaped(text: string): string {
  if (!unusual.test(text)) return text;
  return text
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/_(?=x[\da-fA-F]{4}_)/g, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (letter) => `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    );
}

/** `A` for 0, `AA` for 26. */
export function columnLetters(index: number): string {
  let letters = "";
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) letters = String.fromCharCode(65 + (rest % 26)) + letters;
  return letters;
}
