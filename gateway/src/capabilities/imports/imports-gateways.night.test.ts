import type { DataImport } from "@fairway/contract/imports";
import type { OwnData } from "@fairway/contract/own-datasets";
import { expect, it, vi } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";

const rows = `name,size\n${Array.from({ length: 2_000 }, (_, index) => `n${index},${index}`).join("\n")}\n`;

it("shares imports and own datasets between gateways, whichever is asked", async () => {
  const one = await ownDataApp();
  const two = await ownDataApp({ peer: one });
  const { id } = await one.upload("ada", { "things.csv": rows });
  expect(await two.call("ada", "POST", `/imports/${id}/complete`)).toMatchObject({ status: 202 });
  expect(await one.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
  expect(await one.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" })).toMatchObject({ status: 202 });
  expect(await two.settled("ada", id)).toMatchObject({ status: "done" });
  for (const app of [one, two]) {
    await expect.poll(async () => (await app.call("ada", "GET", "/datasets/~ada/things/describe")).status).toBe(200);
    expect((await app.call("root", "GET", "/datasets/~ada/things/describe")).status).toBe(404);
  }
  const own = (await one.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets[0];
  await one.call("ada", "PUT", `/ownDatasets/${own?.id}/shares`, { shares: [{ to: { kind: "everyone" }, can: "view" }] });
  await expect.poll(async () => (await two.call("grace", "GET", "/datasets/~ada/things/describe")).status).toBe(200);
});

it.each(["reading", "creating"] as const)(
  "repeats %s after its gateway was killed, and keeps one dataset and no byte too many",
  async (step) => {
    const app = await ownDataApp();
    const { pool } = app.gateway.database;
    const { id } = await app.upload("ada", { "things.csv": rows });
    await app.call("ada", "POST", `/imports/${id}/complete`);
    await app.settled("ada", id);
    if (step === "creating") {
      await app.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" });
      // As a gateway leaves it that was killed before the end of the step: with rows in the store that no dataset has.
      await app.settled("ada", id);
      await pool.query("delete from own_datasets");
      await pool.query("update own_data_files set dataset_id = null, import_id = $1", [id]);
    }
    await pool.query("update imports set status = $2, dataset = null, alive_at = now() - interval '1 minute' where id = $1", [id, step]);
    const wanted = step === "reading" ? "ready" : "done";
    await vi.waitFor(async () => expect((await app.call<DataImport>("ada", "GET", `/imports/${id}`)).body.status).toBe(wanted), 20_000);
    if (step === "reading") await app.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" });
    await app.settled("ada", id);
    expect((await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets).toMatchObject([{ datasetId: "things", rows: 2_000 }]);
    const other = await app.upload("ada", { "other.csv": "a\n1\n" });
    await app.call("ada", "DELETE", `/imports/${other.id}`);
    const { rows: files } = await pool.query<{ key: string }>("select key from own_data_files where dropped_at is null");
    expect((await app.stored()).toSorted()).toEqual(files.map(({ key }) => key).toSorted());
    expect(files).toHaveLength(2);
  },
);

it("fails an import whose step has ended three gateways", async () => {
  const app = await ownDataApp();
  const { id } = await app.read("ada", { "things.csv": rows });
  await app.gateway.database.pool.query(
    "update imports set status = 'reading', tries = 3, alive_at = now() - interval '1 minute' where id = $1",
    [id],
  );
  await vi.waitFor(
    async () =>
      expect((await app.call<DataImport>("ada", "GET", `/imports/${id}`)).body.failure?.message).toMatch(/interrupted several times/),
    20_000,
  );
});

it("discards imports that nobody has asked for within a day, with every byte", async () => {
  const app = await ownDataApp();
  const { id } = await app.read("ada", { "things.csv": rows });
  const other = await app.upload("ada", { "more.csv": rows });
  await app.gateway.database.pool.query("update imports set used_at = now() - interval '25 hours'");
  expect((await app.call("ada", "GET", `/imports/${id}`)).status).toBe(404);
  // Discarding anything cleans.
  const last = await app.upload("ada", { "last.csv": "a\n1\n" });
  await app.call("ada", "DELETE", `/imports/${last.id}`);
  expect(await app.stored()).toEqual([]);
  const { rows: left } = await app.gateway.database.pool.query("select from own_data_files where dropped_at is null");
  expect([left.length, other.status]).toEqual([0, "uploading"]);
});

it("keeps the parts of one person from holding up another's searches", async () => {
  const app = await ownDataApp();
  await app.dataset("alan", "mine", rows);
  const uploads = Array.from({ length: 5 }, (_, index) => app.upload("ada", { [`part-${index}.csv`]: rows }));
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await app.call("alan", "POST", "/datasets/~alan/mine/search", {})).status).toBe(200);
  }
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => "uploading"));
});
