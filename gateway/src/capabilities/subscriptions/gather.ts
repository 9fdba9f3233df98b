import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Board, BoardPanel } from "@fairway/contract/boards";
import type { BreakdownAnswer, BreakdownRequest } from "@fairway/contract/breakdowns";
import type { ChartDrawing } from "@fairway/contract/charts/drawing";
import type { Column } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { AggregateBatch } from "@fairway/contract/graphs";
import { goneDatasetText } from "@fairway/contract/own-datasets";
import { parseSavedQuery, type SavedQuery, type SavedSearch } from "@fairway/contract/saved-searches";
import type { CellValue, ResultRow, SearchData } from "@fairway/contract/search";
import { subscriptionLimits } from "@fairway/contract/subscriptions";
import pLimit from "p-limit";
import type { ChartPictures } from "#charts/chart-pictures.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { rangeOf, searchDataOf, spanOf } from "#personal/saved-search-data.ts";
import { searchedDatasets } from "#personal/scope-keys.ts";
import type { Prepare } from "#personal/prepare.ts";
import { type Aggregation, type EngineCall, EngineFailed, type SearchQuery } from "#query/engine.ts";
import type { SearchedDataset } from "#query/searchable-dataset.ts";
import { alignsRight, cellText, cut, csvHead, csvLine, figureText } from "./cell-texts.ts";
import { chartSize, type GraphContent, graphContent } from "./graph-parts.ts";
import { rowsOf } from "./row-stream.ts";

/** A validated search, with the engine and dataset to run it on. */
interface PreparedSearch extends SearchedDataset {
  readonly query: SearchQuery;
  readonly aggregationOf: (what: { readonly aggregation: string; readonly column: string }) => Aggregation;
}

export interface Searches {
  readonly prepare: Prepare<SearchData | ((dataset: SearchedDataset) => SearchData), PreparedSearch>;
  /** Answers a breakdown by the same rules as its call. Throws Refusal and EngineFailed. */
  answerBreakdown(
    user: SignedInUser,
    datasetPath: { category: string; datasetId: string },
    request: BreakdownRequest,
    call: EngineCall,
  ): Promise<BreakdownAnswer>;
  /** The values of groups, likewise. */
  groupValues(
    user: SignedInUser,
    datasetPath: { category: string; datasetId: string },
    request: AggregateBatch,
    call: EngineCall,
  ): Promise<readonly (readonly CellValue[])[]>;
}

/** The content of a message, as its reader may see it. */
export type Subject = { readonly board: Board } | { readonly savedSearch: SavedSearch };

/** A part of a message. */
export interface Part {
  /** Identifies the part in its board. */
  readonly key: string;
  readonly title: string;
  readonly content: PartContent;
  /** Changes when the figures do, or the first rows. Null if they were not looked at. */
  readonly digest: string | null;
}

export type PartContent =
  | { readonly kind: "text"; readonly text: string }
  /** `about`: says what it is a figure of, unless the title does. */
  | { readonly kind: "figure"; readonly text: string; readonly about?: string }
  | GraphContent
  | { readonly kind: "rows"; readonly table: RowsTable; readonly total: number | null }
  /** `opens`: ends with a link to what is sent. */
  | { readonly kind: "line"; readonly text: string; readonly opens: boolean }
  | { readonly kind: "problem"; readonly text: string }
  | { readonly kind: "not-ready" };

export interface RowsTable {
  readonly columns: readonly { readonly name: string; readonly alignsRight: boolean }[];
  /** Texts of cells. */
  readonly rows: readonly (readonly string[])[];
  /** Columns that are left out. */
  readonly moreColumns: number;
  readonly hasMore: boolean;
}

export interface RowsFile {
  readonly text: string;
  readonly rows: number;
  /** Whether there are more rows than the file has. */
  readonly isCut: boolean;
}

export interface Gathered {
  readonly parts: readonly Part[];
  readonly file: RowsFile | null;
}

