import { createHash } from "node:crypto";
import { type AlertCondition, alertLimits } from "@fairway/contract/alerts";
import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import { type ColumnType, isTimestamp } from "@fairway/contract/columns";
import { noRowsText } from "@fairway/contract/dataset-access";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { SavedQuery } from "@fairway/contract/saved-searches";
import type { CellValue, SearchData } from "@fairway/contract/search";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { searchDataOf } from "#personal/saved-search-data.ts";
import type { Prepare } from "#personal/prepare.ts";
import type { Aggregation, EngineCall, QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type AlertMemory, type CheckResult, compares, type GroupFigure } from "./judge.ts";
import { appeared, cellStarts, inCells, joinedStarts, type TimeCells } from "./time-cells.ts";

/** A validated search, with the engine and dataset to run it on. */
interface PreparedSearch {
  readonly hasNoRows: boolean;
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  readonly query: SearchQuery;
}

/** A validated breakdown, with its rows: groups, then figures. */
interface PreparedBreakdown {
  readonly hasNoRows: boolean;
  /** Of each measure. */
  readonly units: readonly (string | null)[];
  readonly compute: (
    call: EngineCall,
    maxRows: number,
  ) => Promise<{
    readonly columns: readonly { readonly type: ColumnType }[];
    readonly rows: readonly (readonly CellValue[])[];
    readonly isCut: boolean;
  }>;
}

export interface Searches {
  readonly prepare: Prepare<SearchData, PreparedSearch>;
  readonly prepareBreakdown: Prepare<BreakdownRequest, PreparedBreakdown>;
}

/** The monitored search in its current state. */
export interface MonitoredSearch {
  readonly owner: SignedInUser;
  readonly dataset: DatasetRef;
  readonly query: SavedQuery;
  readonly condition: AlertCondition;
}

/** Refuses a search that cannot be monitored: an invalid one, one whose rows cannot be counted, or one without such figures. */
export async function requireWatchable(searches: Searches, watched: MonitoredSearch): Promise<void> {
  const { condition } = watched;
  if (condition.kind === "measure" || condition.kind === "groups") {
    await preparedFigures(searches, watched, condition, () => Promise.resolve());
    return;
  }
  await prepared(searches, watched, async ({ queryable }) => requireCount(queryable));
}

/**
 * Counts the rows of a search. All checks share the engine like one more user, behind everyone else. Rejects with Refusal
 * if the search is not valid any more, and with EngineFailed.
 */
export const runCheck = (
  searches: Searches,
  watched: MonitoredSearch,
  before: AlertMemory | null,
  lateMs: number,
  signal: AbortSignal,
): Promise<CheckResult & { readonly newestFirst: string | null }> => {
  const call = { signal, owner: "portal: alerts", user: watched.owner.username, isBackground: true };
  const { condition } = watched;
  if (condition.kind === "measure" || condition.kind === "groups") return checkFigures(searches, watched, condition, call);
  return prepared(searches, watched, async (search) => {
    requireRows(search);
    requireCount(search.queryable);
    if (watched.condition.kind !== "new-rows") {
      const rows = await countOf(search, search.query, call);
      return { rows, newRows: null, newestMs: null, newestFirst: null };
    }
    const time = timeColumnOf(search);
    const newestFirst = time !== null && search.engine.supportsSort ? time.name : null;
    return {
      ...(time === null ? await checkByCount(search, before, call) : await checkByTime(search, time, before, call, lateMs)),
      newestFirst,
    };
  });
};

type FigureCondition = Extract<AlertCondition, { kind: "measure" | "groups" }>;

/** The breakdown that such a condition is about. Its last two columns are the figure and the rows. */
function breakdownOf({ query }: MonitoredSearch, condition: FigureCondition): BreakdownRequest {
  const measures = [
    { ...condition.measure, id: "figure" },
    { aggregation: "count", column: "*", id: "rows" },
  ];
  // A breakdown says itself what it does not take of a search.
  const { timeRange, geospatial, filters, computed, lookups } = searchDataOf(query, Date.now());
  const search = {
    filters,
    ...(timeRange === undefined ? {} : { timeRange }),
    ...(geospatial === undefined ? {} : { geospatial }),
    ...(computed === undefined ? {} : { computed }),
    ...(lookups === undefined ? {} : { lookups }),
  };
  if (condition.kind === "measure") return { search, measures };
  return {
    search,
    measures,
    by: [{ kind: "value", column: condition.by, empty: "hide" }],
    having: [{ measure: "rows", operator: ">=", value: condition.leastRows ?? 1, on: condition.by }],
  };
}

