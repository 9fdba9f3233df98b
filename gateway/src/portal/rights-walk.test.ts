import { randomUUID } from "node:crypto";
import type { DataImport } from "@fairway/contract/imports";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { contractRoutes } from "#testing/contract-routes.ts";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";
import { type NamedDataset, namesDataset, rightsCases } from "#testing/rights-cases.ts";

/** In the name, the description, the columns and the cells of the dataset, and in its file. */
const canary = "quagga";
const csv = `name,at,lat,lng,${canary}\n${canary} one,2024-01-01T00:00:00Z,1.5,2.5,7\ntwo,2024-01-02T00:00:00Z,3.5,4.5,8\n`;

type Person = "ada" | "alan" | "grace" | "mary" | "eve" | "root";
/** Routes on something else of the dataset, which is not there, and the one that ends a share. */
const notForInsiders = ["/description/suggestions/:id", "/shares/mine"];

const insiders = { ada: "own", alan: "edit", grace: "view" } as const;
/** Somebody it was shared with, somebody it never was, an administrator, and a key of the owner for another dataset. */
const outsiders = ["mary", "eve", "root", "key"] as const;

/** Of the dataset, with which its settings are saved. */
const settings = {};
const missing: NamedDataset = { datasetCategory: "~ada", datasetId: "nothing", id: randomUUID() };
let dataset: NamedDataset;
let gateway: Awaited<ReturnType<typeof demoGateway>>;
const tokens: Record<string, string> = {};

