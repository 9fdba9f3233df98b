import type { Column, ColumnType } from "@fairway/contract/columns";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { ResultRow } from "@fairway/contract/search";
import { repeatsSecret } from "./upstream-failure.ts";
import { UnreadableResponse, parseJson, rowText, rowsIn, totalIn } from "./upstream-rows.ts";

/** How to read a response. Plain data, because it is passed to a worker thread. */
export interface ReadOptions {
  readonly contentType: string;
  readonly rowsPath: string | null;
  /** A response that contains it is withheld. */
  readonly secret: string;
  readonly wanted:
    | {
        readonly kind: "rows";
        /** null = the fields of each row. */
        readonly columns: readonly { readonly name: string; readonly type: ColumnType }[] | null;
        readonly limit: number;
        /** The path of the total number of rows, if needed. */
        readonly total: string | null;
      }
    | { readonly kind: "total"; readonly total: string }
    | { readonly kind: "columns"; readonly rows: number };
  /** The maximum size of all rows as text. */
  readonly maxCharacters: number;
}

export interface ParsedResponse {
  /** Rows in the response, including those beyond the limit. */
  readonly found: number;
  readonly total: number | null;
  readonly columns: readonly Column[];
}

export const tooMuchToRead = "returned more than the portal can read at once. Narrow the search with more filters";

/** The same maximum as for declared columns. */
const maxColumns = 1_000;
const chunkCharacters = 256_000;

/** Parses a response and emits its rows as UTF-8 chunks of the inside of a JSON array. Throws UnreadableResponse. */
export function parseResponse(bytes: Uint8Array, options: ReadOptions, emit: (chunk: Uint8Array<ArrayBuffer>) => void): ParsedResponse {
  const { wanted } = options;
  const text = new TextDecoder().decode(bytes);
  if (repeatsSecret(text, options.secret)) throw new UnreadableResponse("repeats a secret in its response, which is withheld");
  const json = parseJson(text, options.contentType);
  if (wanted.kind === "total") return { found: 0, total: totalIn(json, wanted.total), columns: [] };
  const rows = rowsIn(json, options.rowsPath);
  if (wanted.kind === "columns") return { found: rows.length, total: null, columns: columnsOf(rows.slice(0, wanted.rows), options) };
  const total = wanted.total === null || rows.length > wanted.limit ? null : totalIn(json, wanted.total);
  writeRows(rows.slice(0, wanted.limit), wanted.columns, options.maxCharacters, emit);
  return { found: rows.length, total, columns: [] };
}

function columnsOf(rows: readonly object[], { maxCharacters }: ReadOptions): Column[] {
  let remaining = maxCharacters;
  const columns = inferColumns(
    rows.map((row) => {
      const text = rowText(row, null, remaining);
      remaining -= text.length;
      return JSON.parse(text) as ResultRow;
    }),
  );
  if (columns.length > maxColumns) throw new UnreadableResponse(`returned rows of more than ${maxColumns.toLocaleString("en-US")} columns`);
  return columns;
}

function writeRows(
  rows: readonly object[],
  columns: Parameters<typeof rowText>[1],
  maxCharacters: number,
  emit: (chunk: Uint8Array<ArrayBuffer>) => void,
): void {
  const encoder = new TextEncoder();
  let remaining = maxCharacters;
  let buffered = "";
  for (const [index, row] of rows.entries()) {
    const text = (index === 0 ? "" : ",") + rowText(row, columns, remaining);
    remaining -= text.length;
    buffered += text;
    while (buffered.length >= chunkCharacters) {
      const end = chunkEnd(buffered, chunkCharacters);
      emit(encoder.encode(buffered.slice(0, end)));
      buffered = buffered.slice(end);
    }
  }
  if (buffered !== "") emit(encoder.encode(buffered));
}

/** Chunks are encoded separately, so none may end within a surrogate pair. */
function chunkEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
