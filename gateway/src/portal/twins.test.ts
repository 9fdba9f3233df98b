import type { Column } from "@fairway/contract/columns";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Platform } from "#seed/seed.ts";
import { contractRoutes } from "#testing/contract-routes.ts";
import { buildColumn, buildDataset, buildFilterSupport } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";
import { type NamedDataset, rightsCases } from "#testing/rights-cases.ts";

/** The name of a withheld column, and a part of all of its values. */
const canary = "quagga";

const place: Column = buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } });
const shown = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("region", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("size", "integer"),
  place,
  buildColumn("double", "integer", { computed: { expression: "size * 2" } }),
  buildColumn("north", "decimal", { computed: { expression: "lat + 90" } }),
];
const withheld = [
  buildColumn(canary, "STRING", { description: `The ${canary} of the ward.` }),
  buildColumn("loud", "STRING", { computed: { expression: `upper(${canary})` } }),
  buildColumn("amount", "integer"),
];

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: [canary, "amount"], roles: ["hr"], others: "withheld" },
    { names: ["lat", "lng"], roles: ["ranger"], others: { step: 0.5 } },
  ],
};

/** Rows that ada does not see have values which would overflow, or fail a conversion. */
const rows = `select id, 'n' || id % 7 as name, case id % 3 when 0 then 'north' when 1 then 'south' end as region,
  timestamp '2024-01-01' + to_hours(id * 5) as "at", (id * 37 % 1700) / 10.0 - 85 as lat, (id * 91 % 3600) / 10.0 - 180 as lng,
  case when id % 3 = 0 then id % 50 else 9223372036854775807 end as size, '${canary} ' || id as ${canary}, id * 1000003 as amount
  from range(300) as ids(id)`;
const coarse = 'select id, name, region, "at", floor(lat / 0.5) * 0.5 + 0.25 as lat, floor(lng / 0.5) * 0.5 + 0.25 as lng, size';

function recipe(id: string, select: string, more: Partial<InternalDataset>): Platform["datasets"][number] {
  const entity = buildDataset({
    category: "wards",
    id,
    source: { kind: "files", glob: `wards/${id}/*.parquet`, format: "parquet" },
    schema: { columns: shown },
    temporalField: "at",
    locationField: "place",
    mapSupport: { groupItemField: "name", itemLocationField: "place", itemTemporalField: "at" },
    titleField: "name",
    filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
    ...more,
  });
  return { entity, sources: {}, select: `select * from (${select}) order by "at" desc` };
}

const ref = (datasetId: string): NamedDataset => ({ datasetCategory: "wards", datasetId, id: "0" });
const ruled = ref("ward-a");
/** The same data as each reader has it, without rules. */
const twins = { ada: ref("ward-b"), max: ref("ward-c") } as const;
type Reader = keyof typeof twins;

let gateway: Awaited<ReturnType<typeof demoGateway>>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const all = { schema: { columns: [...shown, ...withheld] }, access, subtitleField: canary, orderBy: null };
  gateway = await demoGateway(
    {},
    {
      categories: [{ id: "wards", description: "" }],
      datasets: [
        recipe(ruled.datasetId, rows, all),
        recipe("ward-b", `${coarse} from (${rows}) where region = 'north'`, {}),
        recipe("ward-c", `${coarse} from (${rows}) where false`, {}),
      ],
      usernames: { ada: ["north", "schema-edit"], max: [], eve: ["audit", "hr", "ranger"] },
    },
  );
  for (const username of ["root", "ada", "max", "eve"]) tokens[username] = await gateway.token(username);
  // The walk of ada writes it for the others.
  await call("ada", {
    method: "PUT",
    path: at(twins.max, "/description/community"),
    body: { description: "Words.", columnDescriptions: [] },
  });
}, 60_000);
afterAll(() => gateway.close());

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
}

