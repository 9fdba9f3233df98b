import type { BreakdownAnswer, BreakdownEntry, BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import type { ErrorBody } from "@fairway/contract/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;

beforeAll(async () => {
  app = await datasetApp();
  // One row for each hour of two years, and rows without a time and beyond the years of calendars.
  await app.bench.prepare(`copy (
      select i as n, (i % 7) / 10 as real, make_timestamp_ms(1_672_531_200_000 + i * 3_600_000) as at from range(17_520) t(i)
      union all select -1, null, null union all select -2, null, timestamp '12000-01-01') to 'FOLDER/hours.parquet' (format parquet)`);
  await addDataset(app, {
    id: "hours",
    source: { kind: "files", glob: "hours.parquet", format: "parquet" },
    schema: { columns: [buildColumn("n", "integer"), buildColumn("real", "decimal"), buildColumn("at", "TIMESTAMP_MILLS")] },
    temporalField: "at",
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
  await addDataset(app, {
    id: "timeless",
    source: { kind: "files", glob: "hours.parquet", format: "parquet" },
    schema: { columns: [buildColumn("n", "integer"), buildColumn("real", "decimal")] },
  });
});
afterAll(() => app.close());

type Draft = Omit<BreakdownRequestDraft, "search" | "measures"> & Partial<Pick<BreakdownRequestDraft, "search" | "measures">>;
const count = { aggregation: "count" };
const post = <Body>(body: Draft, id = "hours") =>
  app.call<Body>([], "POST", `/datasets/Tests/${id}/breakdown`, { search: {}, measures: [count], ...body });
const run = async (body: Draft): Promise<BreakdownAnswer> => {
  const { status, body: answer } = await post<BreakdownAnswer>(body);
  expect([status, answer]).toEqual([200, expect.anything()]);
  return answer;
};
const counts = ({ cells }: BreakdownAnswer) => cells.map(({ values }) => values[0]);
const texts = (answer: BreakdownAnswer) => answer.by[0]?.entries.map((entry) => ("text" in entry ? entry.text : entry.kind));
const of2023 = { start: "2023-01-01T05:00:00Z", end: "2024-01-01T04:59:59.999Z" };
const newYork = "America/New_York";

/** Every entry finds as many rows as it counts, for which filters have to exist. */
async function expectPromise(
  answer: BreakdownAnswer,
  search: object = {},
  kinds: readonly BreakdownEntry["kind"][] = ["value", "empty", "time", "range", "group"],
) {
  const entries = answer.by[0]?.entries ?? [];
  for (const [index, entry] of entries.entries()) {
    if (entry.narrow === null || !kinds.includes(entry.kind)) continue;
    const { filters = [], ...rest } = search as { filters?: object[] };
    const narrowed = { ...rest, ...entry.narrow, filters: [...filters, ...(entry.narrow.filters ?? [])] };
    const { body } = await app.call<{ rows: number }>([], "POST", "/datasets/Tests/hours/rowCount", narrowed);
    expect([entry, body.rows]).toEqual([entry, answer.cells[index]?.values[0]]);
  }
}

describe("a breakdown by time", () => {
  it("counts days of a zone from midnight to midnight, which have 23, 24 or 25 hours", async () => {
    const search = { timeRange: of2023 };
    const answer = await run({ search, by: [{ kind: "time", unit: "day", zone: newYork }] });
    const days = answer.by[0]?.entries ?? [];
    expect([days.length, answer.by[0]?.found, answer.isCut]).toEqual([365, 365, false]);
    const byText = new Map(texts(answer)?.map((text, index) => [text, counts(answer)[index]]));
    expect(["2023-01-01T00:00", "2023-03-12T00:00", "2023-11-05T00:00"].map((text) => byText.get(text))).toEqual([24, 23, 25]);
    expect(counts(answer).reduce<number>((sum, value) => sum + Number(value), 0)).toBe(8_760);
    await expectPromise(
      { ...answer, by: answer.by.map((axis) => ({ ...axis, entries: axis.entries.slice(68, 72) })), cells: answer.cells.slice(68, 72) },
      search,
    );
  });

  it("has months, quarters and weeks, from the first to the last row without a range, and rows without a date besides", async () => {
    expect(counts(await run({ by: [{ kind: "time", unit: "quarter" }] }))).toEqual([2160, 2184, 2208, 2208, 2184, 2184, 2208, 2184, 1, 1]);
    const years = await run({ by: [{ kind: "time", unit: "year", zone: "Asia/Kolkata" }] });
    expect(texts(years)).toEqual(["2023-01-01T00:00", "2024-01-01T00:00", "outside", "empty"]);
    await expectPromise(years);
    const weeks = await run({ by: [{ kind: "time", unit: "week", size: 26, weekStart: "sunday" }] });
    expect(texts(weeks)?.slice(0, 2)).toEqual(["2022-10-30T00:00", "2023-04-30T00:00"]);
  });

  it("makes two buckets of the repeated hour, none of the skipped one, and none empty in between", async () => {
    const hours = async (start: string, end: string, zone: string, unit: "hour" | "minute" = "hour", size = 1) =>
      texts(await run({ search: { timeRange: { start, end } }, by: [{ kind: "time", unit, size, zone }] }));
    expect(await hours("2023-11-05T05:00:00Z", "2023-11-05T07:59:59Z", newYork)).toEqual(
      ["01:00", "01:00", "02:00"].map((hour) => `2023-11-05T${hour}`),
    );
    expect(await hours("2023-03-12T06:00:00Z", "2023-03-12T07:59:59Z", newYork)).toEqual(["2023-03-12T01:00", "2023-03-12T03:00"]);
    expect(await hours("2023-01-01T00:00:00Z", "2023-01-01T01:29:59Z", "Asia/Kolkata")).toEqual(["2023-01-01T05:00", "2023-01-01T06:00"]);
    expect(await hours("2023-09-30T15:00:00Z", "2023-09-30T16:29:59Z", "Australia/Lord_Howe")).toEqual([
      "2023-10-01T01:00",
      "2023-10-01T02:30",
      "2023-10-01T03:00",
    ]);
  });

  it("groups by parts of the local time, all of which are answered by number and name", async () => {
    const search = { timeRange: of2023 };
    const days = await run({ search, by: [{ kind: "part", part: "dayOfWeek", zone: newYork, weekStart: "sunday" }] });
    const names = days.by[0]?.entries.map((entry) => ("name" in entry ? [entry.number, entry.name] : entry.kind));
    expect(names?.slice(0, 2)).toEqual([
      [7, "Sunday"],
      [1, "Monday"],
    ]);
    expect(counts(days)).toEqual([53 * 24, 52 * 24, 52 * 24, 52 * 24, 52 * 24, 52 * 24, 52 * 24]);
    expect(days.by[0]?.entries[0]?.narrow).toEqual({
      filters: [{ name: "at", operator: "when", value: { part: "dayOfWeek", zone: newYork, in: [7] } }],
    });
    const hours = await run({ search, by: [{ kind: "part", part: "hourOfDay", zone: newYork }] });
    expect(counts(hours).slice(0, 4)).toEqual([365, 366, 364, 365]);
    for (const part of ["minuteOfHour", "dayOfMonth", "weekOfYear", "monthOfYear", "quarterOfYear"] as const) {
      const answer = await run({ by: [{ kind: "part", part, zone: "Asia/Kolkata" }] });
      expect([part, counts(answer).reduce<number>((sum, value) => sum + Number(value), 0)]).toEqual([part, 17_522]);
    }
  });
});

describe("a breakdown by ranges", () => {
  it("compares with the edges themselves, the first and last of which are open", async () => {
    const answer = await run({ by: [{ kind: "range", column: "real", width: 0.1 }] });
    const ranges = answer.by[0]?.entries.map((entry) => ("from" in entry ? [entry.from, entry.to] : entry.kind));
    expect(ranges).toEqual([[null, 0.1], [0.1, 0.2], [0.2, 0.3], [0.3, 0.4], [0.4, 0.5], [0.5, 0.6], [0.6, null], "empty"]);
    expect(counts(answer)).toEqual([2503, 2503, 2503, 2503, 2503, 2503, 2502, 2]);
    await expectPromise(answer);
  });

  it("takes given edges and round ones", async () => {
    const given = await run({ by: [{ kind: "range", column: "n", edges: [-1.5, 0, 100] }] });
    expect(counts(given)).toEqual([1, 1, 100, 17_420]);
    await expectPromise(given);
    const round = await run({ by: [{ kind: "range", column: "n", about: 4 }] });
    expect(round.by[0]?.entries.map((entry) => ("from" in entry ? entry.from : entry.kind))).toEqual(
      [null, 5000, 10_000, 15_000, "empty"].slice(0, 4),
    );
  });
});

describe("a breakdown by groups", () => {
  const low = { label: "low", filters: [{ name: "n", operator: "<", value: 100 }] };
  const even = {
    label: "some",
    filters: [
      { name: "n", operator: ">=", value: 50 },
      { name: "n", operator: "<", value: 150 },
    ],
  };

  it("has a row in every group that it matches, or in the first, and the others together", async () => {
    const all = await run({ by: [{ kind: "groups", groups: [low, even], other: true }], totals: true });
    expect([counts(all), all.totals?.all.values]).toEqual([[102, 100, 17_370], [17_522]]);
    await expectPromise(all);
    const first = await run({ by: [{ kind: "groups", groups: [low, even], match: "first", other: true }] });
    expect(counts(first)).toEqual([102, 50, 17_370]);
    expect(first.by[0]?.entries[1]).toMatchObject({ label: "some", narrow: null, reason: expect.stringContaining("first group") });
  });

  it("crosses groups with time, with totals of rows", async () => {
    const answer = await run({
      search: { timeRange: of2023 },
      by: [
        { kind: "groups", groups: [low, even] },
        { kind: "time", unit: "month", zone: newYork },
      ],
      totals: true,
    });
    expect(answer.cells).toEqual([
      { at: [0, 0], values: [95] },
      { at: [1, 0], values: [100] },
    ]);
    expect(answer.totals?.axes.map((totals) => totals.slice(0, 2).map(({ values }) => values[0]))).toEqual([
      [95, 100],
      [744, 672],
    ]);
  });
});

describe("a comparison", () => {
  const may = { start: "2024-05-01T00:00:00Z", end: "2024-05-31T23:59:59Z" };

  it.each([
    ["before", may, { start: "2024-04-01T00:00:00Z", end: "2024-04-30T23:59:59Z" }],
    [
      "before",
      { start: "2024-03-01T00:00:00Z", end: "2024-04-30T23:59:59Z" },
      { start: "2024-01-01T00:00:00Z", end: "2024-02-29T23:59:59Z" },
    ],
    [
      "before",
      { start: "2024-05-03T00:00:00Z", end: "2024-05-09T23:59:59Z" },
      { start: "2024-04-26T00:00:00Z", end: "2024-05-02T23:59:59Z" },
    ],
    [
      "before",
      { start: "2024-05-03T10:00:00Z", end: "2024-05-03T10:00:59Z" },
      { start: "2024-05-03T09:59:00Z", end: "2024-05-03T09:59:59Z" },
    ],
    [
      "year-before",
      { start: "2024-02-29T00:00:00Z", end: "2024-03-01T23:59:59Z" },
      { start: "2023-02-28T00:00:00Z", end: "2023-03-01T23:59:59Z" },
    ],
    [{ start: "2023-05-01T00:00:00Z", end: "2023-05-01T23:59:59Z" }, may, { start: "2023-05-01T00:00:00Z", end: "2023-05-01T23:59:59Z" }],
  ] as const)("with %j of %j is with %j", async (to, timeRange, expected) => {
    expect((await run({ search: { timeRange }, compare: { to } })).compare).toEqual({ timeRange: expected });
  });

  it("pairs days by their place, so that the last of the longer month has no partner", async () => {
    const answer = await run({ search: { timeRange: may }, by: [{ kind: "time", unit: "day" }], compare: { to: "before" }, totals: true });
    expect([answer.cells[0], answer.cells[30]]).toEqual([
      { at: [0], values: [24], before: [24] },
      { at: [30], values: [24], before: null },
    ]);
    expect(answer.totals?.all).toEqual({ values: [744], before: [720] });
  });

  it("pairs values by key, keeps groups that vanished, and sorts by the change", async () => {
    const column = "real";
    const search = { timeRange: { start: "2023-01-01T00:00:00Z", end: "2023-01-01T02:59:59Z" } };
    const to = { start: "2023-01-01T02:00:00Z", end: "2023-01-01T08:59:59Z" };
    const answer = await run({ search, by: [{ kind: "value", column, sort: { by: "key" } }], compare: { to } });
    expect(answer.by[0]?.entries.map((entry) => ("value" in entry ? entry.value : entry.kind))).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    expect(answer.cells.slice(0, 4)).toEqual([
      { at: [0], values: [1], before: [1] },
      { at: [1], values: [1], before: [1] },
      { at: [2], values: [1], before: [1] },
      { at: [3], values: [0], before: [1] },
    ]);
    const changed = await run({
      search,
      by: [{ kind: "value", column, sort: { by: "count(*)", of: "change", direction: "asc" } }],
      compare: { to },
    });
    expect(changed.cells.map(({ values, before }) => [values[0], before?.[0]])[0]).toEqual([0, 1]);
  });
});

describe("a breakdown of times is refused", () => {
  it.each<[string, Draft, string, unknown[]]>([
    [
      "in a zone that is none",
      { by: [{ kind: "time", unit: "day", zone: "+05:30" }] },
      "hours",
      [400, "invalid-value", "'+05:30' is not a time zone; name one such as America/New_York.", "by.0.zone"],
    ],
    [
      "without a time column",
      { by: [{ kind: "part", part: "dayOfWeek" }] },
      "timeless",
      [400, "not-supported", "This dataset has no time column; name one in 'column'.", "by.0.column"],
    ],
    [
      "in comparison without both ends",
      { search: { timeRange: { start: "2023-01-01T00:00:00Z" } }, compare: { to: "before" } },
      "hours",
      [400, "invalid-request", "A comparison needs a time range with both ends.", "compare"],
    ],
    [
      "with too many cells",
      {
        by: [
          { kind: "part", part: "minuteOfHour" },
          { kind: "time", unit: "hour", size: 12 },
        ],
      },
      "hours",
      [
        413,
        "too-large",
        "This breakdown has 61 × 1,462 = 89,182 cells; one answer holds 50,000. Ask for fewer groups, longer steps of time or a shorter range.",
        undefined,
      ],
    ],
  ])("%s", async (_, body, id, expected) => {
    const { status, body: answer } = await post<ErrorBody>(body, id);
    const [error] = answer.errors;
    expect([status, error?.code, error?.message, error?.path]).toEqual(expected);
  });
});