function preparedFigures<T>(
  searches: Searches,
  watched: MonitoredSearch,
  condition: FigureCondition,
  work: (breakdown: PreparedBreakdown) => Promise<T>,
): Promise<T> {
  const { owner, dataset } = watched;
  const path = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
  return searches.prepareBreakdown(owner, path, breakdownOf(watched, condition), work);
}

/** Computed anew each time: what is kept of other answers may be as old as the last check. */
const checkFigures = (
  searches: Searches,
  watched: MonitoredSearch,
  condition: FigureCondition,
  call: EngineCall,
): Promise<CheckResult & { readonly newestFirst: null }> =>
  preparedFigures(searches, watched, condition, async ({ hasNoRows, units: [unit = null], compute }) => {
    requireRows({ hasNoRows });
    const { columns, rows, isCut } = await compute(call, alertLimits.groups);
    const place = columns.length - 2;
    const counted = { rows: null, newRows: null, newestMs: null, newestFirst: null };
    if (condition.kind === "measure") {
      const [row = []] = rows;
      const count = Number(row[place + 1]);
      return { ...counted, rows: count, figure: { value: count === 0 ? null : numberOf(row[place]), unit } };
    }
    if (isCut)
      throw new Refusal(
        "too-large",
        `'${condition.by}' has more than ${alertLimits.groups.toLocaleString("en-US")} values to watch. Ask for more rows of each, or for a smaller search.`,
      );
    const groups = rows.flatMap((row): GroupFigure[] => {
      const value = numberOf(row[place]);
      const isCrossing = value !== null && compares(value, condition.operator, condition.value);
      return isCrossing ? [{ ...namesOf(row[0] ?? null, columns[0]?.type), value }] : [];
    });
    const distance = ({ value }: GroupFigure): number => Math.abs(value - condition.value);
    return { ...counted, crossing: { groups: groups.toSorted((a, b) => distance(b) - distance(a)), unit } };
  });

/** Longer texts are told apart by their digest, because the alert remembers up to a thousand of them. */
const keyCharacters = 100;

function namesOf(value: CellValue, type: ColumnType | undefined): Pick<GroupFigure, "key" | "name"> {
  const text = type !== undefined && isTimestamp(type) && typeof value === "number" ? timeText(value) : String(value);
  const key = text.length > keyCharacters ? createHash("sha256").update(text).digest("base64url") : text;
  return { key, name: text === "" ? '""' : text };
}

function timeText(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? String(epochMs) : date.toISOString();
}

