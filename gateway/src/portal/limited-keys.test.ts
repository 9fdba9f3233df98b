import type { RouteShape } from "@fairway/contract/route";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Platform } from "#seed/seed.ts";
import { contractRoutes } from "#testing/contract-routes.ts";
import { buildDataset, buildFilterSupport } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";

/** In everything that the key does not reach. */
const secret = "quagga";

const plain = { description: "", combined: null };

const dataset = (id: string, word: string): Platform["datasets"][number] => ({
  entity: buildDataset({
    category: "nature",
    id,
    description: `About ${word}.`,
    source: { kind: "files", glob: `nature/${id}/*.parquet`, format: "parquet" },
    features: ["SAMPLE", "PAGINATION", "COUNT"],
    schema: {
      columns: [
        { name: "id", type: "integer", ...plain },
        { name: "name", type: "STRING", ...plain, description: `Of ${word}.` },
        { name: "at", type: "TIMESTAMP_MILLS", ...plain },
        { name: "lat", type: "decimal", ...plain },
        { name: "lng", type: "decimal", ...plain },
        { name: "place", type: "STRING", description: "", combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } },
      ],
    },
    filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
    orderBy: null,
    temporalField: "at",
    locationField: "place",
    mapSupport: { groupItemField: "name", itemLocationField: "place", itemTemporalField: "at" },
    linkedDatasets: [],
  }),
  sources: {},
  select: `select 1::integer as id, '${word}' as name, timestamp '2024-01-01' as at, 1.5 as lat, 2.5 as lng`,
});

const fileset = (id: string, word: string): NonNullable<Platform["filesets"]>[number] => ({
  entity: { id, description: `About ${word}.`, s3Bucket: id, s3Prefix: "", allowsUploads: true, allowedRoles: [] },
  sources: {},
  copies: [],
  selects: [`select '${word}.txt' as path, '${word}' as content, timestamp '2024-01-01' as modified, '{}' as tags`],
});

const storms = { datasetCategory: "nature", datasetId: "storms" };
const plans = { datasetCategory: "nature", datasetId: "plans" };
const query = { filters: [] };

let gateway: Awaited<ReturnType<typeof demoGateway>>;
let owner: string;
let key: string;
const ids: Record<string, string> = {};