export interface Gathering {
  readonly searches: Searches;
  readonly charts: Pick<ChartPictures, "png">;
  readonly owner: SignedInUser;
  /** Times are told by its clock. */
  readonly zone: string;
  readonly nowMs: number;
  /** Whether the rows are looked at for changes. */
  readonly isCompared: boolean;
  readonly withFile: boolean;
  /** Aborted when what is not ready has to be left out. */
  readonly signal: AbortSignal;
}

const atOnce = 3;
const shownRows = 25;
const shownColumns = 20;
/** Of the rows of one part, as JSON. */
const mostCharacters = 60_000_000;
const busyMs = 1_000;
/** Of all charts of a message: mail servers refuse larger ones. */
const chartBytes = 4_000_000;

/** Everything that a message says. Never rejects because of one part: what is not ready in time is named, and what fails says why. */
export async function gather(subject: Subject, gathering: Gathering): Promise<Gathered> {
  if ("savedSearch" in subject) return gatherSearch(subject.savedSearch, gathering);
  const { board } = subject;
  const panels = board.content.panels.toSorted((one, other) => one.place.y - other.place.y || one.place.x - other.place.x);
  const inTurn = pLimit(atOnce);
  const draw = drawingUpTo(chartBytes, gathering.charts);
  const parts = await Promise.all(panels.map((panel) => inTurn(() => panelPart(panel, board, gathering, draw))));
  return { parts, file: null };
}

/** Every dataset of which something is said, and those that it looks up. */
export function datasetsOf(subject: Subject): DatasetRef[] {
  if ("board" in subject) {
    return subject.board.content.panels.flatMap((panel) => ("dataset" in panel ? searchedDatasets(panel.dataset, panel.query) : []));
  }
  const { datasetCategory, datasetId, query } = subject.savedSearch;
  const parsed = parseSavedQuery(query);
  return searchedDatasets({ datasetCategory, datasetId }, "query" in parsed ? parsed.query : {});
}

type Draw = (drawing: ChartDrawing, call: EngineCall) => Promise<Uint8Array | null>;

function drawingUpTo(bytes: number, charts: Gathering["charts"]): Draw {
  let left = bytes;
  return async (drawing, call) => {
    const png = await charts.png(drawing, chartSize, call);
    if (png === null || png.byteLength > left) return null;
    left -= png.byteLength;
    return png;
  };
}

async function gatherSearch(saved: SavedSearch, gathering: Gathering): Promise<Gathered> {
  const dataset = { datasetCategory: saved.datasetCategory, datasetId: saved.datasetId };
  const parsed = parseSavedQuery(saved.query);
  if (!("query" in parsed)) throw new Refusal("invalid-value", "Its saved search can no longer be read.");
  const { query } = parsed;
  const files: RowsFile[] = [];
  const content = await contentOf(
    gathering,
    dataset,
    (data) => dataOf(query, gathering.nowMs, data),
    async (search, call) => {
      const { queryable } = search;
      const total = queryable.features.has("COUNT") ? Number(await aggregate(search, { aggregation: "count", column: "*" }, call)) : null;
      const read = await readRows(search, query, gathering, call);
      if (read.file !== null) files.push(read.file);
      return { content: { kind: "rows", table: read.table, total }, digest: digestOf([total, read.digest]) };
    },
  );
  return { parts: [{ key: "search", title: saved.queryName, ...content }], file: files.at(-1) ?? null };
}

