import { describe, expect, it } from "vitest";
import { BlockedExports, exportsApp, noFiles } from "#testing/exports-app.ts";
import { someUser } from "#testing/some-user.ts";

const app = await exportsApp();
const csv = { format: "csv" };

describe("export access", () => {
  it("hides state, file and manifest from other users, and does not let them cancel", async () => {
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv);
    const unknown = await app.call(gateway, "ada", "GET", "/exports/nothing");
    expect(unknown.status).toBe(404);
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", "/file"],
      ["GET", "/manifest"],
      ["DELETE", ""],
    ] as const) {
      const response = await app.call(gateway, "bob", method, `/exports/${exportId}${rest}`);
      expect([response.status, response.body]).toEqual([404, unknown.body]);
    }
    expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(200);
  });

  it("allows an API key of the owner only if the key includes the dataset", async () => {
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv);
    const keyFor = (datasetId: string) =>
      someUser({
        id: "ada",
        username: "ada",
        sessionId: "k",
        reach: { apiKeyId: "k", apiKeyName: "key", datasets: [{ datasetCategory: "Tests", datasetId }], filesets: [], ecosystems: [] },
      });
    for (const method of ["state", "download", "remove"] as const) {
      await expect(gateway.service[method](keyFor("filtered"), exportId)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await gateway.service.state(keyFor("rows"), exportId)).toMatchObject({ status: "done" });
    expect((await gateway.service.download(keyFor("rows"), exportId)).record.status).toBe("done");
  });

  it("denies the file to an owner who may no longer use the dataset", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["insider"]);
    const { exportId, file } = await app.exportFile(gateway, csv, "secret: *");
    expect(file.headers["content-disposition"]).toContain('filename="Tests_secret- -.csv"');
    for (const [roles, status] of [
      [[], 404],
      [["insider"], 200],
    ] as const) {
      await app.setRoles("ada", roles);
      for (const rest of ["/file", "/manifest"])
        expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}${rest}`)).status).toBe(status);
    }
    await app.setRoles("ada", []);
    expect((await app.call(gateway, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
  });

  it("allows the cookie for file and manifest only", async () => {
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv);
    const withCookie = async (method: "GET" | "POST" | "DELETE", url: string, userId = "ada") => {
      const headers = { cookie: `theme=dark; JWT=${userId}; other=1` };
      return (await gateway.app.inject({ method, url, headers, ...(method === "POST" ? { payload: {} } : {}) })).statusCode;
    };
    expect(await withCookie("GET", `/exports/${exportId}/file`)).toBe(200);
    expect(await withCookie("GET", `/exports/${exportId}/manifest`)).toBe(200);
    expect(await withCookie("GET", `/exports/${exportId}/file`, "bob")).toBe(404);
    expect(await withCookie("GET", `/exports/${exportId}`)).toBe(401);
    expect(await withCookie("DELETE", `/exports/${exportId}`)).toBe(401);
    expect(await withCookie("POST", "/datasets/Tests/rows/export")).toBe(401);
    expect((await gateway.app.inject({ method: "GET", url: `/exports/${exportId}/file` })).statusCode).toBe(401);
  });
});

describe("an export that waited for a gateway", () => {
  /** Starts an export and closes its gateway. */
  async function abandonedExport(datasetId?: string): Promise<string> {
    const first = await app.open({ engine: new BlockedExports().engine });
    const exportId = await app.startExport(first, "ada", csv, datasetId);
    await first.close();
    return exportId;
  }

  it("is not written for an owner who has lost access to the dataset", async () => {
    await app.setRoles("ada", ["insider"]);
    const exportId = await abandonedExport("secret: *");
    await app.setRoles("ada", []);
    const second = await app.open();
    const { status, failure } = await app.waitForEnd(second, "ada", exportId);
    expect([status, failure]).toEqual(["failed", "There is no such dataset, or you don't have access to it."]);
    expect(await app.files()).toEqual(noFiles);
  });

  it("is not written for an owner who is locked", async () => {
    const exportId = await abandonedExport();
    await app.base.database.pool.query("update users set locked = true where id = 'ada'");
    const second = await app.open();
    const { status, failure } = await app.waitForEnd(second, "ada", exportId);
    expect([status, failure]).toEqual(["failed", "The export was stopped: its owner cannot sign in."]);
  });

  it("is stopped and its files are removed when its owner's account is deleted", async () => {
    const { pool } = app.base.database;
    await pool.query("insert into users (id, username, username_key) values ('tim', 'tim', 'tim')");
    const blocked = new BlockedExports();
    const gateway = await app.open({ engine: blocked.engine, limits: { exportsAtOncePerUser: 2 } });
    await app.startExport(gateway, "tim", csv);
    await app.waitForState(gateway, "tim", await app.startExport(gateway, "tim", csv), () => blocked.started === 2);
    await pool.query("delete from users where id = 'tim'");
    await expect.poll(() => [blocked.interrupted, gateway.service.running], { timeout: 10_000 }).toEqual([2, 0]);
    expect(await app.files()).toEqual(noFiles);
  });

  it("stores nothing of the session that started it", async () => {
    const blocked = new BlockedExports();
    const gateway = await app.open({ engine: blocked.engine });
    const search = { filters: [{ name: "name", operator: "=", value: "a \0 in between" }] };
    await app.startExport(gateway, "ada", { ...csv, search });
    const { rows } = await app.base.database.pool.query<{ request: unknown; owner_id: string }>("select * from exports");
    expect(rows).toMatchObject([{ owner_id: "ada", request: { ...csv, search } }]);
  });
});