async function call(caller: string, { method, path, body, accept }: Request) {
  const answer = await gateway.app.inject({
    method: method as "GET",
    url: `/api${path}`,
    headers: { authorization: `Bearer ${tokens[caller]}`, ...(accept === undefined ? {} : { accept }) },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  const { statusCode: status, headers, rawPayload } = answer;
  return { status, bytes: rawPayload, text: answer.body, type: headers["content-type"] };
}

type Case = (of: NamedDataset) => Request;

/** Every route that names a dataset, as the walk over rights calls it; besides those on things that have an id of their own. */
function walkedCases(): Record<string, Case> {
  const cases: Record<string, Case> = {};
  for (const [name, { path: other, body, query }] of Object.entries(rightsCases)) {
    const [method = "", routePath = ""] = name.split(" ");
    // Figures of whole datasets are not shown instead of computed anew, and exports are compared by their files.
    if (/ownDatasets|\/imports|\/export$|suggestions\/:id|\/profile$|\/thumbnail$|\/facts$|\/quality$/.test(routePath)) continue;
    cases[name] = (of) => {
      const names: Readonly<Record<string, string>> = {
        category: of.datasetCategory,
        datasetId: of.datasetId,
        aggregationType: "count",
        column: "name",
        id: "0",
      };
      const path = (other?.includes("nature") === true ? routePath : (other ?? routePath)).replaceAll(
        /:(\w+)/g,
        (_, parameter: string) => names[parameter] ?? "",
      );
      const sent = body?.(of, {}) ?? (method === "POST" ? {} : undefined);
      return { method, path: `${path}${query?.(of) ?? ""}`, body: sent };
    };
  }
  return cases;
}

const search = { filters: [] };
const at = (of: NamedDataset, path: string) => `/datasets/${of.datasetCategory}/${of.datasetId}${path}`;
const post =
  (path: string, body: unknown, accept?: string): Case =>
  (of) => ({ method: "POST", path: at(of, path), body, ...(accept === undefined ? {} : { accept }) });
const filtered = (name: string, operator: string, value: unknown) => ({ filters: [{ name, operator, value }] });
const breakdown = (more: object) => ({ search, measures: [{ aggregation: "count", column: "*" }], ...more });
const square = { polygons: ["-30 -40,60 -40,60 50,-30 50,-30 -40"], antimeridianPolygons: false };
const arrow = "application/vnd.apache.arrow.stream";

/** Requests that look for what is withheld, and those whose answers are made of many rows. */
const furtherCases: Record<string, Case> = {
  "rows as Arrow": post("/search", search, arrow),
  "rows of a time": post("/search", { ...search, timeRange: { start: "2024-01-10T00:00:00Z", end: "2024-02-01T00:00:00Z" } }),
  "rows of an area": post("/search", { ...search, geospatial: square }),
  "rows by a coarse value": post("/search", filtered("lat", "=", 3.25)),
  "rows by a stored value": post("/search", filtered("lat", "=", 3.2)),
  "rows from a coarse value on": post("/search", filtered("lat", ">=", 10.1)),
  "rows of the other region": post("/search", filtered("region", "=", "south")),
  "rows without a region": post("/search", filtered("region", "=", null)),
  "rows by a coarse value in order": post("/search", {
    ...search,
    sort: [{ column: "lat", direction: "asc" }],
    paging: { offset: 5, max: 20 },
  }),
  "rows that would overflow": post("/search", { ...search, computed: [{ name: "more", expression: "size + 1" }] }),
  "filter by a withheld column": post("/search", filtered(canary, "=", "x")),
  "filter by a withheld column in capitals": post("/search", filtered(canary.toUpperCase(), "=", "x")),
  "filter by what is computed from it": post("/search", filtered("loud", "=", "x")),
  "alternatives with a withheld column": post("/search", {
    filters: [
      { name: "*", operator: "any", value: [[{ name: canary, operator: "=", value: "x" }], [{ name: "id", operator: "=", value: 1 }]] },
    ],
  }),
  "sort by a withheld column": post("/search", { ...search, sort: [{ column: canary, direction: "asc" }] }),
  "computed from a withheld column": post("/search", { ...search, computed: [{ name: "x", expression: `upper(${canary})` }] }),
  "computed under the name of a withheld column": post("/search", { ...search, computed: [{ name: canary, expression: "id + 1" }] }),
  "lookup by a withheld column": (of) => ({
    method: "POST",
    path: at(of, "/search"),
    body: {
      ...search,
      lookups: [
        {
          id: "l",
          dataset: { datasetCategory: "wards", datasetId: "ward-b" },
          match: "exact",
          key: [{ column: canary, on: "name" }],
          columns: [{ from: "size", name: "theirs" }],
        },
      ],
    },
  }),
  "lookup in it": (of) => ({
    method: "POST",
    path: "/datasets/wards/ward-b/search",
    body: {
      ...search,
      lookups: [
        {
          id: "l",
          dataset: { datasetCategory: of.datasetCategory, datasetId: of.datasetId },
          match: "exact",
          key: [{ column: "id", on: "id" }],
          columns: [
            { from: "region", name: "theirs" },
            { from: "lat", name: "their lat" },
          ],
        },
      ],
    },
  }),
  "lookup of a withheld column in it": (of) => ({
    method: "POST",
    path: "/datasets/wards/ward-b/search",
    body: {
      ...search,
      lookups: [
        {
          id: "l",
          dataset: { datasetCategory: of.datasetCategory, datasetId: of.datasetId },
          match: "exact",
          key: [{ column: "id", on: "id" }],
          columns: [{ from: canary, name: "theirs" }],
        },
      ],
    },
  }),
  "average of a coarse column": post("/aggregate/avg/lat", search),
  "sum of a column": post("/aggregate/sum/size", search),
  "greatest of a withheld column": post(`/aggregate/max/amount`, search),
  "values of a withheld column": post(`/columns/${canary}/suggest`, { contains: "" }),
  "values of a shown column": post(`/columns/region/suggest`, { contains: "s" }),
  "statistics of a withheld column": post(`/columns/${canary}/profile`, search),
  "statistics of a coarse column": post(`/columns/lat/profile`, search),
  "distributions with a withheld column": post("/distribution/columns", { ...search, columns: ["name", canary] }),
  "distributions of coarse columns": post("/distribution/columns", { ...search, columns: ["lat", "size", "region", "at"] }),
  "distribution of time by day": post("/distribution/time", {
    ...search,
    timeRange: { start: "2024-01-01T00:00:00Z", end: "2024-02-01T00:00:00Z" },
    byDay: true,
  }),
  "path of an item": post("/search/path", { ...filtered("name", "=", "n3"), columns: ["size"] }),
  "path with a withheld column": post("/search/path", { ...filtered("name", "=", "n3"), columns: [canary] }),
  "cells of the world": post("/grid", { ...search, level: 5 }),
  "cells with a measure": post("/grid", { ...search, level: 3, measure: { aggregation: "avg", column: "size" } }),
  "cells with a withheld measure": post("/grid", { ...search, level: 3, measure: { aggregation: "avg", column: "amount" } }),
  "groups of a column": post("/breakdown", breakdown({ by: [{ kind: "value", column: "region" }] })),
  "groups of a withheld column": post("/breakdown", breakdown({ by: [{ kind: "value", column: canary }] })),
  "groups with a withheld measure": post(
    "/breakdown",
    breakdown({ by: [{ kind: "value", column: "region" }], measures: [{ aggregation: "sum", column: "amount" }] }),
  ),
  "months of a coarse column": post(
    "/breakdown",
    breakdown({ by: [{ kind: "time", unit: "month" }], measures: [{ aggregation: "avg", column: "lat" }] }),
  ),
  "graph of months": post("/aggregate", {
    search,
    aggregations: [{ aggregation: "max", column: "lat" }],
    groups: [{ id: "january", timeRange: { start: "2024-01-01T00:00:00Z", end: "2024-01-31T00:00:00Z" } }],
  }),
};

/** The answer without what differs by the request itself, or with every call. */
async function answerOf(reader: Reader, name: string, one: Case, of: NamedDataset) {
  const request = one(of);
  const { status, text, type, bytes } = await call(reader, request);
  const said = (request.accept === arrow ? bytes.toString("latin1") : text)
    .replaceAll(/ward-[abc]/g, "DATASET")
    .replaceAll(/"(durationMs|searches)":\d+|"(key)":"fwk_[\w-]+"/g, '"$1$2":0')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "UUID")
    .replaceAll(/"(\w+(?:Ms|At)?)":17\d{11}(?=[,}])/g, (whole, field: string) => (field === "at" ? whole : `"${field}":TIME`));
  return { name, status, type, text: withoutFlags(request.path.endsWith("/tracks") ? inOneOrder(said) : said) };
}

