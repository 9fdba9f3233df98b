import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { demoGateway, stormsRecipe } from "#testing/demo-gateway.ts";

const burst = 1_200;

let gateway: Awaited<ReturnType<typeof demoGateway>>;
let ada: string;
let bob: string;
/** An API key of Bob's. */
let key: string;

beforeAll(async () => {
  gateway = await demoGateway(
    { LIMIT_DATABASE_CONNECTIONS: "6", FAIRWAY_SETTINGS: '{"limits":{"databaseConnectionsPerUser":4}}' },
    {
      categories: [{ id: "nature", description: "" }],
      datasets: [stormsRecipe],
    },
  );
  const root = await gateway.token();
  for (const username of ["ada", "bob"]) {
    const password = { setPassword: true, value: "tide-table" };
    const user = { username, password, email: "", firstName: "", lastName: "", groups: [], roles: [] };
    await call(root, "POST", "/admin/users", user);
  }
  [ada, bob] = [await gateway.token("ada"), await gateway.token("bob")];
  const created = await call(bob, "POST", "/apiKeys", {
    name: "assistant",
    datasets: [{ datasetCategory: "nature", datasetId: "storms" }],
    filesetIds: [],
  });
  key = created.json<{ key: string }>().key;
});
afterAll(() => gateway.close());

const call = (token: string, method: "GET" | "POST", path: string, payload?: object) =>
  gateway.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
    ...(payload && { payload }),
  });

/** Makes every call for boards wait, with its connection, until the returned function is called. */
async function holdBoards() {
  const holder = new Client({ connectionString: gateway.database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table boards");
  return {
    release: () => holder.query("commit"),
    waiting: async () => {
      const { rows } = await holder.query<{ count: string }>("select count(*) from pg_locks where not granted");
      return Number(rows[0]?.count);
    },
  };
}

describe("1,200 calls of one person at once, which hold all connections to the database that the person may have", () => {
  it("neither fail themselves nor keep calls of others waiting, by session, API key and assistant, nor sign-ins", async () => {
    const boards = await holdBoards();
    let answered = 0;
    const calls = Array.from({ length: burst }, async () => {
      const { statusCode } = await call(ada, "GET", "/boards");
      answered += 1;
      return statusCode;
    });
    await expect.poll(boards.waiting, { timeout: 30_000 }).toBe(4);
    for (let round = 0; round < 10; round += 1) {
      expect((await call(bob, "GET", "/favorite/queries")).statusCode).toBe(200);
      expect((await call(key, "GET", "/datasets")).statusCode).toBe(200);
      const listing = { jsonrpc: "2.0", id: round, method: "tools/call", params: { name: "list_datasets", arguments: {} } };
      const listed = await call(key, "POST", "/mcp", listing);
      expect([listed.statusCode, listed.body]).toEqual([200, expect.not.stringContaining('"isError":true')]);
    }
    expect(await gateway.token("bob")).toMatch(/^ey/);
    expect([answered, await boards.waiting()]).toEqual([0, 4]);
    await boards.release();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  });

  it("of two people, are answered by turns", async () => {
    const boards = await holdBoards();
    const order: string[] = [];
    const ask = async (token: string, name: string) => {
      expect((await call(token, "GET", "/boards")).statusCode).toBe(200);
      order.push(name);
    };
    const all = Array.from({ length: burst }, () => ask(ada, "ada"));
    await expect.poll(boards.waiting, { timeout: 30_000 }).toBe(4);
    all.push(...Array.from({ length: 20 }, () => ask(bob, "bob")));
    await expect.poll(boards.waiting, { timeout: 30_000 }).toBeGreaterThan(4);
    await boards.release();
    await Promise.all(all);
    // As many of Ada's at most go before, and some that were under way.
    expect(order.lastIndexOf("bob")).toBeLessThan(300);
  });
});
