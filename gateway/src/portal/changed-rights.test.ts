import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";

let gateway: Awaited<ReturnType<typeof demoGateway>>;
const tokens: Record<string, string> = {};

const access: DatasetAccess = {
  rules: [
    {
      name: "Team",
      grants: [
        { roles: ["red"], rows: { filters: [{ name: "team", operator: "=", value: "red" }] } },
        { roles: ["*"], rows: { filters: [{ name: "team", operator: "=", valueFrom: "groups" }] } },
      ],
    },
  ],
  columns: [{ names: ["pay"], roles: ["hr"], others: "withheld" }],
};

const entity = buildDataset({
  category: "work",
  id: "staff",
  source: { kind: "files", glob: "work/staff/*.parquet", format: "parquet" },
  schema: { columns: [buildColumn("id", "integer"), buildColumn("team", "STRING"), buildColumn("pay", "integer")] },
  orderBy: [{ column: "id", direction: "asc" }],
  access,
});

beforeAll(async () => {
  gateway = await demoGateway(
    {},
    {
      categories: [{ id: "work", description: "" }],
      datasets: [
        {
          entity,
          sources: {},
          select:
            "select id, case id % 3 when 0 then 'red' when 1 then 'blue' else 'green' end as team, id * 10 as pay from range(30) as t(id)",
        },
      ],
      usernames: { ada: [], hugo: ["hr"] },
    },
  );
  for (const username of ["root", "ada", "hugo"]) tokens[username] = await gateway.token(username);
  await add("roles", { name: "red" });
  await add("groups", { name: "blue", realmRoles: [] });
}, 60_000);
afterAll(() => gateway.close());

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

