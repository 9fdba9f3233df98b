import type { ImportedRow } from "@fairway/contract/imports";
import type { Reading } from "@fairway/contract/readings";
import type { EngineCall, UnreadablePage } from "#query/engine.ts";
import { type ImportJobParts, requestOf } from "./import-jobs.ts";
import { sourceOf } from "./read-files.ts";
import type { ImportRow } from "./repository.ts";

const maxRows = 200;

interface Asked {
  readonly column?: string | undefined;
  /** Offset from 0. */
  readonly from?: number | undefined;
}

/**
 * A page of what cannot be read: the first such lines of each file, then the values column by column. While files are not read to their
 * end, only what the reading shows.
 */
export async function unreadableRows(
  parts: Pick<ImportJobParts, "engine" | "dateOrder" | "repository">,
  row: ImportRow,
  { column, from = 0 }: Asked,
  call: EngineCall,
): Promise<{ rows: ImportedRow[]; total: number }> {
  const { reading = null } = row.result ?? {};
  if (reading === null) return { rows: [], total: 0 };
  const lines = column === undefined ? linesOf(reading) : [];
  const columns = reading.columns.filter(({ name, unreadable }) => unreadable.count > 0 && (column === undefined || name === column));
  // Choices that are not applied yet, or files that are no longer those of the import.
  if (row.status !== "ready" || row.is_partial) {
    const shown = [...lines, ...columns.flatMap(({ name, unreadable }) => valuesOf(reading, name, unreadable.first))];
    return { rows: shown.slice(from, from + maxRows), total: shown.length };
  }
  const shownLines = lines.slice(from, from + maxRows);
  const pages = pagesOf(columns, Math.max(0, from - lines.length), maxRows - shownLines.length);
  const total = lines.length + columns.reduce((sum, { unreadable }) => sum + unreadable.count, 0);
  if (pages.length === 0) return { rows: shownLines, total };
  const files = (await parts.repository.files(row.id)).filter((file) => !file.is_container);
  const request = { ...(await requestOf(parts, row, files, row.format)), reading: row.result?.append?.reading ?? undefined };
  const values = await parts.engine.unreadable(sourceOf(request), pages, call);
  return { rows: [...shownLines, ...pages.flatMap(({ column: name }) => valuesOf(reading, name, values.get(name) ?? []))], total };
}

/** The parts of columns that a page of all their values consists of. */
function pagesOf(columns: Reading["columns"], from: number, limit: number): UnreadablePage[] {
  const pages: UnreadablePage[] = [];
  let [skipped, left] = [from, limit];
  for (const { name, unreadable } of columns) {
    const taken = Math.min(left, Math.max(0, unreadable.count - skipped));
    if (taken > 0) pages.push({ column: name, from: skipped, limit: taken });
    skipped = Math.max(0, skipped - unreadable.count);
    left -= taken;
  }
  return pages;
}

const linesOf = ({ files }: Reading): ImportedRow[] =>
  files.flatMap(({ file, unreadable }) => unreadable.first.map((one) => ({ file, column: null, ...one })));

const valuesOf = ({ files }: Reading, column: string, values: Reading["columns"][number]["unreadable"]["first"]): ImportedRow[] =>
  values.map((one) => ({ file: files[0]?.file ?? "", column, ...one }));
