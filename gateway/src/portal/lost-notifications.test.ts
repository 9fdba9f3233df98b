import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type CuttableDatabase, cuttableDatabase } from "#testing/cuttable-database.ts";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";
import { patience } from "#testing/webhook-receiver.ts";

type Gateway = Awaited<ReturnType<typeof demoGateway>>;

/** The bound of decision 0021. */
const boundMs = 5_000;

const columns = [buildColumn("id", "integer"), buildColumn("team", "STRING"), buildColumn("pay", "integer")];
const red: DatasetAccess = {
  rules: [{ name: "Team", grants: [{ roles: ["staff"], rows: { filters: [{ name: "team", operator: "=", value: "red" }] } }] }],
  columns: [{ names: ["pay"], roles: ["hr"], others: "withheld" }],
};

let one: Gateway;
/** Hears of changes over a connection that can be cut. */
let other: Gateway;
let heard: CuttableDatabase;
const tokens: Record<string, string> = {};
let [boardId, exportId] = ["", ""];

/** With a panel that names the column which the rule withholds. */
const board = {
  name: "Staff",
  sharedWithRoles: ["staff"],
  content: {
    panels: [
      {
        kind: "number",
        id: "p",
        title: "Pay",
        place: { x: 0, y: 0, w: 4, h: 4 },
        dataset: { datasetCategory: "work", datasetId: "staff" },
        query: {},
        value: { aggregation: "sum", column: "pay" },
      },
    ],
  },
};

beforeAll(async () => {
  const recipe = (id: string) => ({
    entity: buildDataset({
      category: "work",
      id,
      source: { kind: "files", glob: `work/${id}/*.parquet`, format: "parquet" },
      schema: { columns },
      orderBy: [{ column: "id", direction: "asc" }],
    }),
    sources: {},
    select: "select id, if(id % 3 = 0, 'red', 'blue') as team, id * 10 as pay from range(30) as t(id)",
  });
  const usernames = { ada: ["staff", "hr"], grace: ["staff"] };
  one = await demoGateway({}, { categories: [{ id: "work", description: "" }], datasets: [recipe("staff")], usernames });
  heard = await cuttableDatabase(one.database.url);
  other = await demoGateway({}, undefined, { peer: one, notificationsUrl: heard.url });
  for (const username of ["root", "ada", "grace"]) tokens[username] = await one.token(username);
}, 60_000);

afterAll(async () => {
  await other.close();
  await heard.close();
  await one.close();
});