async function call(method: string, path: string, payload?: unknown, token = owner) {
  const answer = await gateway.app.inject({
    method: method as "GET",
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  return { status: answer.statusCode, text: answer.body };
}

async function create(method: "POST" | "PUT", path: string, payload: unknown): Promise<Record<string, string>> {
  const { status, text } = await call(method, path, payload);
  expect([path, status < 300 ? "" : text]).toEqual([path, ""]);
  return JSON.parse(text) as Record<string, string>;
}

const place = (y: number) => ({ x: 0, y, w: 6, h: 4 });
const panel = (id: string, of: object, y: number) => ({
  id,
  kind: "number",
  title: of === plans ? secret : "Storms",
  dataset: of,
  query,
  value: { aggregation: "count", column: "*" },
  place: place(y),
});
const words = { id: "words", kind: "text", title: "", text: `Notes on ${secret}`, place: place(20) };
const untilDone = (exportId: string | undefined) =>
  vi.waitUntil(async () => (await call("GET", `/exports/${exportId}`)).text.includes('"done"'), 20_000);
const boardOf = async (name: string, description: string, panels: object[]) =>
  (await create("POST", "/boards", { name, description, content: { panels } }))["id"] ?? "";

beforeAll(async () => {
  gateway = await demoGateway(
    {},
    {
      categories: [{ id: "nature", description: "" }],
      datasets: [dataset("storms", "storm"), dataset("plans", secret)],
      filesets: [fileset("shared", "chart"), fileset("vault", secret)],
    },
  );
  owner = await gateway.token();
  key = (await create("POST", "/apiKeys", { name: "storms", datasets: [storms], filesetIds: ["shared"] }))["key"] ?? "";

  ids["both"] = await boardOf("Both", secret, [panel("a", storms, 0), panel("b", plans, 4), words]);
  ids["whole"] = await boardOf("Whole", "At a glance", [panel("a", storms, 0), { ...words, text: "Notes on storms" }]);
  // Others with whom it is shared are no business of a key for a dataset.
  await create("PUT", `/boards/${ids["whole"]}/shares`, { shares: [{ to: { kind: "everyone" }, can: "view" }] });
  ids["plans"] = await boardOf(secret, "", [panel("b", plans, 0)]);
  ids["words"] = await boardOf(`${secret} in words`, "", [words]);
  for (const [of, name] of [
    [storms, "Storms"],
    [plans, secret],
  ] as const) {
    const saved = await create("POST", "/favorite/queries", { ...of, queryName: name, query: JSON.stringify(query) });
    const alert = { name, savedSearchId: saved["id"], condition: { kind: "above", rows: 0 }, everyMinutes: 60 };
    ids[`alert ${of.datasetId}`] = (await create("POST", "/alerts", alert))["id"] ?? "";
    const path = `/datasets/${of.datasetCategory}/${of.datasetId}`;
    ids[`export ${of.datasetId}`] = (await create("POST", `${path}/export`, { format: "csv", search: query }))["exportId"] ?? "";
    // Exports of one user run one after another.
    await untilDone(ids[`export ${of.datasetId}`]);
    await create("PUT", `${path}/description/suggestions`, { columnName: "id", description: name });
    await create("PUT", `${path}/description/user`, { description: name, columnDescriptions: [] });
    await create("POST", "/favorite/datasets", of);
  }
  await create("PUT", "/admin/datasetAnnouncements/nature/plans", { kind: "note", text: secret, replacement: null });
});

afterAll(() => gateway.close());

const routesOfKeys = async (): Promise<RouteShape[]> => (await contractRoutes()).filter(({ apiKey }) => apiKey === true);

const breakdown = { search: query, measures: [{ aggregation: "count", column: "*" }] };

/** Bodies that a call on the dataset or fileset is made with. */
const bodies: Readonly<Record<string, unknown>> = {
  "PUT /imports/:id/choices": {},
  "POST /filesets/:id/uploads": { file: "new.txt", size: 1 },
  "POST /filesets/:id/zip": { paths: ["chart.txt", `${secret}.txt`] },
  "POST /datasets/:category/:datasetId/search": query,
  "POST /datasets/:category/:datasetId/aggregate/:aggregationType/:column": query,
  "POST /datasets/:category/:datasetId/search/last": query,
  "POST /datasets/:category/:datasetId/search/path": { filters: [{ name: "name", operator: "=", value: "storm" }] },
  "POST /datasets/:category/:datasetId/search/tracks": query,
  "POST /datasets/:category/:datasetId/count/path": { filters: [{ name: "name", operator: "=", value: "storm" }] },
  "POST /datasets/:category/:datasetId/grid": { ...query, level: 2 },
  "POST /datasets/:category/:datasetId/lookupReport": { dataset: { datasetCategory: "nature", datasetId: "storms" } },
  "POST /datasets/:category/:datasetId/columns/:column/suggest": { contains: "" },
  "POST /datasets/:category/:datasetId/columns/:column/profile": query,
  "POST /datasets/:category/:datasetId/aggregate": {
    search: query,
    aggregations: [{ aggregation: "count", column: "*" }],
    groups: [{ id: "all" }],
  },
  "POST /datasets/:category/:datasetId/breakdown": breakdown,
  "POST /datasets/:category/:datasetId/breakdown/export": { format: "csv", breakdown },
  "POST /datasets/:category/:datasetId/export": { format: "csv", search: query },
  "POST /datasets/:category/:datasetId/distribution/time": query,
  "POST /datasets/:category/:datasetId/distribution/columns": { ...query, columns: ["name"] },
};

const pathOf = (route: RouteShape, of: "storms" | "plans"): string => {
  const isStorms = of === "storms";
  const id = route.path.startsWith("/boards")
    ? ids[isStorms ? "both" : "plans"]
    : route.path.startsWith("/alerts")
      ? ids[`alert ${of}`]
      : isStorms
        ? "shared"
        : "vault";
  const names: Readonly<Record<string, string | undefined>> = {
    category: "nature",
    datasetId: of,
    id,
    exportId: ids[`export ${of}`],
    aggregationType: "count",
    column: "name",
  };
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? "00000000-0000-4000-8000-000000000001"),
  );
  const extra = {
    "/file": `?file=${isStorms ? "chart" : secret}.txt`,
    "/download": `?file=${isStorms ? "chart" : secret}.txt`,
    "/reading": `?file=${isStorms ? "chart" : secret}.txt`,
    "/tags": `?file=${isStorms ? "chart" : secret}.txt`,
    "/upload": "?file=new.txt",
    "/find": `?text=${secret}`,
  };
  const ending = Object.entries(extra).find(([end]) => route.path.endsWith(end) && (route.path.startsWith("/filesets") || end === "/find"));
  return `${path}${ending?.[1] ?? ""}`;
};