async function call<Body>(caller: string, method: "GET" | "POST" | "PUT", path: string, payload?: object): Promise<Answer<Body>> {
  const answer = await gateway.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${tokens[caller]}` },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: (answer.body === "" ? null : JSON.parse(answer.body)) as Body };
}

interface User {
  readonly id: string;
  readonly username: string;
}

/** Sets the roles and groups of an account, as an administrator does. */
async function holds(username: string, held: { readonly roles?: readonly string[]; readonly groups?: readonly string[] }): Promise<void> {
  const { body: users } = await call<{ content?: User[] } & User[]>("root", "GET", "/admin/users");
  const user = (users.content ?? users).find((one) => one.username === username);
  const current = await call<object>("root", "GET", `/admin/users/${user?.id}/current`);
  const { status, body } = await call("root", "PUT", "/admin/users", {
    ...current.body,
    roles: (held.roles ?? []).map((name) => ({ name })),
    groups: (held.groups ?? []).map((name) => ({ name })),
  });
  expect([status, status < 300 ? "" : body]).toEqual([200, ""]);
}

async function add(type: "roles" | "groups", body: object): Promise<void> {
  expect((await call("root", "POST", `/admin/${type}`, body)).status).toBe(201);
}

const idsOf = async (caller: string, offset = 0, max = 30) => {
  const { status, body } = await call<{ results?: { id: number }[] }>(caller, "POST", "/datasets/work/staff/search", {
    filters: [],
    paging: { offset, max },
  });
  return [status, body.results?.map(({ id }) => id)];
};
const ofTeam = (rest: number, from = 0, to = 30) => Array.from({ length: to }, (_, id) => id).filter((id) => id >= from && id % 3 === rest);

it("a role that is taken away between two pages leaves nothing for the second", async () => {
  await holds("ada", { roles: ["red"] });
  expect(await idsOf("ada", 0, 5)).toEqual([200, ofTeam(0, 0, 15)]);
  await holds("ada", {});
  expect(await idsOf("ada", 5, 5)).toEqual([200, []]);
  await holds("ada", { roles: ["red"] });
  expect(await idsOf("ada", 5, 5)).toEqual([200, ofTeam(0, 15)]);
});

it("a group shows the rows of its name, and those of its new name once it is renamed", async () => {
  await holds("ada", { groups: ["blue"] });
  expect(await idsOf("ada")).toEqual([200, ofTeam(1)]);
  const { body: groups } = await call<{ id: string; name: string }[]>("root", "GET", "/admin/groups");
  const id = groups.find(({ name }) => name === "blue")?.id ?? "";
  const rename = async (name: string) => {
    const { body } = await call<object>("root", "GET", `/admin/groups/${id}/current`);
    expect((await call("root", "PUT", "/admin/groups", { ...body, name })).status).toBe(200);
  };
  await rename("green");
  expect(await idsOf("ada")).toEqual([200, ofTeam(2)]);
  await rename("blue");
  expect(await idsOf("ada")).toEqual([200, ofTeam(1)]);
});

it("sessions, keys and work in the background have one part, and a key with fewer roles a smaller one", async () => {
  await holds("ada", { roles: ["red"], groups: ["blue"] });
  const both = [...ofTeam(0), ...ofTeam(1)].toSorted((one, other) => one - other);
  const datasets = [{ datasetCategory: "work", datasetId: "staff" }];
  const keyOf = async (name: string, more: object) => {
    const { status, body } = await call<{ key: string }>("ada", "POST", "/apiKeys", { name, datasets, ...more });
    expect([status, status < 300 ? "" : body]).toEqual([201, ""]);
    tokens[name] = body.key;
  };
  await keyOf("all of hers", {});
  await keyOf("without a role", { roles: [] });
  for (const caller of ["ada", "all of hers"]) expect([caller, await idsOf(caller)]).toEqual([caller, [200, both]]);
  expect(await idsOf("without a role")).toEqual([200, ofTeam(1)]);
  expect(await exportedIds("ada")).toEqual(both);
  expect(await exportedIds("all of hers")).toEqual(both);
  expect(await exportedIds("without a role")).toEqual(ofTeam(1));
});

it("a rule that is saved anew holds for the next call, in descriptions as in rows", async () => {
  const versionOf = async (caller: string) => {
    const { body } = await call<{ access: { version: string } }>(caller, "GET", "/datasets/work/staff/describe");
    return body.access.version;
  };
  await holds("ada", { roles: ["red"] });
  const before = [await versionOf("ada"), await versionOf("hugo")];
  // Nobody can tell from it whether others have the same part.
  expect(before[0]).not.toBe(before[1]);
  const { body: current } = await call<object>("root", "GET", "/admin/datasets/internal/staff/current");
  expect((await call("root", "PUT", "/admin/datasets/internal", { ...current, access: { ...access, rules: [] } })).status).toBe(200);
  expect(await idsOf("ada")).toEqual([200, Array.from({ length: 30 }, (_, id) => id)]);
  expect(await versionOf("ada")).not.toBe(before[0]);
  const { body: changed } = await call<object>("root", "GET", "/admin/datasets/internal/staff/current");
  expect((await call("root", "PUT", "/admin/datasets/internal", { ...changed, access, description: "Of the staff." })).status).toBe(200);
  expect(await idsOf("ada")).toEqual([200, ofTeam(0)]);
  // Other settings do not change it.
  expect(await versionOf("ada")).toBe(before[0]);
});

async function exportedIds(caller: string): Promise<number[]> {
  const started = await call<{ exportId: string }>(caller, "POST", "/datasets/work/staff/export", {
    format: "json",
    search: { filters: [] },
  });
  expect([started.status, started.status < 300 ? "" : started.body]).toEqual([202, ""]);
  const { exportId } = started.body;
  await vi.waitFor(async () => expect((await call<{ status: string }>(caller, "GET", `/exports/${exportId}`)).body.status).toBe("done"), {
    timeout: 10_000,
    interval: 30,
  });
  const { body } = await call<{ id: number }[]>(caller, "GET", `/exports/${exportId}/file`);
  return body.map(({ id }) => id);
}
