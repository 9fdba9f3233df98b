import type { ErrorBody } from "@fairway/contract/errors";
import type { SearchAnswer, SearchFilter } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDataset, buildFilterSupport, type DatasetApp, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;

const columns = [
  ["id", "integer"],
  ["name", "STRING"],
  ["flag", "BOOLEAN"],
  ["big", "integer"],
  ["real", "decimal"],
  ["at", "TIMESTAMP_MILLS"],
  ["second", "TIMESTAMP_SECONDS"],
] as const;

beforeAll(async () => {
  app = await datasetApp({ limits: { filtersPerSearch: 4, filterListValues: 3 } });
  await app.bench.prepare(`copy (
    select i as id, ['San Juan', 'sand', '100%', 'İzmir', '', null][1 + i] as name, i < 2 as flag, 9007199254740991 + i as big,
      [-0.0, 0.1, 'NaN'::double, 'infinity'::double, null, 5][1 + i] as real,
      timestamp '2020-01-04 23:30:00.250' + to_hours(12 * i) as at, timestamp '2020-01-04 23:30:00.250' + to_hours(12 * i) as second
    from range(6) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  const schema = { columns: columns.map(([name, type]) => ({ name, type, description: "", combined: null })) };
  const base = { category: "Tests", schema, temporalField: "at", orderBy: [{ column: "id", direction: "asc" as const }] };
  await addDataset(app, { ...base, id: "open" });
  await addDataset(app, { ...base, id: "named", filterSupport: buildFilterSupport({ requiredOrFields: ["name", "id"] }) });
});
afterAll(() => app.close());

const post = <Body>(id: string, filters: unknown, rest = "search") =>
  app.call<Body>([], "POST", `/datasets/Tests/${id}/${rest}`, { filters });

async function found(filters: readonly SearchFilter[], id = "open"): Promise<unknown> {
  const { status, body } = await post<SearchAnswer>(id, filters);
  return status === 200 ? body.results.map((row) => row["id"]) : body;
}

const weekend = { part: "dayOfWeek", zone: "UTC", in: [6, 7] };
const any = (...value: unknown[]) => ({ name: "*", operator: "any", value });
const one = (name: string, operator: string, value: unknown) => ({ name, operator, value });

describe("a search finds by", () => {
  it.each<[string, string, SearchFilter["value"], readonly number[]]>([
    ["name", "in", ["sand", "sand", "none"], [1]],
    ["name", "in", [null, ""], [4, 5]],
    ["name", "not in", ["sand"], [0, 2, 3, 4, 5]],
    ["name", "not in", ["sand", null], [0, 2, 3, 4]],
    ["name", "contains", "SAN", [0, 1]],
    ["name", "contains", "%", [2]],
    ["name", "not contains", "san", [2, 3, 4, 5]],
    ["name", "starts with", "san ", [0]],
    ["name", "starts with", "İ", [3]],
    ["name", "not starts with", "san", [2, 3, 4, 5]],
    ["name", "between", ["100%", "San Juan"], [0, 2]],
    ["flag", "in", ["true", null], [0, 1]],
    ["big", "in", ["9007199254740993", "-170141183460469231731687303715884105728"], [2]],
    ["big", "not in", ["170141183460469231731687303715884105727"], [0, 1, 2, 3, 4, 5]],
    ["big", "between", ["9007199254740993", "9007199254740994"], [2, 3]],
    ["real", "in", [0, 5, null], [0, 2, 3, 4, 5]],
    ["real", "between", [-1, 1e300], [0, 1, 5]],
    ["real", "not between", [0, 1], [2, 3, 4, 5]],
    ["second", "in", ["2020-01-04T23:30:00Z", "2020-01-05T23:30:00Z", "2020-01-05T23:30:01Z"], [0, 2]],
    ["at", "in", ["2020-01-04T23:30:00.250Z", "2020-01-05T23:30:00Z"], [0]],
    ["at", "when", weekend, [0, 1, 2]],
    ["at", "when", { ...weekend, zone: "Pacific/Auckland" }, [0]],
    ["at", "not when", weekend, [3, 4, 5]],
    ["at", "when", { part: "hourOfDay", zone: "America/New_York", in: [18] }, [0, 2, 4]],
  ])("%s %s %j", async (name, operator, value, expected) => {
    expect(await found([{ name, operator, value }])).toEqual(expected);
  });

  it("alternatives, of which each may have several filters, together with other filters", async () => {
    const either = [[one("id", "<", 2), one("name", "contains", "san")], [one("id", "in", [4, 5])]];
    expect(await found([any(...either) as SearchFilter])).toEqual([0, 1, 4, 5]);
    expect(await found([any(...either) as SearchFilter, one("id", ">", 0) as SearchFilter])).toEqual([1, 4, 5]);
  });

  it("required fields in each alternative", async () => {
    expect(await found([any([one("id", "=", 1)], [one("name", "in", ["sand"])]) as SearchFilter], "named")).toEqual([1]);
    const { body } = await post<ErrorBody>("named", [any([one("id", "=", 1)], [one("flag", "=", true)])]);
    expect(body.errors).toEqual([
      {
        code: "missing-filter",
        message: "To perform a search, you must add one of the following filters: name, id",
        path: "filters",
      },
    ]);
  });
});

describe("a search refuses", () => {
  const nothing = [one("id", "=", 1)];
  it.each<[unknown, string, string, string]>([
    [
      one("id", "~", 1),
      "unknown-operator",
      "filters.0.operator",
      "There is no operator '~'. Use one of: = <> < <= > >=, in, not in, between, not between, contains, not contains, starts with, not starts with, when, not when, any.",
    ],
    [one("id", "=", [1]), "invalid-request", "filters.0.value", "'=' takes one value."],
    [one("id", "in", 1), "invalid-request", "filters.0.value", "'in' takes a list of values."],
    [one("id", "in", []), "invalid-request", "filters.0.value", "'in' takes a list of values."],
    [one("id", "in", [1, 2, 3, 4]), "invalid-request", "filters.0.value", "A list can have at most 3 values, not 4."],
    [one("id", "in", [1, null, "x"]), "invalid-value", "filters.0.value.2", "'x' is not a whole number, but 'id' is integer."],
    [one("id", "between", [1]), "invalid-request", "filters.0.value", "'between' takes two values, the lower one first."],
    [one("id", "between", [1, null]), "invalid-request", "filters.0.value.1", "'between' takes no null."],
    [one("id", "between", [2, 1]), "reversed-range", "filters.0.value", "'2' is above '1': send the lower value first."],
    [one("name", "between", ["b", "B"]), "reversed-range", "filters.0.value", "'b' is above 'B': send the lower value first."],
    [one("flag", "between", [false, true]), "unknown-operator", "filters.0.operator", "'between' cannot filter BOOLEAN, which 'flag' is."],
    [one("id", "contains", "1"), "unknown-operator", "filters.0.operator", "'contains' cannot filter integer, which 'id' is."],
    [one("name", "contains", ""), "invalid-request", "filters.0.value", "'contains' takes a text that is not empty."],
    [one("name", "contains", null), "invalid-request", "filters.0.value", "'contains' takes a text."],
    [one("name", "contains", 1), "invalid-value", "filters.0.value", "'1' is not a text: send it in quotes, but 'name' is STRING."],
    [one("id", "when", weekend), "unknown-operator", "filters.0.operator", "'when' cannot filter integer, which 'id' is."],
    [one("at", "when", "Saturday"), "invalid-request", "filters.0.value", "'when' takes {part, zone, in}."],
    [one("at", "when", { ...weekend, in: [] }), "invalid-request", "filters.0.value.in", "'when' takes at least one number."],
    [
      one("at", "when", { ...weekend, in: [1, 8] }),
      "invalid-value",
      "filters.0.value.in.1",
      "'8' is no dayOfWeek, which is a whole number from 1 to 7.",
    ],
    [
      one("at", "when", { ...weekend, part: "era" }),
      "invalid-value",
      "filters.0.value.part",
      "There is no part 'era'. Use one of: minuteOfHour, hourOfDay, dayOfWeek, dayOfMonth, weekOfYear, monthOfYear, quarterOfYear.",
    ],
    [
      one("at", "when", { ...weekend, zone: "+05:30" }),
      "invalid-value",
      "filters.0.value.zone",
      "'+05:30' is not a time zone; name one such as America/New_York.",
    ],
    [one("*", "=", 1), "unknown-column", "filters.0.name", "This dataset has no column '*'."],
    [one("id", "any", [nothing, nothing]), "invalid-request", "filters.0.name", "'any' takes the name '*'."],
    [any(), "invalid-request", "filters.0.value", "'any' takes 2 to 10 lists of filters, not 0."],
    [any(nothing), "invalid-request", "filters.0.value", "'any' takes 2 to 10 lists of filters, not 1."],
    [any(nothing, []), "invalid-request", "filters.0.value.1", "An alternative has 1 to 10 filters, not 0."],
    [any(1, 2), "invalid-request", "filters.0.value", "'any' takes lists of filters."],
    [
      any(nothing, [one("*", "any", [1, 2])]),
      "invalid-request",
      "filters.0.value.1.0.operator",
      "Alternatives hold no further alternatives.",
    ],
    [
      any(nothing, [one("id", "in", [1, "x"])]),
      "invalid-value",
      "filters.0.value.1.0.value.1",
      "'x' is not a whole number, but 'id' is integer.",
    ],
    [
      any([...nothing, ...nothing, ...nothing], [...nothing, ...nothing]),
      "invalid-request",
      "filters",
      "A search can have at most 4 filters, not 5.",
    ],
    [
      one(
        "id",
        "in",
        Array.from({ length: 5_001 }, () => 1),
      ),
      "invalid-request",
      "filters",
      "The lists of a search can have at most 5,000 values together, not 5,001.",
    ],
  ])("%j", async (filter, code, path, message) => {
    for (const rest of ["search", "aggregate/count/*", "rowCount"]) {
      const { status, body } = await post<ErrorBody>("open", [filter], rest);
      expect([status, body.errors]).toEqual([400, [{ code, message, path }]]);
    }
  });

  it("a field that no filter has, also within alternatives", async () => {
    for (const filter of [{ ...one("id", "=", 1), not: true }, any(nothing, [{ ...one("id", "=", 1), not: true }])]) {
      const { status, body } = await post<ErrorBody>("open", [filter]);
      expect([status, body.errors[0]?.code]).toEqual([400, "invalid-request"]);
    }
  });
});

it("suggestions count what the rest of a search leaves, of any form, and take it only once", async () => {
  const search = { filters: [one("id", "in", [0, 1])] };
  const suggest = (body: object) => app.call([], "POST", "/datasets/Tests/open/columns/name/suggest", { contains: "san", ...body });
  expect(await suggest({ search })).toMatchObject({ status: 200, body: { complete: true, values: [{ rows: 1 }, { rows: 1 }] } });
  const { status, body } = await suggest({ search, timeRange: { start: "2020-01-01T00:00:00Z" } });
  expect([status, body.errors[0]?.path]).toEqual([400, "search"]);
});
