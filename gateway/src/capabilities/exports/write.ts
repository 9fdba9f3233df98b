import type { ExportFormat } from "@fairway/contract/exports";
import { type EngineCall, EngineFailed, type ExportedWorkbook, type SearchQuery } from "#query/engine.ts";
import type { ExportableSearch, PreparedExport } from "./exportable.ts";

export interface WriteTarget {
  readonly format: ExportFormat;
  readonly path: string;
  readonly maxRows: number;
  readonly onRows: (rows: number) => void;
  /** Called when the number of matching rows is known, which may never happen. */
  readonly onTotal: (totalRows: number) => void;
  /** Makes the sheet about a workbook's rows. */
  readonly about: (written: { readonly rows: number; readonly cut: boolean; readonly totalRows: number | null }) => AboutLines;
}

type AboutLines = Awaited<ReturnType<ExportedWorkbook["about"]>>;

export interface WrittenExport {
  readonly rows: number;
  /** Whether more rows match. */
  readonly cut: boolean;
  readonly cutTexts?: number;
}

/** Writes the file of an export. */
export async function writeExport(
  { search, csvColumns, csvHeads }: PreparedExport,
  target: WriteTarget,
  call: EngineCall,
): Promise<WrittenExport> {
  const { engine, queryable } = search;
  const query = { ...search.query, limit: target.maxRows };
  const countAbort = new AbortController();
  let total: number | undefined;
  const counting = countTotal(search, { ...call, signal: AbortSignal.any([call.signal, countAbort.signal]) }, (found) => {
    total = found;
    target.onTotal(found);
  });
  const isCut = async (rows: number): Promise<boolean> => {
    // Fewer rows than the limit, so these are all rows.
    if (rows < target.maxRows) {
      total = rows;
      target.onTotal(rows);
      return false;
    }
    await counting;
    call.signal.throwIfAborted();
    return total === undefined ? hasMore(search, query, call) : total > rows;
  };
  try {
    const { format, path, onRows } = target;
    let cut: boolean | undefined;
    let cutTexts: number | undefined;
    const workbook: ExportedWorkbook = {
      name: queryable.id,
      about: async (rows) => target.about({ rows, cut: (cut = await isCut(rows)), totalRows: total ?? null }),
      onCutTexts: (texts) => (cutTexts = texts),
    };
    const isSheet = format === "xlsx";
    const file = { format, path, csvColumns, csvHeads, onRows, ...(isSheet ? { workbook } : {}) };
    const rows = (await engine.export?.(queryable, query, file, call)) ?? 0;
    return { rows, cut: cut ?? (await isCut(rows)), ...(cutTexts === undefined ? {} : { cutTexts }) };
  } finally {
    countAbort.abort();
    await counting;
  }
}

/** The number of matching rows; undefined if they cannot be counted. */
export async function countMatching({ engine, queryable, query }: ExportableSearch, call: EngineCall): Promise<number | undefined> {
  let total: number | undefined;
  await countTotal({ engine, queryable, query }, call, (found) => (total = found));
  return total;
}

/** Counts matching rows, as progress information only: a failed count does not fail the export. */
async function countTotal(
  { engine, queryable, query }: Pick<ExportableSearch, "engine" | "queryable" | "query">,
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