/** Whole numbers beyond 2^53 and long decimals are texts. */
function numberOf(value: CellValue | undefined): number | null {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function prepared<T>(
  searches: Searches,
  { owner, dataset: { datasetCategory, datasetId }, query }: MonitoredSearch,
  work: (search: PreparedSearch) => Promise<T>,
): Promise<T> {
  return searches.prepare(owner, { category: datasetCategory, datasetId }, searchDataOf(query, Date.now()), work);
}

function requireCount({ features }: QueryableDataset): void {
  if (!features.has("COUNT")) throw new Refusal("not-supported", "The rows of this dataset cannot be counted, so no alert can watch it.");
}

/** An alert on few rows would fire for an owner who is shown none. */
function requireRows({ hasNoRows }: Pick<PreparedSearch, "hasNoRows">): void {
  if (hasNoRows) throw new Refusal("forbidden", noRowsText);
}

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

const countRows: Aggregation = { type: "count", column: "*" };

async function countOf({ engine, queryable }: PreparedSearch, query: Narrowing, call: EngineCall): Promise<number> {
  const [[rows] = []] = await engine.aggregate(queryable, [countRows], [], query, call);
  return Number(rows);
}

interface TimeColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The column that identifies new rows; null if only their number does, as for datasets of other services. */
function timeColumnOf({ queryable, engine }: PreparedSearch): TimeColumn | null {
  const column = queryable.columns.find(({ name }) => name === queryable.temporalField);
  return column !== undefined && isTimestamp(column.type) && engine.profile !== undefined ? column : null;
}

async function checkByCount(search: PreparedSearch, before: AlertMemory | null, call: EngineCall): Promise<CheckResult> {
  const rows = await countOf(search, search.query, call);
  return { rows, newRows: before === null ? null : Math.max(0, rows - (before.rows ?? 0)), newestMs: null };
}

/**
 * Reads only rows that are not long before the newest one so far. New rows are found by counts of intervals, all of which one
 * statement counts, so that rows that arrive meanwhile are neither missed nor counted twice. Decision 0652.
 */
async function checkByTime(
  search: PreparedSearch,
  time: TimeColumn,
  before: AlertMemory | null,
  call: EngineCall,
  lateMs: number,
): Promise<CheckResult> {
  const { engine, queryable, query } = search;
  const nowMs = Date.now();
  const known = knownCells(before, nowMs);
  const range = query.timeRange ?? { column: time.name, type: time.type, startMs: -Infinity, endMs: Infinity };
  const within = (fromMs: number | null, toMs: number): SearchQuery["timeRange"] => {
    const [startMs, endMs] = [Math.max(range.startMs, fromMs ?? -Infinity), Math.min(range.endMs, toMs)];
    return Number.isFinite(startMs) || Number.isFinite(endMs) ? { ...range, startMs, endMs } : null;
  };
  const isEmpty = (span: SearchQuery["timeRange"]): boolean => span !== null && span.startMs > span.endMs;
  const leastMs = known?.[0]?.fromMs ?? null;

  const untilNow = within(leastMs, nowMs);
  const newest: Aggregation = { type: "max", column: time.name };
  const [[newestTime = null] = []] = isEmpty(untilNow)
    ? []
    : await engine.aggregate(queryable, [newest], [], { ...query, timeRange: untilNow }, call);
  const foundMs = newestTime === null ? null : Number(newestTime) * (time.type === "TIMESTAMP_SECONDS" ? 1_000 : 1);
  // Times ahead of the clock, as of a device with a wrong clock, must not end the watch.
  const knownMs = known === null ? null : (before?.newestMs ?? null);
  const markMs = foundMs === null || knownMs === null ? (foundMs ?? knownMs) : Math.max(foundMs, knownMs);

  const kept = cellStarts(markMs, nowMs, lateMs, leastMs);
  const starts = joinedStarts(known?.map(({ fromMs }) => fromMs) ?? [null], kept);
  const spans = starts.map((fromMs, index) => within(fromMs, (starts[index + 1] ?? Infinity) - 1));
  const groups = spans.filter((span) => !isEmpty(span)).map((timeRange) => ({ timeRange, conditions: [] }));
  const watched = within(leastMs, Infinity);
  const counts = groups.length === 0 ? [] : await engine.aggregate(queryable, [countRows], groups, { ...query, timeRange: watched }, call);
  const rowsOf = counts.map(([rows]) => Number(rows))[Symbol.iterator]();
  const cells = starts.map((fromMs, index) => ({ fromMs, rows: isEmpty(spans[index] ?? null) ? 0 : (rowsOf.next().value ?? 0) }));

  const remembered = { newestMs: markMs, cells: inCells(cells, kept) };
  if (known === null) return { ...remembered, rows: cells.reduce((sum, { rows }) => sum + rows, 0), newRows: null };
  return { ...remembered, rows: null, newRows: appeared(known, cells) };
}

/** Null if nothing is known, also of a memory of before that a time ahead of the clock has spoilt. */
function knownCells(before: AlertMemory | null, nowMs: number): TimeCells | null {
  if (before === null || before.cells !== undefined) return before?.cells ?? null;
  // Stored by a gateway that knew only the newest time.
  const { newestMs } = before;
  if (newestMs === null) return [{ fromMs: null, rows: 0 }];
  return newestMs > nowMs ? null : [{ fromMs: newestMs + 1, rows: 0 }];
}
