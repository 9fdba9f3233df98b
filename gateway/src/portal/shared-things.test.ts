import { afterAll, beforeAll, expect, it } from "vitest";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";

/** In everything that stays unsaid. */
const secret = "quagga";
const storms = { datasetCategory: "nature", datasetId: "storms" };

let gateway: Awaited<ReturnType<typeof demoGateway>>;
const tokens: Record<string, string> = {};

async function call<Body = Record<string, string>>(caller: string, method: string, path: string, payload?: unknown): Promise<Body> {
  const answer = await gateway.app.inject({
    method: method as "GET",
    url: `/api${path}`,
    headers: { authorization: `Bearer ${tokens[caller]}` },
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  expect([method, path, answer.statusCode < 300 ? "" : answer.body]).toEqual([method, path, ""]);
  return (answer.body === "" ? undefined : JSON.parse(answer.body)) as Body;
}

/** Names in this portal, without what is written a moment after the answer. */
async function notes(username: string): Promise<string[]> {
  type Events = { content: { method: string; path: string; details: { note?: string } }[] };
  const { content } = await call<Events>("root", "GET", `/auditing/events?username=${username}`);
  return content.flatMap(({ method, path, details: { note } }) =>
    note === undefined ? [] : [`${method} ${path.replace(/[\da-f-]{36}/, ":id")}: ${note}`],
  );
}

beforeAll(async () => {
  const env = { FAIRWAY_SETTINGS: JSON.stringify({ limits: { auditIntervalMs: 60_000 } }) };
  const usernames = { ada: ["desk"], alan: ["desk"], grace: [] };
  gateway = await demoGateway(env, { categories: [{ id: "nature", description: "" }], datasets: [stormsRecipe], usernames });
  for (const username of ["root", ...Object.keys(usernames)]) tokens[username] = await gateway.token(username);
}, 60_000);

afterAll(() => gateway.close());

it("has every change of shares and owners in the audit log before the answer, with names and counts alone", async () => {
  const search = { ...storms, queryName: "Gales", query: JSON.stringify({ filters: [], note: secret }), description: secret };
  const { id: board = "" } = await call("ada", "POST", "/boards", {
    name: "Season",
    description: secret,
    sharedWithRoles: ["desk"],
    content: {},
  });
  const { id: saved = "" } = await call("ada", "POST", "/favorite/queries", search);
  const idOf = async (username: string) => (await call<{ id: string }[]>("ada", "GET", `/sharing/candidates?text=${username}`))[0]?.id;
  const [alan, grace] = [await idOf("alan"), await idOf("grace")];
  const shares = [alan, grace].map((id) => ({ to: { kind: "user", id }, can: "edit" }));
  for (const path of [`/boards/${board}`, `/favorite/queries/${saved}`]) {
    await call("ada", "PUT", `${path}/shares`, { shares });
    await call("grace", "DELETE", `${path}/shares/mine`);
    await call("ada", "PUT", `${path}/owner`, { userId: alan });
  }
  await call("alan", "PUT", `/boards/${board}`, { sharedWithRoles: ["*"], version: 1 });
  expect((await notes("ada")).toReversed()).toEqual([
    "POST /api/boards: Season, 1 share",
    "PUT /api/boards/:id/shares: Season, 2 shares",
    "PUT /api/boards/:id/owner: Season to alan",
    "PUT /api/favorite/queries/:id/shares: Gales, 2 shares",
    "PUT /api/favorite/queries/:id/owner: Gales to alan",
  ]);
  expect((await notes("grace")).toReversed()).toEqual([
    "DELETE /api/boards/:id/shares/mine: Season",
    "DELETE /api/favorite/queries/:id/shares/mine: Gales",
  ]);
  expect(await notes("alan")).toEqual(["PUT /api/boards/:id: Season, 2 shares"]);
  await call("root", "DELETE", `/admin/users/${alan}`);
  await call("root", "PUT", `/admin/ownerless/board/${board}`, { userId: grace });
  await call("root", "DELETE", `/admin/ownerless/savedSearch/${saved}`);
  await call("root", "DELETE", `/admin/users/${grace}?transferTo=${await idOf("root")}`);
  expect((await notes("root")).toReversed()).toEqual([
    "PUT /api/admin/ownerless/board/:id: board Season to grace",
    "DELETE /api/admin/ownerless/savedSearch/:id: saved search Gales",
    "DELETE /api/admin/users/:id: 1 board to root",
  ]);
  const all = JSON.stringify(await call<unknown>("root", "GET", "/auditing/export?format=json"));
  expect(all).toContain("Season, 2 shares");
  expect(all).not.toContain(secret);
});