beforeEach(async () => {
  const { id } = await done<{ id: string }>(one, "ada", "POST", "/boards", board);
  boardId = id;
  const search = { filters: [] };
  exportId = (await done<{ exportId: string }>(other, "grace", "POST", "/datasets/work/staff/export", { format: "csv", search })).exportId;
  const state = async () => (await done<{ status: string }>(other, "grace", "GET", `/exports/${exportId}`)).status;
  await vi.waitUntil(async () => (await state()) === "done", patience);
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(async () => {
  vi.useRealTimers();
  heard.restore();
  await done(one, "ada", "DELETE", `/boards/${boardId}`);
  await rules(null);
  await holds("ada", ["staff", "hr"]);
  await vi.waitUntil(async () => (await payOf(other, "grace")) === 200, patience);
});

async function call(gateway: Gateway, caller: string, method: string, path: string, payload?: object) {
  const headers = { authorization: `Bearer ${tokens[caller]}` };
  const sent = { method: method as "GET", url: `/api${path}`, headers, ...(payload === undefined ? {} : { payload }) };
  const { statusCode: status, body: text } = await gateway.app.inject(sent);
  return { status, text };
}

async function done<Body>(gateway: Gateway, caller: string, method: string, path: string, payload?: object): Promise<Body> {
  const { status, text } = await call(gateway, caller, method, path, payload);
  expect([method, path, status < 300 ? "" : text]).toEqual([method, path, ""]);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

async function rules(access: DatasetAccess | null): Promise<void> {
  const current = await done<object>(one, "root", "GET", "/admin/datasets/internal/staff/current");
  await done(one, "root", "PUT", "/admin/datasets/internal", { ...current, access });
}

async function holds(username: string, roles: readonly string[]): Promise<void> {
  const users = await done<{ id: string; username: string }[]>(one, "root", "GET", "/admin/users");
  const id = users.find((user) => user.username === username)?.id;
  const current = await done<object>(one, "root", "GET", `/admin/users/${id}/current`);
  await done(one, "root", "PUT", "/admin/users", { ...current, roles: roles.map((name) => ({ name })) });
}

/** Every answer by which one could tell what a reader sees. */
async function answers(gateway: Gateway, caller: string): Promise<Record<string, unknown>> {
  const at = "/datasets/work/staff";
  const search = { filters: [] };
  const calls: Record<string, [string, string, object?]> = {
    list: ["GET", "/datasets"],
    description: ["GET", `${at}/describe`],
    schema: ["GET", `${at}/schema`],
    rows: ["POST", `${at}/search`, search],
    count: ["POST", `${at}/rowCount`, {}],
    "values of a column": ["POST", `${at}/columns/pay/suggest`, { contains: "" }],
    sum: ["POST", `${at}/aggregate/sum/pay`, search],
    groups: [
      "POST",
      `${at}/breakdown`,
      { search, measures: [{ aggregation: "count", column: "*" }], by: [{ kind: "value", column: "team" }] },
    ],
    catalog: ["GET", "/datasets/find?text=pay"],
    profile: ["GET", `${at}/profile`],
    facts: ["GET", `/datasets/facts`],
    board: ["GET", `/boards/${boardId}`],
    export: ["GET", `/exports/${exportId}/file`],
  };
  const found: Record<string, unknown> = {};
  for (const [name, [method, path, body]] of Object.entries(calls)) {
    const { status, text } = await call(gateway, caller, method, path, body);
    found[name] = [status, text.replaceAll(/"(durationMs|elapsedMs|computedMs|searches)":\d+/g, '"$1":0')];
  }
  return found;
}

/** Whatever one of both is asked, both answer the same, and no longer what was answered before. */
async function expectFollowed(caller: string, before: Record<string, unknown>, changed: readonly string[]): Promise<void> {
  const after = await answers(other, caller);
  expect(after).toEqual(await answers(one, caller));
  expect(Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))).toEqual(changed);
}

const ofRows = [
  "description",
  "schema",
  "rows",
  "count",
  "values of a column",
  "sum",
  "groups",
  "catalog",
  "profile",
  "facts",
  "board",
  "export",
];

it("a gateway that hears of nothing follows a rule 5 seconds later", async () => {
  const before = await answers(other, "grace");
  heard.cut();
  await rules(red);
  // Nothing has told it.
  expect(await answers(other, "grace")).toEqual(before);
  vi.setSystemTime(Date.now() + boundMs);
  await expectFollowed("grace", before, ofRows);
});

it("a gateway that hears of nothing knows 5 seconds later that a role is taken away, of sessions and of keys", async () => {
  await rules(red);
  const { key } = await done<{ key: string }>(one, "ada", "POST", "/apiKeys", {
    name: "key",
    datasets: [{ datasetCategory: "work", datasetId: "staff" }],
  });
  tokens["key"] = key;
  await expect.poll(() => payOf(other, "ada")).toBe(200);
  const before = { ada: await answers(other, "ada"), key: await answers(other, "key") };
  heard.cut();
  await holds("ada", ["staff"]);
  for (const caller of ["ada", "key"] as const) expect(await answers(other, caller)).toEqual(before[caller]);
  vi.setSystemTime(Date.now() + boundMs);
  for (const caller of ["ada", "key"] as const) {
    expect(await payOf(other, caller)).toBe(400);
    expect(await answers(other, caller)).toEqual(await answers(one, caller));
  }
});

it("a gateway that was deaf while a rule was saved follows it as soon as it hears again", async () => {
  const before = await answers(other, "grace");
  heard.cut();
  await rules(red);
  expect(await answers(other, "grace")).toEqual(before);
  heard.restore();
  // The clock stands still: nothing of before is too old.
  await expect.poll(() => payOf(other, "grace"), patience).toBe(400);
  await expectFollowed("grace", before, ofRows);
});

/** The status of a search by the column that a rule withholds. */
async function payOf(gateway: Gateway, caller: string): Promise<number> {
  const filters = [{ name: "pay", operator: ">", value: 0 }];
  return (await call(gateway, caller, "POST", "/datasets/work/staff/search", { filters })).status;
}
