import type { EngineCall, OrderKey, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileAggregate, compileSearch } from "#query/sql/compile.ts";
import type { TextRow } from "#query/sql/column-values-read.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { StatementError } from "./client/failures.ts";
import { type Segment, type Segments, compileParts, compileWhole, firstKey, maxTextParts, segmentSql, segmentsOf } from "./segments.ts";
import type { StatementSession } from "./statement-runner.ts";

type Pages = AsyncIterable<readonly (readonly unknown[])[]>;

/** Servers sort as many rows for a page as there are up to its end: with more than this, looking for its rows first takes less. */
const deepOffset = 50_000;
/** A page is found among as many rows at most, unless more have the same value. */
const rowsPerSegment = 50_000;
/** Rows of an export that are sorted at once by a server without enough memory for all. */
const rowsPerExportPart = 1_000_000;
/** One level divides a segment by a thousand. */
const maxLevels = 4;
/** How long it is known where rows are. */
const cacheMs = 300_000;
const maxKnown = 100;

/** Reads rows in their order where sorting all of them is more than a server can do. Decision 0520. */
export class RowOrder {
  readonly #known = new Map<string, { readonly segments: Segments; readonly readAtMs: number }>();

  /** The rows of a page; those after the page come as well if the server has them at hand. */
  async *page(dataset: QueryableDataset, table: SqlTable, query: SearchQuery, session: StatementSession, call: EngineCall): Pages {
    const key = firstKey(table, query);
    if (query.offset < deepOffset || key === undefined) {
      yield* session.pages(compileSearch(table, query, session.dialect));
      return;
    }
    const id = idOf(dataset, query, call);
    const known = this.#known.get(id);
    const isFresh = known !== undefined && Date.now() - known.readAtMs < cacheMs;
    const whole = isFresh ? known.segments : await wholeOf(table, query, session);
    const segments = await dividedAt(table, whole, query, session);
    this.#known.delete(id);
    if (this.#known.size >= maxKnown) this.#known.delete([...this.#known.keys()][0] ?? "");
    this.#known.set(id, { segments, readAtMs: isFresh ? known.readAtMs : Date.now() });
    const { at, before } = segmentAt(segments, query.offset);
    yield* rowsFrom(at, query.offset - before, query.limit, { table, query, segments, session, rowsAtOnce: "page" });
  }

  /** Every row, up to the limit. */
  async *every(table: SqlTable, query: SearchQuery, session: StatementSession): Pages {
    const [[count] = []] = await texts(compileAggregate(table, [{ type: "count", column: "*" }], [], query, session.dialect), session);
    // Decision 0522.
    const limit = Number(count) <= query.limit ? null : query.limit;
    let hasRows = false;
    try {
      for await (const rows of cutAt(query.limit, session.pages(compileSearch(table, { ...query, limit }, session.dialect)))) {
        hasRows = true;
        yield rows;
      }
      return;
    } catch (error) {
      if (hasRows || !(error instanceof StatementError) || error.reason !== "out-of-memory") throw error;
      if (firstKey(table, query) === undefined) throw error;
    }
    let segments = await wholeOf(table, query, session);
    for (let before = 0, at = 0; at < segments.list.length; at++) {
      segments = await dividedAt(table, segments, { ...query, offset: before }, session, rowsPerExportPart);
      before += segments.list[at]?.rows ?? 0;
    }
    yield* rowsFrom(0, 0, query.limit, { table, query, segments, session, rowsAtOnce: rowsPerExportPart });
  }
}

/** Two people may see different rows of a table. */
function idOf({ source, scope, columns, derived }: QueryableDataset, query: SearchQuery, { owner }: EngineCall): string {
  const { timeRange, area, conditions, sort } = query;
  const parts = [source, scope, columns, derived, timeRange, area, conditions, sort, owner];
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

async function wholeOf(table: SqlTable, query: SearchQuery, session: StatementSession): Promise<Segments> {
  const key = firstKey(table, query) ?? { column: "", direction: "asc" };
  return { key, list: segmentsOf(await texts(compileWhole(table, key, query, session.dialect), session)) };
}

/** The index of the segment with this row, and how many rows come before it. */
function segmentAt({ list }: Segments, offset: number): { at: number; before: number } {
  let before = 0;
  for (const [at, { rows }] of list.entries()) {
    if (before + rows > offset) return { at, before };
    before += rows;
  }
  return { at: list.length, before };
}

/** Divides the segment with the query's first row until it has few rows. */
async function dividedAt(
  table: SqlTable,
  segments: Segments,
  query: SearchQuery,
  session: StatementSession,
  maxRows = rowsPerSegment,
): Promise<Segments> {
  const { key } = segments;
  let { list } = segments;
  for (let level = 0; level < maxLevels; level++) {
    const { at } = segmentAt({ key, list }, query.offset);
    const segment = list[at];
    if (segment === undefined || segment.rows <= maxRows) break;
    const found = await partsOf(table, key, segment, query, session);
    if (found.length < 2) break;
    list = list.toSpliced(at, 1, ...(key.direction === "asc" ? found : found.toReversed()));
  }
  return { key, list };
}

async function partsOf(
  table: SqlTable,
  key: OrderKey,
  segment: Segment,
  query: SearchQuery,
  session: StatementSession,
): Promise<Segment[]> {
  for (const characters of [2, 1]) {
    const statement = compileParts(table, key, segment, query, session.dialect, characters);
    if (statement === null) return [];
    const found = segmentsOf(await texts(statement, session));
    if (found.length <= maxTextParts) return found;
  }
  return [];
}

interface Reading {
  readonly table: SqlTable;
  readonly query: SearchQuery;
  readonly segments: Segments;
  readonly session: StatementSession;
  /** How many rows one statement sorts; `page`: as many as it takes for a page. */
  readonly rowsAtOnce: number | "page";
}

/** The last one of as few segments as have so many rows. Rows without a value are none of them: it is not known how many there are. */
function lastOf({ list }: Segments, first: number, rows: number): number {
  let found = 0;
  for (let last = first; last < list.length; last++) {
    found += list[last]?.rows ?? 0;
    if (found >= rows) return last;
  }
  return Math.max(first, list.length - 1);
}

/** How many rows some segments have; of the rows without a value it is not known. */
const rowsIn = ({ list }: Segments, first: number, last: number): number =>
  first < list.length ? list.slice(first, last + 1).reduce((sum, { rows }) => sum + rows, 0) : Infinity;

/** The first rows of some pages. More rows may have come since they were counted. */
async function* cutAt(limit: number, pages: Pages): Pages {
  let missing = limit;
  for await (const rows of pages) {
    const wanted = rows.length <= missing ? rows : rows.slice(0, missing);
    if (wanted.length > 0) yield wanted;
    missing -= wanted.length;
    if (wanted.length < rows.length) return;
  }
}

/** Rows from one segment on, after the first `skipped` of them. */
async function* rowsFrom(start: number, skipped: number, limit: number, reading: Reading): Pages {
  const { table, query, segments, session, rowsAtOnce } = reading;
  let [at, offset, missing] = [start, skipped, limit];
  while (missing > 0 && at <= segments.list.length) {
    // Fewer rows than there were: the rest of a page is in whatever follows.
    const isRest = rowsAtOnce === "page" && at > start;
    const last = isRest ? segments.list.length : lastOf(segments, at, offset + (rowsAtOnce === "page" ? missing : rowsAtOnce));
    const only = segmentSql(table, segments, at, last, session.dialect);
    const isWhole = rowsAtOnce !== "page" && rowsIn(segments, at, last) <= missing;
    const part = compileSearch(table, { ...query, offset, limit: isWhole ? null : missing }, session.dialect, only);
    for await (const rows of cutAt(missing, session.pages(part))) {
      missing -= rows.length;
      yield rows;
    }
    [at, offset] = [last + 1, 0];
  }
}

const texts = async (statement: Compiled, session: StatementSession) => (await session.rows(statement)) as readonly TextRow[];
