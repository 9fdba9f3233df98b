import type { ExportFormat } from "@fairway/contract/exports";
import { type EngineCall, EngineFailed, type SearchQuery } from "#query/engine.ts";
import type { ExportableSearch, PreparedExport } from "./exportable.ts";

export interface WriteTarget {
  readonly format: ExportFormat;
  readonly path: string;
  readonly maxRows: number;
  readonly onRows: (rows: number) => void;
  /** Called when the number of matching rows is known, which may never happen. */
  readonly onTotal: (totalRows: number) => void;
}

/** Writes the file of an export. Returns the number of rows written and whether more rows match. */
export async function writeExport(
  { search, csvColumns }: PreparedExport,
  target: WriteTarget,
  call: EngineCall,
): Promise<{ rows: number; cut: boolean }> {
  const { engine, queryable } = search;
  const query = { ...search.query, limit: target.maxRows };
  const countAbort = new AbortController();
  let total: number | undefined;
  const counting = countTotal(search, { ...call, signal: AbortSignal.any([call.signal, countAbort.signal]) }, (found) => {
    total = found;
    target.onTotal(found);
  });
  try {
    const { format, path, onRows } = target;
    const rows = (await engine.export?.(queryable, query, { format, path, csvColumns, onRows }, call)) ?? 0;
    // Fewer rows than the limit, so these are all rows.
    if (rows < target.maxRows) {
      target.onTotal(rows);
      return { rows, cut: false };
    }
    await counting;
    call.signal.throwIfAborted();
    return { rows, cut: total === undefined ? await hasMore(search, query, call) : total > rows };
  } finally {
    countAbort.abort();
    await counting;
  }
}

/** Counts matching rows, as progress information only: a failed count does not fail the export. */
async function countTotal(
  { engine, queryable, query }: ExportableSearch,
  call: EngineCall,
  onTotal: (totalRows: number) => void,
): Promise<void> {
  if (!queryable.features.has("COUNT")) return;
  try {
    const [[total = null] = []] = await engine.aggregate(queryable, [{ type: "count", column: "*" }], [], query, call);
    if (typeof total === "number" && !call.signal.aborted) onTotal(total);
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
  }
}

/** Whether there is a row after the last one written. */
async function hasMore({ engine, queryable }: ExportableSearch, query: SearchQuery, call: EngineCall): Promise<boolean> {
  const { chunks } = await engine.search(queryable, { ...query, sort: [], offset: query.limit, limit: 1 }, call);
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text !== "";
}