it("[KEYS-26] no call that a key opens says anything of what the key does not reach", async () => {
  const routes = (await routesOfKeys()).toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));
  const answered: string[] = [];
  const opened: string[] = [];
  for (const route of routes.filter(({ path }) => path !== "/mcp")) {
    const name = `${route.method} ${route.path}`;
    for (const of of ["storms", "plans"] as const) {
      const path = pathOf(route, of);
      const { status, text } = await call(route.method, path, bodies[name] ?? (route.method === "POST" ? {} : undefined), key);
      if (route.path.endsWith("/export") && status < 300) await untilDone((JSON.parse(text) as Record<string, string>)["exportId"]);
      // Of the caller's own request, only refusals prove anything.
      const said = text.replaceAll(`${secret}.txt`, "");
      expect([name, path, status, said.includes(secret) ? text : ""]).toEqual([name, path, expect.any(Number), ""]);
      if (of === "plans" && route.path.includes(":") && status !== 404) opened.push(`${name}: ${status}`);
      if (of === "storms" && status < 300) answered.push(name);
    }
  }
  expect(opened).toEqual([]);
  // The remaining calls need an upload that was begun, a zip that was requested, or a key that may append.
  const others = routes.map((route) => `${route.method} ${route.path}`).filter((name) => !answered.includes(name));
  expect(others.filter((name) => !/\/uploads\/:uploadId|\/zip\/:zipId|\/mcp$| \/imports/.test(name))).toEqual([]);
});

it("[KEYS-26] a key reads boards and alerts only of datasets that it reaches, and texts only where it reaches all", async () => {
  const as = async (path: string, token: string) => JSON.parse((await call("GET", path, undefined, token)).text);
  const named = (list: { name: string; description?: string }[]) => list.map(({ name, description }) => [name, description]);
  expect(named(await as("/boards", key))).toEqual([
    ["Both", ""],
    ["Whole", "At a glance"],
  ]);
  const kinds = async (id: string | undefined, token: string) =>
    (await as(`/boards/${id}`, token)).content.panels.map(({ kind }: { kind: string }) => kind);
  expect(await kinds(ids["both"], key)).toEqual(["number", "hidden", "hidden"]);
  expect(await kinds(ids["both"], owner)).toEqual(["number", "number", "text"]);
  expect(await kinds(ids["whole"], key)).toEqual(["number", "text"]);
  for (const id of [ids["plans"], ids["words"]]) expect((await call("GET", `/boards/${id}`, undefined, key)).status).toBe(404);
  expect(await as("/boards", owner)).toHaveLength(4);
  const sharesFor = async (token: string) => (await as(`/boards/${ids["whole"]}`, token)).shares;
  expect([await sharesFor(owner), await sharesFor(key)]).toEqual([[{ to: { kind: "everyone", name: "Everyone" }, can: "view" }], []]);
  const alerts = await as("/alerts", key);
  expect([alerts.alerts.map(({ name }: { name: string }) => name), alerts.emailAddress]).toEqual([["Storms"], null]);
});

it("[KEYS-26] assistants list only what their key reaches", async () => {
  for (const [name, argumentsOf] of [
    ["list_datasets", {}],
    ["list_files", { fileset: "shared" }],
  ] as const) {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: argumentsOf } };
    const answer = await gateway.app.inject({
      method: "POST",
      url: "/api/mcp",
      headers: { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" },
      payload: message,
    });
    expect([name, answer.statusCode, answer.body]).toEqual([name, 200, expect.stringMatching(/storms|chart/)]);
    expect(answer.body).not.toContain(secret);
  }
});
