import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { changedExportText, type ExportManifest } from "@fairway/contract/exports";
import { beforeAll, describe, expect, it } from "vitest";
import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { addDataset, buildColumn } from "#testing/dataset-app.ts";
import { BlockedExports, type ExportGateway, exportsApp, noFiles } from "#testing/exports-app.ts";
import { sheetRows } from "#testing/workbooks.ts";

const app = await exportsApp();
const { pool } = app.base.database;
const csv = { format: "csv" };

const columns = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("real", "decimal"),
  { ...buildColumn("twice", "integer"), computed: { expression: "id * 2" } },
];
const access: DatasetAccess = {
  rules: [
    {
      name: "Range",
      grants: [
        { roles: ["low"], rows: { filters: [{ name: "id", operator: "<", value: 10 }] } },
        { roles: ["high"], rows: { filters: [{ name: "id", operator: ">=", value: 990 }] } },
      ],
    },
  ],
  columns: [
    { names: ["real"], roles: ["ranger"], others: "withheld" },
    { names: ["twice"], roles: ["*"], others: "withheld" },
  ],
  unnamedColumns: "shown",
};

beforeAll(async () => {
  await pool.query("insert into roles (id, name) select name, name from unnest(array['low', 'high', 'ranger', 'doubler']) as name");
  const named = { category: "Tests", schema: { columns } } as const;
  const rule = (roles: string[]) => ({ names: ["twice"], roles, others: "withheld" as const });
  await addDataset(app.base, { ...named, id: "ruled", access: { ...access, columns: access.columns?.slice(0, 1) } });
  await addDataset(app.base, { ...named, id: "doubled", access: { columns: [rule(["doubler"])] } });
});

const pathOf = (exportId: string, rest = "") => `/exports/${exportId}${rest}`;
const changed = { errors: [{ code: "conflict", message: changedExportText }] };

async function expectWithdrawn(gateway: ExportGateway, exportId: string) {
  for (const rest of ["/file", "/manifest", "/file"]) {
    const { status, body } = await app.call(gateway, "ada", "GET", pathOf(exportId, rest));
    expect([rest, status, body]).toEqual([rest, 409, changed]);
  }
  expect(await app.stateOf(gateway, "ada", exportId)).toMatchObject({
    status: "failed",
    failure: changedExportText,
    rows: 0,
    totalRows: null,
    file: null,
  });
  expect(await app.files()).toEqual(noFiles);
}

describe("an export of a dataset with rules", () => {
  it("holds its owner's part, and says so", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    const { exportId, state, file } = await app.exportFile(gateway, csv, "ruled");
    expect(state).toMatchObject({ status: "done", rows: 10, totalRows: 10 });
    expect(file.text.split("\r\n")[0]).toBe("id,name,twice");
    const { body } = await app.call<ExportManifest>(gateway, "ada", "GET", pathOf(exportId, "/manifest"));
    expect(body).toMatchObject({ partial: true, columns: ["id", "name", "twice"] });
    const book = await app.exportFile(gateway, { format: "xlsx" }, "ruled");
    const { sheetJs } = await sheetRows(book.file.bytes, 1);
    expect(sheetJs).toContainEqual(["Part", "Access rules leave out some rows or columns for this user"]);
    const whole = await app.exportFile(gateway, csv, "rows");
    expect((await app.call<ExportManifest>(gateway, "ada", "GET", pathOf(whole.exportId, "/manifest"))).body.partial).toBeUndefined();
  });

  it("is withdrawn at every gateway once its owner has lost a role, which a later role does not undo", async () => {
    const [one, other] = [await app.open(), await app.open()];
    await app.setRoles("ada", ["low", "high"]);
    const { exportId, state } = await app.exportFile(one, csv, "ruled");
    expect(state.rows).toBe(20);
    await app.setRoles("ada", ["low"]);
    await expectWithdrawn(other, exportId);
    await app.setRoles("ada", ["low", "high"]);
    await expectWithdrawn(one, exportId);
  });

  it("of a breakdown is withdrawn as well", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low", "high"]);
    const { body } = await app.call<{ exportId: string }>(gateway, "ada", "POST", "/datasets/Tests/ruled/breakdown/export", {
      format: "csv",
      breakdown: { search: {}, measures: [{ aggregation: "count" }] },
    });
    expect(await app.waitForEnd(gateway, "ada", body.exportId)).toMatchObject({ status: "done" });
    const manifest = await app.call<ExportManifest>(gateway, "ada", "GET", pathOf(body.exportId, "/manifest"));
    expect(manifest.body.partial).toBe(true);
    await app.setRoles("ada", ["low"]);
    await expectWithdrawn(gateway, body.exportId);
  });

  it("is withdrawn if a computed column is withheld by now", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["doubler"]);
    const { exportId, state } = await app.exportFile(gateway, csv, "doubled");
    expect(state.rows).toBe(1_000);
    await app.setRoles("ada", []);
    await expectWithdrawn(gateway, exportId);
  });

  it("fails if the rights change while it is written", async () => {
    const blocked = new BlockedExports();
    const gateway = await app.open({ engine: blocked.engine });
    await app.setRoles("ada", ["low", "high"]);
    const exportId = await app.startExport(gateway, "ada", csv, "ruled");
    await app.waitForState(gateway, "ada", exportId, ({ rows }) => rows > 0);
    await app.setRoles("ada", ["low"]);
    blocked.release();
    await expect.poll(() => gateway.service.running).toBe(0);
    const { rows } = await pool.query("select status, failure from exports");
    expect(rows).toEqual([{ status: "failed", failure: changedExportText }]);
    await expectWithdrawn(gateway, exportId);
  });

  it("tells nothing of its progress once the rights have changed", async () => {
    const blocked = new BlockedExports();
    const gateway = await app.open({ engine: blocked.engine });
    await app.setRoles("ada", ["low", "high"]);
    const exportId = await app.startExport(gateway, "ada", csv, "ruled");
    await app.waitForState(gateway, "ada", exportId, ({ rows }) => rows > 0);
    await app.setRoles("ada", ["low"]);
    await expectWithdrawn(gateway, exportId);
    expect([blocked.interrupted, gateway.service.running]).toEqual([1, 0]);
  });

  it("from before there were keys was of everything", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    const { exportId } = await app.exportFile(gateway, csv, "ruled");
    const free = await app.exportFile(gateway, csv, "rows");
    await pool.query("update exports set scope_keys = null");
    expect((await app.call(gateway, "ada", "GET", pathOf(free.exportId, "/file"))).status).toBe(200);
    expect((await app.call(gateway, "ada", "GET", pathOf(exportId, "/file"))).body).toEqual(changed);
  });
});

