import type { Column, ColumnType } from "@fairway/contract/columns";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { ResultRow } from "@fairway/contract/search";
import { repeatsSecret } from "./upstream-failure.ts";
import { UnreadableAnswer, parseAnswer, rowText, rowsIn, totalIn } from "./upstream-rows.ts";

/** What is asked of an answer. Plain data: it crosses into a worker thread. */
export interface AnswerReading {
  readonly contentType: string;
  readonly rowsPath: string | null;
  /** An answer that repeats it is withheld. */
  readonly secret: string;
  readonly wanted:
    | {
        readonly kind: "rows";
        /** Null: whatever the rows hold. */
        readonly columns: readonly { readonly name: string; readonly type: ColumnType }[] | null;
        readonly limit: number;
        /** Where the number of all rows stands, if it is needed. */
        readonly total: string | null;
      }
    | { readonly kind: "total"; readonly total: string }
    | { readonly kind: "columns"; readonly rows: number };
  /** What rows may come to as text. */
  readonly maxCharacters: number;
}

export interface AnswerRead {
  /** Rows in the answer, beyond the limit, too. */
  readonly found: number;
  readonly total: number | null;
  readonly columns: readonly Column[];
}

export const tooMuchToRead = "answered more than the portal can read at once. Narrow the search with more filters";

/** As many as an api may declare. */
const maxColumns = 1_000;
const chunkCharacters = 256_000;

/** Reads an answer; its rows are emitted as UTF-8 of the inside of a JSON array. Throws UnreadableAnswer. */
export function readAnswer(bytes: Uint8Array, reading: AnswerReading, emit: (chunk: Uint8Array<ArrayBuffer>) => void): AnswerRead {
  const { wanted } = reading;
  const text = new TextDecoder().decode(bytes);
  if (repeatsSecret(text, reading.secret)) throw new UnreadableAnswer("repeats a secret in its answer, which is withheld");
  const json = parseAnswer(text, reading.contentType);
  if (wanted.kind === "total") return { found: 0, total: totalIn(json, wanted.total), columns: [] };
  const rows = rowsIn(json, reading.rowsPath);
  if (wanted.kind === "columns") return { found: rows.length, total: null, columns: columnsOf(rows.slice(0, wanted.rows), reading) };
  const total = wanted.total === null || rows.length > wanted.limit ? null : totalIn(json, wanted.total);
  writeRows(rows.slice(0, wanted.limit), wanted.columns, reading.maxCharacters, emit);
  return { found: rows.length, total, columns: [] };
}

function columnsOf(rows: readonly object[], { maxCharacters }: AnswerReading): Column[] {
  let left = maxCharacters;
  const columns = inferColumns(
    rows.map((row) => {
      const text = rowText(row, null, left);
      left -= text.length;
      return JSON.parse(text) as ResultRow;
    }),
  );
  if (columns.length > maxColumns) throw new UnreadableAnswer(`answered rows of more than ${maxColumns.toLocaleString("en-US")} columns`);
  return columns;
}

function writeRows(
  rows: readonly object[],
  columns: Parameters<typeof rowText>[1],
  maxCharacters: number,
  emit: (chunk: Uint8Array<ArrayBuffer>) => void,
): void {
  const encoder = new TextEncoder();
  let left = maxCharacters;
  let waiting = "";
  for (const [index, row] of rows.entries()) {
    const text = (index === 0 ? "" : ",") + rowText(row, columns, left);
    left -= text.length;
    waiting += text;
    while (waiting.length >= chunkCharacters) {
      const end = endOfWhole(waiting, chunkCharacters);
      emit(encoder.encode(waiting.slice(0, end)));
      waiting = waiting.slice(end);
    }
  }
  if (waiting !== "") emit(encoder.encode(waiting));
}

/** Pieces are encoded by themselves, so none may end between the two halves of a character. */
function endOfWhole(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
