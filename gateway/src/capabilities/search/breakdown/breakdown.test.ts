import type { BreakdownAnswer, BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import type { ErrorBody } from "@fairway/contract/errors";
import type { RowCount } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;

beforeAll(async () => {
  app = await datasetApp({ limits: { breakdownCells: 60 } });
  await app.bench.prepare(`copy (select * from (values
      ('SBP', 20, timestamp '2001-05-01 00:00:00'), ('SBP', 24, timestamp '2001-05-31 23:59:59'), ('ORD', 9, timestamp '2001-05-02 12:00:00'),
      ('ORD', 10, timestamp '2001-04-02 12:00:00'), ('ORD', null, timestamp '2001-05-03 12:00:00'), (null, 7, timestamp '2001-05-04 12:00:00'),
      ('', 5, null)) as rows(origin, delay, date)) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, {
    id: "flights",
    schema: {
      columns: [
        buildColumn("origin", "STRING"),
        buildColumn("delay", "integer", { unit: "min" }),
        buildColumn("date", "TIMESTAMP_SECONDS"),
      ],
    },
    temporalField: "date",
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
});
afterAll(() => app.close());

type Draft = Omit<BreakdownRequestDraft, "search"> & { search?: BreakdownRequestDraft["search"] };
const post = <Body>(body: Draft, id = "flights") => app.call<Body>([], "POST", `/datasets/Tests/${id}/breakdown`, { search: {}, ...body });
const run = async (body: Draft): Promise<BreakdownAnswer> => {
  const { status, body: answer } = await post<BreakdownAnswer>(body);
  expect([status, answer]).toEqual([200, expect.anything()]);
  return answer;
};
const refused = async (body: Draft) => {
  const { status, body: answer } = await post<ErrorBody>(body);
  return [status, answer.errors[0]?.code, answer.errors[0]?.message, answer.errors[0]?.path];
};

const average = { aggregation: "avg", column: "delay" };
const count = { aggregation: "count" };

describe("a breakdown by values", () => {
  it("ranks the groups of a search by the first measure, the rows without a value last", async () => {
    const answer = await run({ by: [{ kind: "value", column: "origin" }], measures: [average, count], totals: true });
    expect(answer.measures).toEqual([
      { id: "avg(delay)", unit: "min", type: "decimal", isEstimate: false },
      { id: "count(*)", unit: null, type: "integer", isEstimate: false },
    ]);
    expect(answer.by).toEqual([
      {
        id: "origin",
        kind: "value",
        column: "origin",
        type: "STRING",
        found: 3,
        failing: { groups: 0, rows: 0 },
        entries: ["SBP", "ORD", "", null].map((value) => {
          const narrow = { filters: [{ name: "origin", operator: "=", value }] };
          return value === null ? { kind: "empty", narrow } : { kind: "value", value, narrow };
        }),
      },
    ]);
    expect(answer.cells).toEqual([
      { at: [0], values: [22, 2] },
      { at: [1], values: [9.5, 3] },
      { at: [2], values: [5, 1] },
      { at: [3], values: [7, 1] },
    ]);
    expect(answer.totals).toEqual({ all: { values: [12.5, 7] }, axes: [] });
    expect(answer).toMatchObject({ rows: 7, isCut: false, engine: "DuckDB", compare: null });
  });

  it("names the best groups that meet the conditions, and computes Other from all rows that are left", async () => {
    const top = { count: 1, by: "avg(delay)", other: true };
    const having = [{ measure: "count(*)", operator: ">=" as const, value: 3 }];
    const answer = await run({ by: [{ kind: "value", column: "origin", top }], measures: [average, count], having });
    expect(answer.by[0]).toMatchObject({ found: 3, failing: { groups: 2, rows: 3 } });
    expect(answer.by[0]?.entries).toMatchObject([{ kind: "value", value: "ORD" }, { kind: "other", count: 2 }, { kind: "empty" }]);
    expect(answer.cells.map(({ values }) => values)).toEqual([
      [9.5, 3],
      [49 / 3, 3],
      [7, 1],
    ]);
  });

  it("crosses two columns, with the totals of both", async () => {
    const by = [
      { kind: "value" as const, column: "origin", sort: { by: "key" } },
      { kind: "value" as const, column: "delay", top: { count: 2, by: "sum(delay)", other: true }, empty: "hide" as const },
    ];
    const answer = await run({ by, measures: [count, { aggregation: "sum", column: "delay" }], totals: true });
    expect(answer.by.map(({ entries }) => entries.map((entry) => ("value" in entry ? entry.value : entry.kind)))).toEqual([
      ["", "ORD", "SBP", "empty"],
      [24, 20, "other"],
    ]);
    expect(answer.cells).toEqual([
      { at: [0, 2], values: [1, 5] },
      { at: [1, 2], values: [2, 19] },
      { at: [2, 0], values: [1, 24] },
      { at: [2, 1], values: [1, 20] },
      { at: [3, 2], values: [1, 7] },
    ]);
    expect(answer.totals?.axes[0]?.map(({ values }) => values)).toEqual([
      [1, 5],
      [3, 19],
      [2, 44],
      [1, 7],
    ]);
    expect(answer.totals?.all.values).toEqual([7, 75]);
  });

  it("has entries that find their rows, whole numbers from 2^53 on included", async () => {
    const large = String(2 ** 53);
    await app.bench.prepare(
      `copy (select * from (values (${large}), (${large}), (-${large}), (5)) as rows(delay)) to 'FOLDER/large.parquet' (format parquet)`,
    );
    await addDataset(app, {
      id: "large",
      source: { kind: "files", glob: "large.parquet", format: "parquet" },
      schema: { columns: [buildColumn("delay", "integer")] },
    });
    const { body: answer } = await post<BreakdownAnswer>(
      { by: [{ kind: "value", column: "delay", top: { count: 2, by: "count(*)", other: true } }], measures: [count] },
      "large",
    );
    expect(answer.cells.map(({ values }) => values[0])).toEqual([2, 1, 1]);
    const found = answer.by[0]?.entries.map(async ({ narrow }) => {
      const { status, body } = await app.call<RowCount>([], "POST", "/datasets/Tests/large/rowCount", { filters: narrow?.filters ?? [] });
      return [status, body.rows];
    });
    expect(await Promise.all(found ?? [])).toEqual([
      [200, 2],
      [200, 1],
      [200, 1],
    ]);
  });

  it("is one cell without a grouping", async () => {
    const measures = ["median", "min", "max", "distinct", "stddev"].map((aggregation) => ({ aggregation, column: "delay" }));
    const late = { aggregation: "rate", where: [{ name: "delay", operator: ">=", value: 10 }] };
    const answer = await run({ measures: [...measures, { aggregation: "percentile", column: "delay", p: 0.9 }, late] });
    expect(answer.cells).toEqual([{ at: [], values: [9.5, 5, 24, 6, expect.closeTo(7.662, 2), 22, (100 * 3) / 7] }]);
    expect(answer.measures.map(({ id }) => id).slice(-2)).toEqual(["p90(delay)", "rate"]);
  });
});

describe("a breakdown is refused", () => {
  it.each<[string, Draft, unknown[]]>([
    [
      "with an unknown aggregation",
      { measures: [{ aggregation: "mode", column: "delay" }] },
      [
        400,
        "unknown-aggregation",
        "There is no aggregation 'mode'; there are count, distinct, sum, avg, median, percentile, min, max, stddev, share, rate.",
        "measures.0.aggregation",
      ],
    ],
    [
      "with a column of another type",
      { measures: [{ aggregation: "median", column: "origin" }] },
      [400, "not-supported", "median cannot be taken over 'origin', which is STRING.", "measures.0.column"],
    ],
    [
      "with a measure that is not asked for",
      { by: [{ kind: "value", column: "origin", top: { count: 1, by: "latest" } }], measures: [count] },
      [400, "invalid-request", "'latest' names no measure.", "by.0.top.by"],
    ],
    [
      "with too many cells",
      { by: ["origin", "delay", "date"].map((column) => ({ kind: "value", column })), measures: [count] },
      [
        413,
        "too-large",
        "This breakdown has 4 × 7 × 7 = 196 cells; one answer holds 60. Ask for fewer groups, longer steps of time or a shorter range.",
        undefined,
      ],
    ],
    [
      "with an unknown field",
      { measures: [{ ...count, colour: "red" } as typeof count] },
      [400, "invalid-request", "'measures.0.colour': there is no such field.", "measures.0.colour"],
    ],
  ])("%s", async (_, body, expected) => {
    expect(await refused(body)).toEqual(expected);
  });
});

it("shows averages and medians of single precision as the column shows its values", async () => {
  await app.bench
    .prepare(`copy (select g, cast(v as float) as v from (values ('a', 0.1), ('a', 0.1), ('b', 0.1), ('b', 0.2), ('c', 'NaN'::double),
    ('c', 16777217.3)) as rows(g, v)) to 'FOLDER/singles.parquet' (format parquet)`);
  const columns = [buildColumn("g", "STRING"), buildColumn("v", "decimal")];
  await addDataset(app, { id: "singles", source: { kind: "files", glob: "singles.parquet", format: "parquet" }, schema: { columns } });
  const measures = ["avg", "median", "max"].map((aggregation) => ({ aggregation, column: "v" }));
  const { body } = await post<BreakdownAnswer>({ by: [{ kind: "value", column: "g", sort: { by: "key" } }], measures }, "singles");
  expect(body.cells.map(({ values }) => values)).toEqual([
    [0.1, 0.1, 0.1],
    [0.15, 0.15, 0.2],
    [16_777_218, 16_777_218, 16_777_218],
  ]);
  const search = { filters: [{ name: "g", operator: "=", value: "a" }] };
  expect((await app.call([], "POST", "/datasets/Tests/singles/aggregate/avg/v", search)).body).toEqual({ "avg(v)": 0.1 });
});