async function call(caller: string, method: string, path: string, payload?: unknown) {
  const answer = await gateway.app.inject({
    method: method as "GET",
    url: `/api${path}`,
    headers: { authorization: `Bearer ${tokens[caller]}` },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  return { status: answer.statusCode, text: answer.body, type: answer.headers["content-type"], etag: answer.headers.etag };
}

async function done<Body>(caller: Person, method: string, path: string, payload?: unknown): Promise<Body> {
  const { status, text } = await call(caller, method, path, payload);
  expect([path, status < 300 ? "" : text]).toEqual([path, ""]);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

async function bring(name: string, content: string): Promise<NonNullable<DataImport["dataset"]>> {
  const size = Buffer.byteLength(content);
  const { id } = await done<DataImport>("ada", "POST", "/imports", { files: [{ file: `${name}.csv`, size }] });
  const { uploadUrl } = await done<{ uploadUrl: string }>("ada", "GET", `/imports/${id}/files/1/parts/1`);
  const sent = await fetch(new URL(uploadUrl, `http://127.0.0.1:${gateway.port}`), { method: "PUT", body: content });
  expect(sent.status).toBe(204);
  await done("ada", "POST", `/imports/${id}/complete`);
  const reached = (status: string) =>
    vi.waitFor(
      async () => {
        const answer = await done<DataImport>("ada", "GET", `/imports/${id}`);
        expect([answer.status, answer.failure]).toEqual([status, null]);
        return answer;
      },
      { timeout: 20_000, interval: 50 },
    );
  await reached("ready");
  await done("ada", "POST", `/imports/${id}/dataset`, { name, description: `About ${canary}.`, acceptAssumed: true });
  const made = (await reached("done")).dataset;
  if (made === null) throw new Error("the import has made no dataset");
  return made;
}

beforeAll(async () => {
  const usernames = {
    ada: ["data-upload", "schema-edit"],
    alan: ["data-upload", "schema-edit"],
    grace: ["schema-edit"],
    mary: ["data-upload", "schema-edit"],
    eve: ["data-upload", "schema-edit"],
  };
  gateway = await demoGateway({}, { categories: [{ id: "nature", description: "" }], datasets: [stormsRecipe], usernames });
  for (const username of ["root", ...Object.keys(usernames)]) tokens[username] = await gateway.token(username);
  const made = await bring(`${canary}s`, csv);
  dataset = { datasetCategory: made.datasetCategory, datasetId: made.datasetId, id: made.id ?? "" };
  Object.assign(settings, (await done<{ settings: object }>("ada", "GET", `/ownDatasets/${dataset.id}`)).settings);
  const idOf = async (username: string) =>
    (await done<{ id: string }[]>("ada", "GET", `/sharing/candidates?text=${username}`))[0]?.id ?? "";
  const toUser = async (username: string, can: string) => ({ to: { kind: "user", id: await idOf(username) }, can });
  const shares = [await toUser("alan", "edit"), await toUser("grace", "view"), await toUser("mary", "edit")];
  await done("ada", "PUT", `/ownDatasets/${dataset.id}/shares`, { shares });
  await done("mary", "GET", `/ownDatasets/${dataset.id}`);
  await done("mary", "POST", "/favorite/datasets", { datasetCategory: "~ada", datasetId: `${canary}s` });
  await done("ada", "PUT", `/ownDatasets/${dataset.id}/shares`, { shares: shares.slice(0, 2) });
  const storms = { datasetCategory: "nature", datasetId: "storms" };
  tokens["key"] = (await done<{ key: string }>("ada", "POST", "/apiKeys", { name: "storms", datasets: [storms] })).key;
  // All gateways know of it by then.
  await vi.waitUntil(async () => (await call("mary", "GET", `/datasets/~ada/${canary}s/describe`)).status === 404, 10_000);
}, 60_000);

afterAll(() => gateway.close());

/** The address and body of a call on a dataset. */
function requestOf(name: string, of: NamedDataset): [method: string, path: string, body: unknown] {
  const [method = "", routePath = ""] = name.split(" ");
  const template = rightsCases[name]?.path ?? routePath;
  const own = template.includes("/ownDatasets/");
  const names: Readonly<Record<string, string>> = {
    category: of.datasetCategory,
    datasetId: of.datasetId,
    id: own ? of.id : "0",
    n: "1",
    aggregationType: "count",
    column: "name",
  };
  const path = template.replaceAll(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(names[parameter] ?? ""));
  const { body, query } = rightsCases[name] ?? {};
  return [method, `${path}${query?.(of) ?? ""}`, body?.(of, settings) ?? (method === "POST" ? {} : undefined)];
}

/** The answer without what differs by the request itself, or with every call. */
async function answer(caller: string, name: string, of: NamedDataset) {
  const { status, text, type, etag } = await call(caller, ...requestOf(name, of));
  const said = text
    .replaceAll(of.datasetId, "DATASET")
    .replaceAll(of.id, "ID")
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "UUID")
    .replaceAll(/"(\w+)":\d{13}/g, '"$1":TIME');
  return { name, status, text: said, type, etag };
}

it("has a case for every route that names a dataset", async () => {
  const named = (await contractRoutes()).filter(namesDataset).map(({ method, path }) => `${method} ${path}`);
  const cases = Object.keys(rightsCases).map((name) => name.split(" ").slice(0, 2).join(" "));
  expect([...new Set(cases)].toSorted()).toEqual([...new Set(named)].toSorted());
});

it("answers outsiders, administrators and keys for other datasets as if an own dataset did not exist", async () => {
  for (const [name, { administrators }] of Object.entries(rightsCases)) {
    for (const caller of outsiders.filter((one) => administrators !== true || one !== "root"))
      expect([caller, await answer(caller, name, dataset)]).toEqual([caller, await answer(caller, name, missing)]);
  }
});

it("shows nothing of an own dataset to outsiders in any list, and only its name and owner to administrators", async () => {
  const lists = (await contractRoutes()).filter(
    ({ method, path, access, endless }) => method === "GET" && !path.includes(":") && access !== "public" && endless !== true,
  );
  expect(lists.length).toBeGreaterThan(40);
  for (const caller of outsiders) {
    if (caller === "key") continue;
    const begun = await done<{ id: string }[]>(caller, "GET", "/imports");
    for (const { id } of begun) await done(caller, "DELETE", `/imports/${id}`);
  }
  const queries: Readonly<Record<string, string>> = { "/datasets/find": `?text=${canary}`, "/sharing/candidates": `?text=${canary}` };
  const shown: string[] = [];
  for (const { path } of lists)
    for (const caller of outsiders) {
      const { text } = await call(caller, "GET", `${path}${queries[path] ?? ""}`);
      if (text.includes(canary)) shown.push(`${caller} ${path}`);
    }
  // The audit log holds the paths of calls.
  expect(shown.filter((one) => !one.startsWith("root /auditing/")).toSorted()).toEqual(["root /admin/ownDatasets"]);
  expect((await call("root", "GET", "/admin/ownDatasets")).text.replaceAll(`"${canary}s"`, "")).not.toContain(canary);
  const found = async (caller: Person, text: string) => (await call(caller, "GET", `/datasets/find?text=${text}`)).text;
  await vi.waitFor(async () => expect(JSON.parse(await found("ada", canary))).toMatchObject({ total: 1 }), 10_000);
  for (const caller of ["eve", "mary", "root"] as const) expect(await found(caller, canary)).toEqual(await found(caller, "qvagga"));
});

it("lets a key for one dataset of an editor add files to it, if that was asked for, and nothing more", async () => {
  const own = { datasetCategory: dataset.datasetCategory, datasetId: dataset.datasetId };
  const storms = { datasetCategory: "nature", datasetId: "storms" };
  const keyOf = (caller: Person, name: string, datasets: readonly object[], more: object = {}) =>
    call(caller, "POST", "/apiKeys", { name, datasets, ...more });
  const mayAppend = { mayAppend: true };
  expect((await keyOf("grace", "viewer", [own], mayAppend)).status).toBe(403);
  expect((await keyOf("alan", "two", [own, storms], mayAppend)).status).toBe(400);
  expect((await keyOf("alan", "storms", [storms], mayAppend)).status).toBe(400);
  expect((await keyOf("mary", "former", [own], mayAppend)).status).toBe(400);
  const made = JSON.parse((await keyOf("alan", "append", [own], mayAppend)).text) as { key: string; mayAppend?: boolean };
  expect(made.mayAppend).toBe(true);
  tokens["append"] = made.key;
  tokens["reading"] = (JSON.parse((await keyOf("alan", "reading", [own])).text) as { key: string }).key;

  const files = [{ file: "more.csv", size: 10 }];
  const into = { ...own, mode: "append" };
  const start = (caller: string, body: object) => call(caller, "POST", "/imports", { files, ...body });
  expect((await start("reading", { into })).status).toBe(403);
  expect((await start("append", {})).status).toBe(403);
  expect((await start("append", { into: { ...into, datasetId: "nothing" } })).status).toBe(403);
  const begun = await start("append", { into });
  expect(begun.status).toBe(201);
  const { id } = JSON.parse(begun.text) as DataImport;
  expect((await call("append", "GET", `/imports/${id}`)).status).toBe(200);
  expect((await call("reading", "GET", `/imports/${id}`)).status).toBe(404);
  // Calls of its owner without it are none of its business.
  const other = JSON.parse((await start("alan", {})).text) as DataImport;
  expect((await call("append", "GET", `/imports/${other.id}`)).status).toBe(404);
  for (const [method, path] of [
    ["GET", "/imports"],
    ["GET", "/ownDatasets"],
    ["GET", `/ownDatasets/${dataset.id}`],
    ["DELETE", `/ownDatasets/${dataset.id}`],
  ] as const)
    expect([path, [401, 403].includes((await call("append", method, path)).status)]).toEqual([path, true]);
  // An edit to other datasets takes it away.
  await done("alan", "PUT", "/apiKeys", { name: "append", datasets: [own, storms] });
  expect((await start("append", { into })).status).toBe(403);
  for (const one of [id, other.id]) await done("alan", "DELETE", `/imports/${one}`);
});

it("answers its owner, editors and viewers as far as their rights go", async () => {
  const ranks = ["view", "edit", "own"];
  for (const [name, { needs }] of Object.entries(rightsCases)) {
    if (needs === "nobody" || needs === "administrator" || notForInsiders.some((part) => name.includes(part))) continue;
    for (const caller of ["grace", "alan", "ada"] as const) {
      const { status } = await call(caller, ...requestOf(name, dataset));
      const isAllowed = ranks.indexOf(insiders[caller]) >= ranks.indexOf(needs);
      expect([caller, name, status, status === 404, status === 403]).toEqual([caller, name, status, false, !isAllowed]);
    }
  }
});

it("tells the audit log the names and counts of shares and imports, and no values", async () => {
  const { content } = await done<{ content: { path: string; username: string; details: { note?: string } }[] }>(
    "root",
    "GET",
    "/auditing/events?username=ada",
  );
  const notes = content.flatMap(({ path, details: { note } }) =>
    note === undefined ? [] : [`${path.replace(/[\da-f-]{36}/, ":id")}: ${note}`],
  );
  expect(notes).toContain(`/api/ownDatasets/:id: ~ada/${canary}s, in 7 days`);
  const all = await call("root", "GET", "/auditing/export?format=json");
  expect(all.text).toContain(`~ada/${canary}s, 3 shares`);
  expect(all.text).toContain(`${canary}s, 1 file`);
  for (const secret of [`${canary} one`, `About ${canary}`]) expect(all.text).not.toContain(secret);
});
