import { Readable } from "node:stream";
import type { GridCells, GridRequest, GridTotals, grids } from "@fairway/contract/grid";
import type { Handlers, StreamedAnswer } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { AnswerStore } from "#query/answer-store.ts";
import type { EngineCall, GridResult, GridSteps, QueryableDataset, QueryEngine, RowStream } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "./service.ts";
import { storedAnswer } from "./stored-answer.ts";
import { type ValidGrid, type GridLimits, requireGrid, validateGrid } from "./validate-grid.ts";
import { tooManyFrames } from "./validate-grid-time.ts";

/** Some values of each column, as the inside of JSON arrays. */
type TextParts = Readonly<Record<string, string>>;

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: GridLimits; readonly answers: AnswerStore };

export const gridRoutes = ({ datasets, limits, answers }: Parts): Handlers<typeof grids> => ({
  run: ({ user, params: { category, datasetId }, body, signal }) =>
    datasets.use(user, category, datasetId, (dataset) => grid(dataset.deriving(body), limits, user, body, signal, answers)),
});

async function grid(
  dataset: SearchableDataset,
  limits: GridLimits,
  user: SignedInUser,
  data: GridRequest,
  signal: AbortSignal,
  answers: AnswerStore,
): Promise<StreamedAnswer> {
  const { location, grid: compute, gridRows } = requireGrid(dataset);
  const valid = validateGrid(dataset, location, data, limits);
  const call = { signal, owner: user.id, user: user.username };
  const contentType = "application/json; charset=utf-8";
  const rows = await rowsText(gridRows, dataset.queryable, valid, call);
  if (rows !== undefined) return { contentType, chunks: Readable.from([rows]) };
  const request = {
    kind: "grid",
    query: valid.query,
    fresh: false,
    compute,
    sizeOf,
    advice: "Use a lower level or a smaller view.",
  } as const;
  const { answer } = await storedAnswer(answers, dataset, request, call);
  const { time, ...counted } = answer;
  if (time === "too-many") throw tooManyFrames(limits);
  return { contentType, chunks: cellsText(valid, time === undefined ? counted : { ...counted, time }) };
}

/** The rows themselves, if they are asked for and few enough. */
async function rowsText(
  gridRows: NonNullable<QueryEngine["gridRows"]>,
  queryable: QueryableDataset,
  { rows, query, within }: ValidGrid,
  call: EngineCall,
): Promise<string | undefined> {
  if (rows === null) return undefined;
  const found = await gridRows(queryable, rows.columns, { ...query, limit: rows.limit }, call);
  const texts = await allOf(found);
  if (texts === undefined) return undefined;
  const results: unknown[] = JSON.parse(`[${texts}]`);
  const head = { kind: "rows", level: query.level, within, rows: results.length };
  return `${JSON.stringify(head).slice(0, -1)},"results":[${texts}]}`;
}

/** The rows of a stream as a text; undefined if there are more. */
async function allOf({ chunks, hasMore }: RowStream): Promise<string | undefined> {
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk);
  return (await hasMore) ? undefined : texts.join("");
}

const sizeOf = ({ parts, time }: GridResult): number =>
  2 * (lengthOf(parts) + (time === undefined || time === "too-many" ? 0 : lengthOf(time.frames)));

const lengthOf = (parts: readonly TextParts[]): number =>
  parts.reduce((sum, part) => sum + Object.values(part).reduce((length, text) => length + text.length, 0), 0);

/** Streams the columns of the cells and of the frames, part by part. */
async function* cellsText(
  { query, within }: ValidGrid,
  { parts, placed, missing, outOfRange, polar, time }: GridResult & { readonly time?: GridSteps },
): AsyncGenerator<string> {
  const { level, cells, measure } = query;
  const totals: GridTotals = { rows: placed + missing + outOfRange, placed, missing, outOfRange, polar };
  const timed = time === undefined ? {} : { time: timeOf(query, time) };
  const head = { kind: "cells", level, within, rows: placed, ...(cells === null ? { totals } : {}), ...timed };
  yield `${JSON.stringify(head).slice(0, -1)},"cells":{`;
  const figures = (value: "sum" | "value") => (measure === null ? [] : [["counted"] as const, [value, "value"] as const]);
  yield* columnsText([["x"], ["y"], ["rows"], ...figures("value")], parts);
  if (time !== undefined) {
    yield `},"frames":{`;
    yield* columnsText([["cell"], ["bucket"], ["rows"], ...figures(measure?.type === "avg" ? "sum" : "value")], time.frames);
  }
  yield "}}";
}

/** Columns as members of a JSON object, by their names in the answer and, where these differ, in the parts. */
function* columnsText(names: readonly (readonly [name: string, key?: string])[], parts: readonly TextParts[]): Generator<string> {
  for (const [index, [name, key = name]] of names.entries()) {
    yield `${index === 0 ? "" : ","}"${name}":[`;
    for (const [number, part] of parts.entries()) yield `${number === 0 ? "" : ","}${part[key] ?? ""}`;
    yield "]";
  }
}

function timeOf({ time }: ValidGrid["query"], { rows, untimed, elsewhen }: GridSteps): NonNullable<GridCells["time"]> {
  const edgesMs = time?.edgesMs ?? [];
  const buckets = rows.map((count, index) => ({ startMs: edgesMs[index] ?? 0, endMs: edgesMs[index + 1] ?? 0, rows: count }));
  return { buckets, untimed, elsewhen };
}