describe("an export that an API key started", () => {
  const path = { category: "Tests", datasetId: "ruled" };
  const draft = { format: "csv" as const, search: { filters: [] } };
  const keyWith = async (id: string, roles: readonly string[] | null) => {
    const datasets = JSON.stringify([{ datasetCategory: "Tests", datasetId: "ruled" }]);
    await pool.query(
      `insert into api_keys (id, user_id, name, name_key, datasets, fileset_ids, ecosystem_names, roles)
      values ($1, 'ada', $1, $1, $2, '{}', '{}', $3)`,
      [id, datasets, roles],
    );
    return actingAs(id);
  };
  const actingAs = async (id: string) => {
    const user = await userOfKey(app.base.database.db, id, defaultSecurityLimits.providerConfirmedDays);
    if (user === undefined) throw new Error("there is no such key");
    return user;
  };

  it("has the rows of the key's roles, also when another gateway takes it over", async () => {
    await app.setRoles("ada", ["low", "high"]);
    const key = await keyWith("narrow", ["low"]);
    const first = await app.open({ engine: new BlockedExports().engine });
    const exportId = await first.service.start(key, path, draft);
    await first.close();
    const second = await app.open();
    expect(await app.waitForEnd(second, "ada", exportId)).toMatchObject({ status: "done", rows: 10 });
    expect((await app.call(second, "ada", "GET", pathOf(exportId, "/file"))).status).toBe(200);
    expect((await second.service.download(key, exportId)).record.rows).toBe(10);
  });

  it("fails once the key is deleted, and not as its owner's", async () => {
    await app.setRoles("ada", ["low", "high"]);
    const key = await keyWith("short", ["low"]);
    const first = await app.open({ engine: new BlockedExports().engine });
    const exportId = await first.service.start(key, path, draft);
    await first.close();
    await pool.query("delete from api_keys where id = 'short'");
    const second = await app.open();
    await expect
      .poll(async () => (await pool.query("select status, failure from exports where id = $1", [exportId])).rows)
      .toEqual([{ status: "failed", failure: "The export was stopped: the API key that started it was deleted or has expired." }]);
    await second.close();
  });

  it("or its owner with more roles is not there for a key with fewer", async () => {
    await app.setRoles("ada", ["low", "high"]);
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv, "ruled");
    const key = await keyWith("few", ["low"]);
    for (const method of ["state", "download"] as const) {
      await expect(gateway.service[method](key, exportId)).rejects.toMatchObject({ code: "not-found" });
    }
    const equal = await keyWith("all", null);
    expect((await gateway.service.download(equal, exportId)).record.rows).toBe(20);
    expect((await app.call(gateway, "ada", "GET", pathOf(exportId, "/file"))).status).toBe(200);
  });
});
