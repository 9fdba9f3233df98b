import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DataImport } from "@fairway/contract/imports";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import type { RouteShape } from "@fairway/contract/route";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";

/** In rows, columns and texts of the dataset, and nowhere else. */
const canary = "quagga";
const ref = { datasetCategory: "~owner", datasetId: "ponies" };
/** No such dataset; its name has as many letters. */
const missing = { datasetCategory: "~owner", datasetId: "zebras" };
const query = { filters: [] };
const rows = `at,lat,lng,name,${canary}_size\n2024-01-01 10:00:00,1.5,2.5,${canary} one,1\n2024-01-02 10:00:00,1.6,2.6,${canary} one,2\n`;

const usernames = { owner: ["data-upload"], editor: [], viewer: [], former: [], stranger: ["data-upload", "schema-edit"] };
type Caller = keyof typeof usernames | "root" | "key";

let gateway: Awaited<ReturnType<typeof demoGateway>>;
const tokens: Partial<Record<Caller, string>> = {};
let ownId = "";

async function call(caller: Caller, method: string, path: string, payload?: unknown) {
  const answer = await gateway.app.inject({
    method: method as "GET",
    url: `/api${path}`,
    headers: { authorization: `Bearer ${tokens[caller]}` },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  return { status: answer.statusCode, text: answer.body };
}

async function done<Body>(caller: Caller, method: string, path: string, payload?: unknown): Promise<Body> {
  const { status, text } = await call(caller, method, path, payload);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

const idOf = async (caller: Caller) => JSON.parse(Buffer.from(tokens[caller]?.split(".")[1] ?? "", "base64url").toString()).sub as string;

async function imported(): Promise<string> {
  const files = [{ file: "ponies.csv", size: Buffer.byteLength(rows) }];
  const { id } = await done<DataImport>("owner", "POST", "/imports", { files });
  const { uploadUrl } = await done<{ uploadUrl: string }>("owner", "GET", `/imports/${id}/files/1/parts/1`);
  const sent = await fetch(`http://127.0.0.1:${gateway.port}${uploadUrl}`, { method: "PUT", body: rows });
  expect(sent.status).toBe(204);
  await done("owner", "POST", `/imports/${id}/complete`);
  const settled = (status: string) =>
    vi.waitFor(
      async () => {
        const found = await done<DataImport>("owner", "GET", `/imports/${id}`);
        expect([found.status, found.failure]).toEqual([status, null]);
        return found;
      },
      { timeout: 20_000 },
    );
  await settled("ready");
  await done("owner", "POST", `/imports/${id}/dataset`, { name: "ponies", description: `A ${canary}.`, acceptAssumed: true });
  return (await settled("done")).dataset?.id ?? "";
}

const untilAnswered = (caller: Caller, wanted: number) =>
  vi.waitUntil(async () => (await call(caller, "GET", "/datasets/~owner/ponies/describe")).status === wanted, 10_000);

beforeAll(async () => {
  gateway = await demoGateway({}, { categories: [], datasets: [stormsRecipe], usernames });
  for (const caller of [...Object.keys(usernames), "root"] as Caller[]) tokens[caller] = await gateway.token(caller);
  ownId = await imported();
  const shares = async (callers: readonly (readonly [Caller, "view" | "edit"])[]) =>
    done<OwnDataset>("owner", "PUT", `/ownDatasets/${ownId}/shares`, {
      shares: await Promise.all(callers.map(async ([caller, can]) => ({ to: { kind: "user", id: await idOf(caller) }, can }))),
    });
  await shares([["former", "view"]]);
  await untilAnswered("former", 200);
  // A former viewer has things of the dataset.
  await done("former", "POST", "/favorite/datasets", ref);
  await done("former", "POST", "/favorite/queries", { ...ref, queryName: "Of ponies", query: JSON.stringify(query) });
  await shares([
    ["editor", "edit"],
    ["viewer", "view"],
  ]);
  await untilAnswered("former", 404);
  await untilAnswered("viewer", 200);
  const key = { name: "storms", datasets: [{ datasetCategory: "nature", datasetId: "storms" }] };
  tokens.key = (await done<{ key: string }>("owner", "POST", "/apiKeys", key)).key;
});

afterAll(() => gateway.close());

const contract = join(import.meta.dirname, "../../../contract/src");
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === "object" && value !== null && "access" in value && "path" in value;

async function everyRoute(): Promise<RouteShape[]> {
  const files = readdirSync(contract).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const modules = await Promise.all(files.map((file) => import(join(contract, file)) as Promise<Record<string, unknown>>));
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((group): unknown[] => (typeof group === "object" && group !== null ? Object.values(group) : []))
    .filter(isRoute);
}

const breakdown = { search: query, measures: [{ aggregation: "count", column: "*" }] };
const path = { filters: [{ name: "name", operator: "=", value: "x" }] };

/** Bodies of calls on a dataset that its path names. */
const bodies: Readonly<Record<string, unknown>> = {
  "/datasets/:category/:datasetId/search/path": path,
  "/datasets/:category/:datasetId/count/path": path,
  "/datasets/:category/:datasetId/columns/:column/suggest": { contains: "" },
  "/datasets/:category/:datasetId/aggregate": {
    search: query,
    aggregations: [{ aggregation: "count", column: "*" }],
    groups: [{ id: "all" }],
  },
  "/datasets/:category/:datasetId/breakdown": breakdown,
  "/datasets/:category/:datasetId/breakdown/explain": breakdown,
  "/datasets/:category/:datasetId/breakdown/export": { format: "csv", breakdown },
  "/datasets/:category/:datasetId/export": { format: "csv", search: query },
  "/datasets/:category/:datasetId/distribution/columns": { ...query, columns: ["name"] },
  "/datasets/:category/:datasetId/description/suggestions": { columnName: null, description: "x" },
  "/datasets/:category/:datasetId/description/user": { description: "x", columnDescriptions: [] },
  "/datasets/:category/:datasetId/description/community": { description: "x", columnDescriptions: [] },
};

/** Calls whose body names a dataset. */
const named = (dataset: object): readonly (readonly [method: string, path: string, body: object])[] => [
  ["POST", "/favorite/datasets", dataset],
  ["POST", "/favorite/queries", { ...dataset, queryName: "Saved", query: JSON.stringify(query) }],
  [
    "POST",
    "/boards",
    {
      name: "Board",
      description: "",
      content: {
        panels: [
          {
            id: "a",
            kind: "number",
            title: "",
            dataset,
            query,
            value: { aggregation: "count", column: "*" },
            place: { x: 0, y: 0, w: 6, h: 4 },
          },
        ],
      },
    },
  ],
  ["POST", "/imports", { files: [{ file: "more.csv", size: 1 }], into: { ...dataset, mode: "append" } }],
  ["POST", "/apiKeys", { name: "Key", datasets: [dataset] }],
  [
    "POST",
    "/datasets/nature/storms/search",
    { lookups: [{ id: "l", dataset, match: "exact", key: [{ column: "id", on: "id" }], columns: [{ from: "id", name: "other" }] }] },
  ],
];

const outsiders: readonly Caller[] = ["stranger", "former", "root", "key"];
const neutral = (text: string) => text.replaceAll(missing.datasetId, ref.datasetId).replaceAll(/request [\w-]+ when/g, "request when");

it("answers who may not read an own dataset on every route as if there were none", async () => {
  const routes = (await everyRoute()).filter(
    (route) => route.path.includes(":datasetId") && !route.path.startsWith("/admin") && route.access !== "public",
  );
  expect(routes.length).toBeGreaterThan(25);
  const different: string[] = [];
  const opened = new Set<string>();
  for (const route of routes) {
    const pathOf = (dataset: typeof ref) =>
      route.path
        .replace(":category", encodeURIComponent(dataset.datasetCategory))
        .replace(":datasetId", dataset.datasetId)
        .replace(":aggregationType", "count")
        .replaceAll(/:\w+/g, "name");
    const body = ["POST", "PUT"].includes(route.method) ? (bodies[route.path] ?? query) : undefined;
    for (const caller of outsiders) {
      const [real, none] = [await call(caller, route.method, pathOf(ref), body), await call(caller, route.method, pathOf(missing), body)];
      if (real.status !== none.status || real.text !== neutral(none.text) || real.text.includes(canary)) {
        different.push(
          `${caller} ${route.method} ${route.path}: ${real.status} ${real.text.slice(0, 200)} / ${none.status} ${none.text.slice(0, 200)}`,
        );
      }
    }
    if (route.method === "DELETE") continue;
    for (const caller of ["owner", "editor", "viewer"] as const) {
      const { status } = await call(caller, route.method, pathOf(ref), body);
      if (status < 300) opened.add(`${caller} ${route.method} ${route.path}`);
    }
  }
  expect(different).toEqual([]);
  expect([...opened].filter((name) => name.endsWith("/search"))).toHaveLength(3);
});

it("says nothing of an own dataset where bodies name it", async () => {
  const different: string[] = [];
  for (const caller of outsiders) {
    for (const [index, [method, address, body]] of named(ref).entries()) {
      const other = named(missing)[index];
      const [real, none] = [await call(caller, method, address, body), await call(caller, method, address, other?.[2])];
      if (real.status !== none.status || real.text !== neutral(none.text) || real.status < 400) {
        different.push(
          `${caller} ${method} ${address}: ${real.status} ${real.text.slice(0, 200)} / ${none.status} ${none.text.slice(0, 200)}`,
        );
      }
    }
  }
  expect(different).toEqual([]);
});

it("answers on the portal's own id as on none, except for the owner and those with whom it is shared", async () => {
  const routes = (await everyRoute()).filter((route) => route.path.startsWith("/ownDatasets/:id"));
  const settings = (await done<{ settings: object }>("owner", "GET", `/ownDatasets/${ownId}`)).settings;
  const body: Readonly<Record<string, unknown>> = {
    "/ownDatasets/:id": { version: 0, settings },
    "/ownDatasets/:id/shares": { shares: [] },
    "/ownDatasets/:id/owner": { userId: "nobody" },
  };
  const different: string[] = [];
  const none = "00000000-0000-4000-8000-000000000001";
  for (const route of routes) {
    for (const caller of ["stranger", "former", "root", "key"] as const) {
      // An administrator may give any dataset away.
      if (caller === "root" && route.path.endsWith("/owner")) continue;
      const pathOf = (id: string) => route.path.replace(":id", id).replace(":n", "1");
      const sent = route.method === "PUT" ? body[route.path] : undefined;
      const [real, other] = [await call(caller, route.method, pathOf(ownId), sent), await call(caller, route.method, pathOf(none), sent)];
      if (real.status !== other.status || real.text !== other.text) different.push(`${caller} ${route.method} ${route.path}: ${real.text}`);
    }
  }
  expect(different).toEqual([]);
});

it("names an own dataset and its content in no list, search or suggestion of others", async () => {
  const routes = (await everyRoute()).filter(
    (route) => route.method === "GET" && !route.path.includes(":") && route.access !== "public" && route.path !== "/live",
  );
  const told: string[] = [];
  for (const route of routes) {
    for (const caller of ["stranger", "root", "key"] as const) {
      // Names, owners and sizes are what administrators see of it.
      if (caller === "root" && ["/admin/ownDatasets", "/auditing"].some((known) => route.path.startsWith(known))) continue;
      const { text } = await call(caller, "GET", `${route.path}?text=${canary}`);
      if (text.replaceAll(`text=${canary}`, "").includes(canary) || text.includes("ponies"))
        told.push(`${caller} ${route.path}: ${text.slice(0, 300)}`);
    }
  }
  expect(told).toEqual([]);
  const find = async (caller: Caller) => JSON.parse((await call(caller, "GET", `/datasets/find?text=${canary}`)).text) as { total: number };
  await vi.waitFor(async () => expect(await find("owner")).toMatchObject({ total: 1 }));
  expect([await find("stranger"), await find("root")]).toEqual([
    { total: 0, hits: [] },
    { total: 0, hits: [] },
  ]);
});