/** Rows of tracks come in no particular order. */
const inOneOrder = (text: string): string =>
  text
    .split(/(?<=\}),(?=\{)|(?<=\[)(?=\{)|(?<=\})(?=\])/)
    .toSorted()
    .join("\n");

/** The flags that tell of a part. */
const withoutFlags = (text: string): string => text.replace(/,"access":\{.*?"version":"[\w-]+"\}/, "");

const readers: Reader[] = ["ada", "max"];

it.each(readers)("answers %s of a dataset with rules what it answers of one that never had what is withheld", async (reader) => {
  const cases = { ...walkedCases(), ...furtherCases };
  expect(Object.keys(cases).length).toBeGreaterThan(80);
  const different: unknown[] = [];
  for (const [name, one] of Object.entries(cases)) {
    // Others in between, with everything that is kept of their answers.
    await call("eve", one(ruled));
    const [found, expected] = [await answerOf(reader, name, one, ruled), await answerOf(reader, name, one, twins[reader])];
    if (JSON.stringify(found) !== JSON.stringify(expected)) different.push([name, found, expected]);
    if (found.status >= 500) different.push([name, found]);
  }
  expect(different).toEqual([]);
});

it("explains a breakdown without its rules", async () => {
  const explain = async (of: NamedDataset) =>
    (
      await call("root", {
        method: "POST",
        path: at(of, "/breakdown/explain"),
        body: breakdown({ by: [{ kind: "value", column: "region" }] }),
      })
    ).text;
  expect(await explain(ruled)).toBe((await explain(twins.max)).replaceAll("ward-c", "ward-a"));
});

