import { join } from "node:path";
import type { BreakdownAnswer, BreakdownEntry, BreakdownGrouping, BreakdownRequest } from "@fairway/contract/breakdowns";
import { defaultLimits } from "@fairway/contract/limits";
import type { CellValue, RowCount } from "@fairway/contract/search";
import { expect } from "vitest";
import { breakdownExports } from "#capabilities/search/breakdown/exported-breakdown.ts";
import { type EngineDefinition, openedEngine } from "#query/engines.ts";
import type { DatasetSource, QueryEngine } from "#query/engine.ts";
import { type OracleFigures, type OraclePeriod, bucketKey, expectedAnswer, timeColumn } from "./breakdown-oracle.ts";
import { type DatasetApp, addDataset, buildColumn, buildFilterSupport, datasetApp } from "./dataset-app.ts";
import { matches } from "./filter-oracle.ts";
import { randomFilter } from "./random-filters.ts";
import { randomRequest } from "./random-requests.ts";
import { type OracleRow, randomColumns, randomNumbers, randomTable } from "./random-table.ts";
import { someUser } from "./some-user.ts";

/** Tables of a query server. */
export interface ServerTables {
  readonly engine: QueryEngine;
  /** Stores the rows of a SELECT. */
  store(name: string, select: string): Promise<DatasetSource>;
  close(): Promise<void>;
}

/** A portal whose answers are compared with those of an evaluation without SQL. The same seed makes the same table and questions. */
export interface AnswersBench {
  readonly app: DatasetApp;
  /** Stores the rows of a SELECT as a dataset. */
  add(id: string, select: string, dataset: Parameters<typeof addDataset>[1]): Promise<void>;
  /** Counts the rows of random filters: of how many. */
  comparedFilters(seed: number, filters: number): Promise<number>;
  /** Asks for random breakdowns, for the rows of one cell of each, and for the exports of lists: of how many. */
  comparedBreakdowns(seed: number, requests: number): Promise<number>;
  /** Compares an exported breakdown with its answer. Resolves to the number of its rows. */
  comparedExport(id: string, request: BreakdownRequest, answer: BreakdownAnswer): Promise<number>;
  close(): Promise<void>;
}

/** Without `tables`: over files. */
export async function answersBench(tables?: ServerTables): Promise<AnswersBench> {
  const engine: { tables?: EngineDefinition<unknown> } = tables === undefined ? {} : { tables: openedEngine(tables.engine) };
  const app = await datasetApp({ ...engine, limits: { graphBatchComparisons: 1_000 } });
  const add: AnswersBench["add"] = async (id, select, dataset) => {
    const stored: DatasetSource = { kind: "files", glob: `${id}.parquet`, format: "parquet" };
    if (tables === undefined) await app.bench.prepare(`copy (${select}) to 'FOLDER/${id}.parquet' (format parquet)`);
    const source = tables === undefined ? stored : await tables.store(id, select);
    await addDataset(app, { ...dataset, id, source } as Parameters<typeof addDataset>[1]);
  };
  const post = <Body>(id: string, call: string, body: object) => app.call<Body>([], "POST", `/datasets/Tests/${id}/${call}`, body);
  let tablesAdded = 0;
  const addRandom = async (random: () => number): Promise<{ id: string; rows: OracleRow[] }> => {
    const { select, rows } = randomTable(random, 1 + Math.floor(random() * 60));
    const columns = Object.entries(randomColumns).map(([name, type]) => buildColumn(name, type, name === "day" ? { day: true } : {}));
    tablesAdded += 1;
    const id = `random_${tablesAdded}`;
    await add(id, select, {
      schema: { columns },
      temporalField: timeColumn,
      filterSupport: buildFilterSupport({ supportsTimeRange: true }),
    });
    return { id, rows };
  };
  const counted = async (id: string, search: object): Promise<number> => {
    const { status, body } = await post<RowCount>(id, "rowCount", search);
    expect(status, JSON.stringify({ search, body })).toBe(200);
    return body.rows ?? -1;
  };
  const keep = breakdownExports({ datasets: app.service, limits: defaultLimits });
  let exports = 0;
  const comparedExport: AnswersBench["comparedExport"] = async (id, request, answer) => {
    const user = someUser();
    const call = { signal: AbortSignal.timeout(60_000), owner: "u" };
    exports += 1;
    const target = { maxRows: 1_000, folder: join(app.bench.exportFolder, `export ${exports}`) };
    const rows: (readonly CellValue[])[] = [];
    await keep(user, { category: "Tests", datasetId: id }, request, (breakdown) =>
      breakdown.keep(call, target, async ({ pages }) => {
        for await (const page of pages()) rows.push(...page);
      }),
    );
    const entries = answer.by[0]?.entries ?? [];
    const isCompared = answer.compare !== null;
    const wanted = answer.cells.map(({ at: [place = 0], values, before }) => {
      const entry = entries[place];
      const figures = values.flatMap((value, index) => (isCompared ? [value, before?.[index] ?? null] : [value]));
      return [entry?.kind === "value" ? entry.value : null, ...figures];
    });
    const isEmpty = (place: number) => entries[answer.cells[place]?.at[0] ?? 0]?.kind === "empty";
    const isInSeconds = answer.by[0]?.type === "TIMESTAMP_SECONDS";
    // Without the changes; rows without a value have a name, and times are milliseconds.
    const found = rows.map(([name = null, ...figures], place) => [
      isEmpty(place) && name === "Empty" ? null : isInSeconds && name !== null ? Number(name) / 1_000 : name,
      ...figures.filter((_, index) => !isCompared || index % 3 < 2),
    ]);
    expect([request, found.map((row) => row.map(closely))]).toEqual([request, wanted.map((row) => row.map(closely))]);
    return rows.length;
  };
  return {
    app,
    add,
    comparedExport,
    comparedFilters: async (seed, filters) => {
      const random = randomNumbers(seed);
      const { id, rows } = await addRandom(random);
      for (let index = 0; index < filters; index += 1) {
        const filter = randomFilter(random);
        const expected = rows.filter((row) => matches(filter, row)).length;
        expect([filter, await counted(id, { filters: [filter] })]).toEqual([filter, expected]);
      }
      return filters;
    },
    comparedBreakdowns: async (seed, requests) => {
      const random = randomNumbers(seed);
      const { id, rows } = await addRandom(random);
      for (let index = 0; index < requests; index += 1) {
        const request = { ...randomRequest(random), ...(tables === undefined ? {} : { accuracy: "exact" as const }) };
        const { status, body: answer } = await post<BreakdownAnswer>(id, "breakdown", request);
        expect(status, JSON.stringify({ request, answer })).toBe(200);
        expectAnswer(request as BreakdownRequest, answer, rows);
        const [axis, ...others] = request.by ?? [];
        if (axis?.kind === "value" && axis.top === undefined && others.length === 0)
          await comparedExport(id, request as BreakdownRequest, answer);
        const cell = answer.cells[Math.floor(random() * answer.cells.length)];
        const entries = cell?.at.map((place, axis) => answer.by[axis]?.entries[place]) ?? [];
        if (cell === undefined || entries.some((entry) => entry?.narrow == null)) continue;
        const filters = [...(request.search.filters ?? []), ...entries.flatMap((entry) => entry?.narrow?.filters ?? [])];
        const { timeRange } = request.search;
        expect([request, filters, await counted(id, { filters, ...(timeRange && { timeRange }) })]).toEqual([
          request,
          filters,
          cell.values[0],
        ]);
      }
      return requests;
    },
    close: async () => {
      await app.close();
      await tables?.close();
    },
  };
}