async function panelPart(panel: BoardPanel, board: Board, gathering: Gathering, draw: Draw): Promise<Part> {
  const key = panel.id;
  if (panel.kind === "hidden") {
    const text = panel.isGone === true ? goneDatasetText : "The dataset of this panel no longer exists, or you have no access to it.";
    return { key, title: "", content: { kind: "line", text, opens: false }, digest: "hidden" };
  }
  const { title } = panel;
  if (panel.kind === "text") return { key, title, content: { kind: "text", text: panel.text }, digest: digestOf(panel.text) };
  const data = (dataset: SearchedDataset) => narrowed(dataOf(panel.query, gathering.nowMs, dataset), board, gathering.nowMs, dataset);
  const content = await contentOf(gathering, panel.dataset, data, async (search, call): Promise<Pick<Part, "content" | "digest">> => {
    switch (panel.kind) {
      case "number": {
        const value = await aggregate(search, panel.value, call);
        return { content: { kind: "figure", text: figureText(value) }, digest: digestOf(value) };
      }
      case "table": {
        const { table, digest } = await readRows(search, panel.query, gathering, call);
        return { content: { kind: "rows", table, total: null }, digest };
      }
      case "graph": {
        const { sort: _, ...searched } = data(search);
        const path = pathOf(panel.dataset);
        const { searches, owner } = gathering;
        const graph = await graphContent(panel, search, {
          data: searched,
          call,
          draw: (drawing) => draw(drawing, call),
          answer: (breakdown) => searches.answerBreakdown(owner, path, { ...breakdown, search: searched, totals: true }, call),
          groupValues: (groups, aggregations) =>
            searches.groupValues(
              owner,
              path,
              {
                search: searched,
                groups: groups.map(({ filters = [], ...group }) => ({ ...group, filters })),
                aggregations: [...aggregations],
              },
              call,
            ),
        });
        return graph === null
          ? counted("Graph", search, panel, gathering, call)
          : { content: graph.content, digest: digestOf(graph.figures) };
      }
      case "map":
        return counted("Map", search, panel, gathering, call);
      default:
        return panel satisfies never;
    }
  });
  return { key, title, ...content };
}

const pathOf = ({ datasetCategory: category, datasetId }: DatasetRef) => ({ category, datasetId });

/** A panel that the message only counts the rows of. */
async function counted(
  what: "Graph" | "Map",
  search: PreparedSearch,
  panel: Extract<BoardPanel, { kind: "graph" | "map" }>,
  gathering: Gathering,
  call: EngineCall,
): Promise<Loaded> {
  const total = search.queryable.features.has("COUNT") ? await aggregate(search, { aggregation: "count", column: "*" }, call) : null;
  const text = total === null ? `${what}.` : `${what} of ${pluralize(Number(total), "row")}.`;
  const digest = gathering.isCompared ? (await readRows(search, panel.query, gathering, call)).digest : null;
  return { content: { kind: "line", text, opens: true }, digest: digestOf([total, digest]) };
}

/** A search that is outside of what its board shows. */
class Outside extends Error {}

type Loaded = Pick<Part, "content" | "digest">;

