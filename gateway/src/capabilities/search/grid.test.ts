import type { ErrorBody } from "@fairway/contract/errors";
import type { GridCells, GridRows } from "@fairway/contract/grid";
import type { SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalDatasets } from "#entities/entity-types.ts";
import { type DatasetApp, addDataset, buildColumn, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [
  buildColumn("n", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
];
const base = {
  category: "Tests",
  schema: { columns },
  temporalField: "at",
  locationField: "place",
  filterSupport: buildFilterSupport({ supportsTimeRange: true }),
};

beforeAll(async () => {
  app = await datasetApp({ limits: { gridCells: 1_000, gridFrameValues: 10, mapRows: 50 } });
  // One row per degree of longitude along 10.5 N, one at each pole, and three that are nowhere.
  await app.bench.prepare(`copy (
    select i as n, 'row ' || i as name, timestamp '2024-01-01' + to_hours(i) as at, 10.5 as lat, i - 179.5 as lng from range(360) t(i)
    union all values (360, 'north', timestamp '2024-02-01', 90, 0), (361, 'south', timestamp '2024-02-02', -90, 0),
      (362, 'nowhere', timestamp '2024-02-03', null, 0), (363, 'neither', timestamp '2024-02-03', 3, 'nan'::double), (364, 'far', null, 91, 0)
    ) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, { ...base, id: "places" });
  await addDataset(app, { ...base, id: "secret", roles: ["insider"] });
  await addDataset(app, { ...base, id: "nowhere", locationField: null });
  await addDataset(app, { ...base, id: "timeless", temporalField: null, filterSupport: buildFilterSupport() });
  await addDataset(app, { ...base, id: "uncounted", features: ["SAMPLE", "PAGINATION"] });
  await addDataset(app, { ...base, id: "required", filterSupport: buildFilterSupport({ requiredOrFields: ["n"] }) });
  await app.entities.create(externalDatasets, {
    name: "Services",
    baseRoute: "http://localhost:1",
    apis: [{ name: "calls", path: "/", method: 0, filters: [] }],
  });
});
afterAll(() => app.close());

const post = <Body>(path: string, body: unknown) => app.call<Body>([], "POST", `/datasets/${path}`, body);
const grid = async (body: unknown): Promise<GridCells> => (await post<GridCells>("Tests/places/grid", body)).body;
const refused = async (body: unknown, path = "Tests/places/grid") => {
  const { status, body: error } = await post<ErrorBody>(path, body);
  const [first] = error.errors;
  return [status, first?.code, first?.message, first?.path];
};

describe("rows per cell", () => {
  it("are those of the world, with what is not placed", async () => {
    expect(await grid({ level: 1 })).toEqual({
      kind: "cells",
      level: 1,
      within: [-180, -90, 180, 90],
      rows: 362,
      totals: { rows: 365, placed: 362, missing: 2, outOfRange: 1, polar: 2 },
      cells: { x: [0, 1, 1], y: [0, 0, 1], rows: [180, 181, 1] },
    });
  });

  it("are those of a view, which is enlarged to whole cells, with a measure", async () => {
    expect(await grid({ level: 3, within: [-40, 1, 40, 2], measure: { aggregation: "avg", column: "n" } })).toEqual({
      kind: "cells",
      level: 3,
      within: [-45, 0, 45, expect.closeTo(40.9799, 4)],
      rows: 90,
      cells: { x: [3, 4], y: [3, 3], rows: [45, 45], counted: [45, 45], value: [157, 202] },
    });
  });

  it("cross the antimeridian", async () => {
    const across = await grid({ level: 3, within: [170, 0, -170, 20] });
    expect(across).toMatchObject({ within: [135, 0, 225, expect.closeTo(40.9799, 4)], cells: { x: [0, 7], rows: [45, 45] } });
    expect(await grid({ level: 3, within: [170, 0, 190, 20] })).toEqual(across);
  });

  it("follow time range, filters and computed columns", async () => {
    const filters = [{ name: "half", operator: "<", value: 100 }];
    expect(await grid({ level: 0, computed: [{ name: "half", expression: "n / 2" }], filters })).toMatchObject({ rows: 200 });
    expect(await grid({ level: 0, timeRange: { start: "2024-02-01T00:00:00Z" } })).toMatchObject({ rows: 2, totals: { rows: 4 } });
  });

  it("are as many as a search within the box of a cell finds", async () => {
    const { cells } = await grid({ level: 4 });
    for (const [index, x] of cells.x.entries()) {
      const width = 360 / 16;
      const isNorth = cells.y[index] === 0;
      const isSouth = cells.y[index] === 15;
      const [south, north] = isNorth ? [80, 90] : isSouth ? [-90, -80] : [0, 21.94304553343816];
      const within = [x * width - 180, south, (x + 1) * width - 180, north];
      const { body } = await post<{ rows: number }>("Tests/places/rowCount", { within });
      expect([x, body.rows]).toEqual([x, cells.rows[index]]);
    }
  });
});

describe("rows per cell in steps of time", () => {
  const days = { unit: "day", size: 1, startMs: Date.parse("2024-01-01"), endMs: Date.parse("2024-01-03T12:00:00Z") };

  it("are the buckets of time, and sparse by cell, then bucket", async () => {
    const answer = await grid({ level: 1, time: days });
    expect(answer).toMatchObject({ rows: 362, cells: { x: [0, 1, 1], y: [0, 0, 1], rows: [180, 181, 1] } });
    expect(answer.time).toEqual({
      buckets: [0, 1, 2].map((day) => ({
        startMs: days.startMs + day * 86_400_000,
        endMs: days.startMs + (day + 1) * 86_400_000,
        rows: 24,
      })),
      untimed: 0,
      elsewhen: 290,
    });
    expect(answer.frames).toEqual({ cell: [0, 0, 0], bucket: [0, 1, 2], rows: [24, 24, 24] });
  });

  it("have the sum of an average, and the value of another measure", async () => {
    const months = { ...days, unit: "month", endMs: Date.parse("2024-02-20") };
    const view = { level: 3, within: [-40, 1, 40, 2], time: months };
    const average = await grid({ ...view, measure: { aggregation: "avg", column: "n" } });
    expect(average).toMatchObject({ cells: { counted: [45, 45], value: [157, 202] } });
    expect(average.frames).toEqual({ cell: [0, 1], bucket: [0, 0], rows: [45, 45], counted: [45, 45], sum: [157 * 45, 202 * 45] });
    const greatest = await grid({ ...view, measure: { aggregation: "max", column: "n" } });
    expect(greatest.frames).toEqual({ cell: [0, 1], bucket: [0, 0], rows: [45, 45], counted: [45, 45], value: [179, 224] });
    expect(average.time?.buckets.map(({ endMs }) => endMs)).toEqual([Date.parse("2024-02-01"), Date.parse("2024-03-01")]);
  });

  it.each<[string, object, unknown[]]>([
    [
      "no start of a month",
      { unit: "month", startMs: days.startMs + 1 },
      [400, "invalid-value", "'startMs' is not the start of a month.", "time.startMs"],
    ],
    [
      "no start of some hours",
      { unit: "hour", size: 6, startMs: days.startMs + 3_600_000 },
      [400, "invalid-value", "'startMs' is not the start of a step of 6 hours.", "time.startMs"],
    ],
    ["a size that buckets do not have", { size: 4 }, [400, "invalid-value", "There are no steps of 4 days.", "time.size"]],
    ["an end before the start", { endMs: days.startMs }, [400, "reversed-range", "The playback ends before it starts.", "time.endMs"]],
    [
      "too many steps",
      { unit: "minute" },
      [413, "too-large", "A playback has at most 120 steps. Use longer steps or a shorter time.", "time"],
    ],
    [
      "too many values",
      { unit: "hour", endMs: days.startMs + 11 * 3_600_000 },
      [413, "too-large", "This playback has more than 10 values. Use a lower level, a smaller view or longer steps.", "time"],
    ],
  ])("refuse %s", async (_, time, expected) => {
    expect(await refused({ level: 4, time: { ...days, ...time } })).toEqual(expected);
  });

  it("have as many steps as are allowed", async () => {
    const time = { ...days, unit: "month", endMs: Date.parse("2034-01-01") };
    expect((await grid({ level: 0, time })).time?.buckets).toHaveLength(120);
  });

  it("need a column of times", async () => {
    const expected = [400, "not-supported", "The rows of this dataset cannot be counted over time.", "time"];
    expect(await refused({ level: 1, time: days }, "Tests/timeless/grid")).toEqual(expected);
  });
});

describe("rows one by one", () => {
  it("are answered if there are few, in order, with position, time and the values asked for", async () => {
    const { body } = await post<GridRows>("Tests/places/grid", { level: 3, within: [-40, 1, -40, 1], rows: 45, values: ["name"] });
    expect(body).toMatchObject({ kind: "rows", level: 3, rows: 45 });
    expect(body.results).toHaveLength(45);
    expect(body.results[0]).toEqual({ lat: 10.5, lng: -0.5, at: Date.parse("2024-01-08T11:00:00Z"), name: "row 179" });
    expect(body.results.map((row) => row["lng"])).toEqual(Array.from({ length: 45 }, (_, index) => -0.5 - index));
  });

  it("are cells if there are more", async () => {
    expect(await grid({ level: 3, within: [-40, 1, -40, 1], rows: 44 })).toMatchObject({ kind: "cells", rows: 45 });
  });
});

describe("a search within a view", () => {
  it("finds the rows of the box as it is, in every call", async () => {
    const within = [-10, 10, 10, 11];
    const { body } = await post<SearchAnswer>("Tests/places/search", { within });
    expect(body.results.map((row) => row["lng"])).toEqual(Array.from({ length: 20 }, (_, index) => 9.5 - index));
    expect((await post("Tests/places/aggregate/count/*", { within })).body).toEqual({ totalResults: 20 });
    expect((await post("Tests/places/distribution/time", { within })).body).toMatchObject({ newestMs: Date.parse("2024-01-08T21:00:00Z") });
    expect((await post("Tests/places/distribution/columns", { within, columns: ["n"] })).body).toMatchObject({ rows: 20 });
  });

  it("never satisfies a required filter", async () => {
    const [status, code] = await refused({ level: 2, within: [0, 0, 1, 1] }, "Tests/required/grid");
    expect([status, code]).toEqual([400, "missing-filter"]);
  });

  it("is refused for datasets without a location, and for others than rows on Earth", async () => {
    expect(await refused({ within: [0, 0, 1, 1] }, "Tests/nowhere/search")).toEqual([
      400,
      "not-supported",
      "This dataset cannot be narrowed to a view.",
      "within",
    ]);
    expect(await refused({ within: [0, 0, 1, 1] }, "Services/calls/search")).toEqual([
      400,
      "not-supported",
      "This dataset cannot be narrowed to a view.",
      "within",
    ]);
  });
});

describe("a grid is refused", () => {
  it.each([
    [{ within: [0, 0, 1] }, "invalid-value", "The view needs four numbers: west, south, east, north.", "within"],
    [{ within: [0, 2, 1, 1] }, "invalid-value", "The view's south edge lies north of its north edge.", "within"],
    [{ within: [0, 0, 1, 91] }, "invalid-value", "The view reaches beyond 90 degrees of latitude.", "within"],
    [{ within: [0, 0, 361, 1] }, "invalid-value", "The view is wider than the world.", "within"],
    [{ within: [-181, 0, 1, 1] }, "invalid-value", "The view's west edge lies between -180 and 180 degrees.", "within"],
    [{ level: 25 }, "invalid-request", "A level is a whole number from 0 to 24.", "level"],
    [{ level: 1.5 }, "invalid-request", "A level is a whole number from 0 to 24.", "level"],
    [{ rows: 51 }, "invalid-request", "A map shows at most 50 rows one by one, not 51.", "rows"],
    [{ values: ["n"] }, "not-supported", "'values' are those of rows: send 'rows' as well.", "values"],
    [{ paging: { offset: 0, max: 1 } }, "not-supported", "A grid is not paged: omit 'paging'.", "paging"],
    [{ sort: [] }, "not-supported", "A grid cannot be sorted: omit 'sort'.", "sort"],
    [{ columns: ["n"] }, "not-supported", "'columns' is for path calls only.", "columns"],
    [
      { measure: { aggregation: "count", column: "n" } },
      "unknown-aggregation",
      "There is no measure 'count'; there are avg, sum, min, max. Rows are always counted.",
      "measure.aggregation",
    ],
    [
      { measure: { aggregation: "avg", column: "name" } },
      "not-supported",
      "avg cannot be computed for 'name', which is STRING.",
      "measure.column",
    ],
  ])("for %j", async (data, ...expected) => {
    expect(await refused({ level: 2, ...data })).toEqual([400, ...expected]);
  });

  it("if it has too many cells, before the engine is asked", async () => {
    expect(await refused({ level: 5 })).toEqual([
      413,
      "too-large",
      "This view has 32 × 32 = 1,024 cells; one answer holds 1,000. Use a lower level or a smaller view.",
      "level",
    ]);
  });

  it("where rows cannot be counted by place", async () => {
    expect((await refused({ level: 2 }, "Tests/nowhere/grid"))[2]).toBe("Rows of this dataset have no location.");
    expect((await refused({ level: 2 }, "Services/calls/grid"))[2]).toBe("The service behind this dataset cannot count rows by place.");
    expect((await refused({ level: 2 }, "Tests/uncounted/grid"))[2]).toBe("The rows of this dataset cannot be counted.");
  });

  it("to those who may not know of the dataset as if there were none", async () => {
    const hidden = await refused({ level: 2 }, "Tests/secret/grid");
    expect(hidden.slice(0, 2)).toEqual((await refused({ level: 2 }, "Tests/none/grid")).slice(0, 2));
  });
});
