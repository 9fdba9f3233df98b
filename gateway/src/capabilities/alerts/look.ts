import type { AlertCondition } from "@fairway/contract/alerts";
import { type ColumnType, isTimestamp } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import { parseSpan, spanAt } from "@fairway/contract/relative-times";
import type { SavedQuery } from "@fairway/contract/saved-searches";
import type { SearchData } from "@fairway/contract/search";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Aggregation, EngineCall, QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import type { AlertMemory, Look } from "./judge.ts";

/** A validated search, with the engine and dataset to run it on. */
interface WatchedSearch {
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  readonly query: SearchQuery;
}

export interface Searches {
  /** Validates a search by the same rules as running it, and passes it to `work`. Throws Refusal. */
  prepare<T>(
    user: SignedInUser,
    datasetPath: { category: string; datasetId: string },
    data: SearchData,
    work: (search: WatchedSearch) => Promise<T>,
  ): Promise<T>;
}

/** What is looked at, as it is now. */
export interface Watched {
  readonly owner: SignedInUser;
  readonly dataset: DatasetRef;
  readonly query: SavedQuery;
  readonly condition: AlertCondition;
}

/** Refuses a search that cannot be watched: an invalid one, or one whose rows nobody counts. */
export const requireWatchable = (searches: Searches, watched: Watched): Promise<void> =>
  prepared(searches, watched, async ({ queryable }) => requireCount(queryable));

/**
 * Looks at a search, with one aggregation. All looks share the engine like one more user, behind everyone else. Rejects with Refusal
 * if the search is not valid any more, and with EngineFailed.
 */
export const lookAt = (
  searches: Searches,
  watched: Watched,
  before: AlertMemory | null,
  signal: AbortSignal,
): Promise<Look & { readonly newestFirst: string | null }> =>
  prepared(searches, watched, async (search) => {
    requireCount(search.queryable);
    const call = { signal, owner: "portal: alerts", user: watched.owner.username, isBackground: true };
    if (watched.condition.kind !== "new-rows") {
      const rows = await countOf(search, search.query, call);
      return { rows, newRows: null, newestMs: null, newestFirst: null };
    }
    const time = timeColumnOf(search);
    const newestFirst = time !== null && search.engine.supportsSort ? time.name : null;
    return { ...(time === null ? await lookByCount(search, before, call) : await lookByTime(search, time, before, call)), newestFirst };
  });

function prepared<T>(
  searches: Searches,
  { owner, dataset: { datasetCategory, datasetId }, query }: Watched,
  work: (search: WatchedSearch) => Promise<T>,
): Promise<T> {
  return searches.prepare(owner, { category: datasetCategory, datasetId }, searchDataOf(query, Date.now()), work);
}

/** The search as it is at a given time, in epoch milliseconds. */
function searchDataOf({ timeRange, geospatial, filters }: SavedQuery, nowMs: number): SearchData {
  const span = timeRange?.last === undefined ? undefined : parseSpan(timeRange.last);
  const isoOf = (ms: number) => new Date(ms).toISOString();
  const range =
    span === undefined ? timeRange : (({ startMs, endMs }) => ({ start: isoOf(startMs), end: isoOf(endMs) }))(spanAt(span, nowMs));
  return {
    ...(range === undefined
      ? {}
      : {
          timeRange: {
            ...(range.start === undefined ? {} : { start: range.start }),
            ...(range.end === undefined ? {} : { end: range.end }),
          },
        }),
    ...(geospatial === undefined ? {} : { geospatial: { polygons: geospatial.polygons, antimeridianPolygons: false } }),
    filters,
  };
}

function requireCount({ features }: QueryableDataset): void {
  if (!features.has("COUNT")) throw new Refusal("not-supported", "The rows of this dataset cannot be counted, so nothing can watch it.");
}

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

const countRows: Aggregation = { type: "count", column: "*" };

async function countOf({ engine, queryable }: WatchedSearch, query: Narrowing, call: EngineCall): Promise<number> {
  const [[rows] = []] = await engine.aggregate(queryable, [countRows], [], query, call);
  return Number(rows);
}

interface TimeColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The column that tells new rows; null if only their number does, as for datasets of other services. */
function timeColumnOf({ queryable, engine }: WatchedSearch): TimeColumn | null {
  const column = queryable.columns.find(({ name }) => name === queryable.temporalField);
  return column !== undefined && isTimestamp(column.type) && engine.profile !== undefined ? column : null;
}

async function lookByCount(search: WatchedSearch, before: AlertMemory | null, call: EngineCall): Promise<Look> {
  const rows = await countOf(search, search.query, call);
  return { rows, newRows: before === null ? null : Math.max(0, rows - (before.rows ?? 0)), newestMs: null };
}

/** Reads only what is newer than the newest row so far. */
async function lookByTime(search: WatchedSearch, time: TimeColumn, before: AlertMemory | null, call: EngineCall): Promise<Look> {
  const { engine, queryable, query } = search;
  const range = query.timeRange ?? { column: time.name, type: time.type, startMs: -Infinity, endMs: Infinity };
  const markMs = before?.newestMs ?? null;
  const startMs = markMs === null ? range.startMs : Math.max(range.startMs, markMs + 1);
  if (startMs > range.endMs) return { rows: null, newRows: 0, newestMs: markMs };
  const isBounded = Number.isFinite(startMs) || Number.isFinite(range.endMs);
  const narrowed = { ...query, timeRange: isBounded ? { ...range, startMs } : null };
  const newest: Aggregation = { type: "max", column: time.name };
  const [[rows, newestTime] = []] = await engine.aggregate(queryable, [countRows, newest], [], narrowed, call);
  const found = Number(rows);
  const newestMs =
    newestTime === null || newestTime === undefined ? markMs : Number(newestTime) * (time.type === "TIMESTAMP_SECONDS" ? 1_000 : 1);
  return before === null ? { rows: found, newRows: null, newestMs } : { rows: null, newRows: found, newestMs };
}
