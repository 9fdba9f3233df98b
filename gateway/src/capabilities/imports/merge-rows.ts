import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { Refusal } from "#http/refusal.ts";
import type { RowsFile } from "#own-data/tables.ts";
import type { MergedRows } from "#own-data/target.ts";
import { EngineFailed, type EngineCall, type QueryEngine } from "#query/engine.ts";
import { type CreationParts, writeRows } from "./create-dataset.ts";
import type { ImportRow } from "./repository.ts";

interface Parts extends CreationParts {
  readonly engine: CreationParts["engine"] & Pick<QueryEngine, "columns">;
  readonly log: { error(details: object, message: string): void };
}

/** Files of rows that a dataset has at most, as long as they are small. The engine reads the footers of at most 16. */
export const maxRowsFiles = 8;
/** Larger files are not written again. */
const smallBytes = 64_000_000;

/**
 * How many of the last files become one with an added file. Those that are no larger than what follows them: so each row is written again
 * only as often as the rows behind it have doubled.
 */
export function tailToMerge(files: readonly Pick<RowsFile, "bytes">[], added: number): number {
  if (files.length < maxRowsFiles) return 0;
  let [count, bytes] = [0, added];
  for (const file of files.toReversed()) {
    if (file.bytes > smallBytes || (count > 0 && file.bytes > bytes)) break;
    count += 1;
    bytes += file.bytes;
  }
  return count;
}

/**
 * The added rows and the last small files of a dataset as one file, which replaces them in the version to be made: versions of before
 * keep theirs. Null if the files are few, or if that was not possible: the version then gets one file more.
 */
export async function mergeRows(
  parts: Parts,
  run: ImportRow,
  { current, added, settings }: { current: readonly RowsFile[]; added: RowsFile; settings: OwnDatasetSettings },
  call: EngineCall,
): Promise<MergedRows | null> {
  const count = tailToMerge(current, added.bytes);
  if (count === 0) return null;
  const replaced = current.slice(-count);
  const files = [...replaced, added];
  const source = {
    kind: "imported" as const,
    format: "parquet" as const,
    files: files.map(({ key, bytes }) => ({ key, bytes, name: "rows" })),
  };
  try {
    // All that the files hold: columns that the settings leave out may come back.
    const columns = (await parts.engine.columns(source, call)).filter(({ combined }) => combined === null);
    const plan = { columns, renamed: {}, reading: null, needed: [] };
    const rows = await writeRows(parts, run, { run, source, settings, plan, onRows: () => undefined }, call, "merged rows");
    const expected = files.reduce((sum, file) => sum + file.rows, 0);
    if (rows.rows !== expected) throw new Error(`merging ${expected} rows has made ${rows.rows}`);
    return { replaced: replaced.map(({ key }) => key), rows };
  } catch (error) {
    if (call.signal.aborted || !isHarmless(error)) throw error;
    parts.log.error({ err: error, import: run.id }, "files of rows could not be merged");
    return null;
  }
}

/** No room for both the old and the new files, or for the engine. */
const isHarmless = (error: unknown): boolean => (error instanceof Refusal && error.code === "no-room") || error instanceof EngineFailed;