it("shows nothing that is withheld in any list", async () => {
  const lists = (await contractRoutes()).filter(
    ({ method, path, access: who, endless }) => method === "GET" && !path.includes(":") && who === "signed-in" && endless !== true,
  );
  const queries: Readonly<Record<string, string>> = { "/datasets/find": `?text=${canary}`, "/sharing/candidates": `?text=${canary}` };
  const shownIn: string[] = [];
  for (const { path } of lists) {
    for (const reader of readers) {
      const { text } = await call(reader, { method: "GET", path: `${path}${queries[path] ?? ""}` });
      if (text.includes(canary)) shownIn.push(`${reader} ${path}`);
    }
  }
  expect(shownIn).toEqual([]);
  const found = async (who: string, text: string) =>
    JSON.parse((await call(who, { method: "GET", path: `/datasets/find?text=${text}` })).text) as unknown;
  expect(await found("eve", canary)).toMatchObject({ total: 1 });
  for (const reader of readers) {
    for (const text of [canary, `${canary}s`, "quaggo", "loud"]) expect(await found(reader, text)).toEqual({ total: 0, hits: [] });
  }
});

it.each(["csv", "json", "parquet", "arrow", "xlsx"] as const)("exports as %s what the reader has", async (format) => {
  const exported = async (reader: Reader, of: NamedDataset) => {
    const start = await call(reader, { method: "POST", path: at(of, "/export"), body: { format, search } });
    expect([start.status, start.status < 300 ? "" : start.text]).toEqual([202, ""]);
    const { exportId } = JSON.parse(start.text) as { exportId: string };
    await vi.waitFor(
      async () => {
        const state = await call(reader, { method: "GET", path: `/exports/${exportId}` });
        expect(JSON.parse(state.text)).toMatchObject({ status: "done" });
      },
      { timeout: 10_000, interval: 30 },
    );
    return (await call(reader, { method: "GET", path: `/exports/${exportId}/file` })).bytes;
  };
  for (const reader of readers) {
    const [found, expected] = [await exported(reader, ruled), await exported(reader, twins[reader])];
    expect(found.includes(canary)).toBe(false);
    // A workbook names its dataset and the time in compressed parts.
    expect(format === "xlsx" || found.equals(expected)).toBe(true);
  }
});