/** Compares an answer with what the oracle says of the rows. */
function expectAnswer(request: BreakdownRequest, answer: BreakdownAnswer, rows: readonly OracleRow[]): void {
  const { by = [] } = request;
  const { start = "", end = "" } = answer.compare?.timeRange ?? {};
  const before: OraclePeriod | undefined = answer.compare === null ? undefined : { startMs: Date.parse(start), endMs: Date.parse(end) };
  const expected = expectedAnswer(request, rows, before);
  const what = JSON.stringify(request);
  const axes = answer.by.map(({ found, failing, entries }, axis) => ({
    found,
    failing,
    keys: entries.map((entry) => entryKey(entry, by[axis], expected.axes[axis]?.edges ?? [])),
    others: entries.flatMap((entry) => (entry.kind === "other" && by[axis]?.kind === "value" ? [entry.count] : [])),
  }));
  expect(axes, what).toEqual(
    expected.axes.map(({ found, failing, keys, others }, index) => ({
      found,
      failing,
      keys,
      others: keys.includes("other") && by[index]?.kind === "value" ? [others] : [],
    })),
  );
  expect(answer.cells, what).toEqual(expected.cells.map((cell, index) => likeAnswered(cell, answer.cells[index])));
  expect([answer.rows, answer.isCut], what).toEqual([expected.rows, expected.isCut]);
  if (request.totals !== true) return expect(answer.totals, what).toBeNull();
  const { totals } = answer;
  const total = ({ before: earlier, ...figures }: OracleFigures, answered: OracleFigures | undefined) =>
    likeAnswered({ ...figures, ...(earlier == null ? {} : { before: earlier }) }, answered);
  expect(totals, what).toEqual({
    all: total(expected.totals.all, totals?.all),
    axes: expected.totals.axes.map((axis, index) => axis.map((figures, place) => total(figures, totals?.axes[index]?.[place]))),
  });
}

/** The expected figures, with those answered in place of what is as close as doubles are. */
function likeAnswered<Cell extends OracleFigures>(expected: Cell, answered: OracleFigures | undefined): Cell {
  const close = (figures: readonly unknown[], found: readonly unknown[] | null | undefined) =>
    figures.map((figure, index) => (isClose(figure, found?.[index]) ? found?.[index] : figure));
  return {
    ...expected,
    values: close(expected.values, answered?.values),
    ...(expected.before == null ? {} : { before: close(expected.before, answered?.before) }),
  };
}

/** Figures of other statements are sums in another order. */
const closely = (value: CellValue): CellValue =>
  typeof value === "number" && !Number.isSafeInteger(value) ? Number(value.toPrecision(10)) : value;

/** Whole figures are exact. */
function isClose(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number" || (Number.isSafeInteger(one) && Number.isSafeInteger(other)))
    return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}

function entryKey(entry: BreakdownEntry, grouping: BreakdownGrouping | undefined, edges: readonly number[]): string {
  switch (entry.kind) {
    case "value":
      return JSON.stringify(entry.value);
    case "time":
      return grouping?.kind === "time" ? bucketKey(grouping, entry.startMs) : "";
    case "part":
      return String(entry.number);
    case "range":
      return String(entry.from === null ? 0 : 1 + edges.indexOf(entry.from));
    case "group":
      return entry.label.replace("group ", "");
    case "empty":
    case "other":
    case "outside":
      return entry.kind;
    default:
      return entry satisfies never;
  }
}