/** Runs the search of a part, again as long as the engine is busy. */
async function contentOf(
  { searches, owner, signal }: Gathering,
  dataset: DatasetRef,
  data: (dataset: SearchedDataset) => SearchData,
  work: (search: PreparedSearch, call: EngineCall) => Promise<Loaded>,
): Promise<Loaded> {
  const notReady: Loaded = { content: { kind: "not-ready" }, digest: null };
  const call = { signal, owner: "portal: subscriptions", user: owner.username, isBackground: true };
  while (!signal.aborted) {
    try {
      return await searches.prepare(owner, pathOf(dataset), data, (search) => work(search, call));
    } catch (error) {
      if (signal.aborted) return notReady;
      if (error instanceof Outside) return { content: { kind: "problem", text: error.message }, digest: "outside" };
      if (error instanceof Refusal) return { content: { kind: "problem", text: error.message }, digest: digestOf(error.message) };
      if (!(error instanceof EngineFailed)) throw error;
      if (error.reason === "timed-out") return notReady;
      if (error.reason !== "busy" && error.reason !== "too-many") {
        return { content: { kind: "problem", text: error.message }, digest: digestOf(error.message) };
      }
      await wait(busyMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return notReady;
}

const aggregate = async (
  { engine, queryable, query, aggregationOf }: PreparedSearch,
  what: { readonly aggregation: string; readonly column: string },
  call: EngineCall,
): Promise<CellValue> => {
  const [[value = null] = []] = await engine.aggregate(queryable, [aggregationOf(what)], [], query, call);
  return value;
};

/** The search of a saved query, in its order where the engine has one. */
function dataOf(query: SavedQuery, nowMs: number, { engine }: SearchedDataset): SearchData {
  return { ...searchDataOf(query, nowMs), ...(query.sort !== undefined && engine.supportsSort ? { sort: query.sort } : {}) };
}

/** Narrowed by what a board shares: to the common part of both ranges of time, and to its area unless the panel has its own. */
function narrowed(data: SearchData, { content }: Board, nowMs: number, { filterSupport }: SearchedDataset): SearchData {
  const shared = searchDataOf({ timeRange: content.timeRange, geospatial: content.geospatial, filters: [] }, nowMs);
  const geospatial = data.geospatial ?? (filterSupport.supportsGeospatial ? shared.geospatial : undefined);
  const spans = [data.timeRange, filterSupport.supportsTimeRange ? shared.timeRange : undefined].flatMap((range) =>
    range === undefined ? [] : [spanOf(range)],
  );
  const common = {
    startMs: Math.max(-Infinity, ...spans.map(({ startMs }) => startMs)),
    endMs: Math.min(Infinity, ...spans.map(({ endMs }) => endMs)),
  };
  if (common.startMs > common.endMs) throw new Outside("The board’s time range doesn’t overlap this panel’s.");
  return {
    ...data,
    ...(spans.length === 0 ? {} : { timeRange: rangeOf(common) }),
    ...(geospatial === undefined ? {} : { geospatial }),
  };
}

async function readRows(
  { engine, queryable, query, columns: all }: PreparedSearch,
  { columns: chosen }: SavedQuery,
  { zone, isCompared, withFile }: Gathering,
  call: EngineCall,
): Promise<{ table: RowsTable; digest: string | null; file: RowsFile | null }> {
  const columns = chosen === undefined ? all : chosen.flatMap((name) => all.find((column) => column.name === name) ?? []);
  const limit = isCompared || withFile ? subscriptionLimits.rows : shownRows;
  const { chunks, hasMore } = await engine.search(queryable, { ...query, offset: 0, limit }, call);
  // Observed even if reading fails.
  hasMore.catch(() => undefined);
  const digest = createHash("sha256");
  const shown: ResultRow[] = [];
  const file = withFile ? fileOf(columns) : null;
  let [rows, characters] = [0, 0];
  for await (const { text, row } of rowsOf(chunks)) {
    rows += 1;
    characters += text.length;
    if (characters > mostCharacters) throw new Refusal("too-large", "The rows are too large for an email.");
    digest.update(text).update("\n");
    if (shown.length < shownRows) shown.push(row());
    file?.add(row);
  }
  const isMore = await hasMore;
  return {
    table: tableOf(columns, shown, zone, rows > shown.length || isMore),
    digest: isCompared ? digest.digest("base64url") : null,
    file: file === null ? null : file.end(isMore),
  };
}

function tableOf(columns: readonly Column[], rows: readonly ResultRow[], zone: string, hasMore: boolean): RowsTable {
  const shown = columns.slice(0, shownColumns);
  return {
    columns: shown.map((column) => ({
      name: column.unit === undefined ? column.name : `${column.name} (${column.unit})`,
      alignsRight: alignsRight(column),
    })),
    rows: rows.map((row) => shown.map((column) => cut(cellText(column, row, zone)))),
    moreColumns: columns.length - shown.length,
    hasMore,
  };
}

/** Whole lines, up to the size of an attachment. */
function fileOf(columns: readonly Column[]) {
  const lines = [csvHead(columns)];
  let bytes = Buffer.byteLength(lines[0] ?? "");
  let isFull = false;
  return {
    add: (row: () => ResultRow) => {
      if (isFull) return;
      const line = csvLine(columns, row());
      bytes += Buffer.byteLength(line);
      isFull = bytes > subscriptionLimits.csvBytes;
      if (!isFull) lines.push(line);
    },
    end: (isMore: boolean): RowsFile => ({ text: lines.join(""), rows: lines.length - 1, isCut: isFull || isMore }),
  };
}

const digestOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("base64url");
