import { gzipSync } from "node:zlib";
import type { OwnData } from "@fairway/contract/own-datasets";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type OwnDataGateway, type OwnDataGatewaysOptions, ownDataGateways } from "./own-data-gateways.ts";

const rowsOf = (count: number, from = 0) =>
  Buffer.from(`name,size\n${Array.from({ length: count }, (_, index) => `n${from + index},${from + index}`).join("\n")}\n`);

type Point = Parameters<Awaited<ReturnType<typeof ownDataGateways>>["stopAt"]>;

/** Kills gateways at each step of imports and datasets. `open` says where own data is; it is called once, before the first gateway starts. */
export function describeOwnDataLife(
  place: string,
  open: () => Promise<Pick<OwnDataGatewaysOptions, "bucket">> = () => Promise.resolve({}),
): void {
  // Each gateway takes seconds to start.
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
  describe(`own data ${place}:`, () => {
    let portal: Awaited<ReturnType<typeof ownDataGateways>>;
    let gateway: OwnDataGateway;
    const closing: (() => unknown)[] = [];

    beforeAll(async () => {
      portal = await ownDataGateways({ ...(await open()), onClose: (close) => void closing.push(close) });
      gateway = portal.first;
    });
    afterAll(async () => {
      for (const close of closing.toReversed()) await close();
    });

    const datasetsOf = async (): Promise<OwnData["datasets"]> => (await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets;

    /** Kills the gateway at a change of the database, and starts the next one. */
    async function killedAt(point: Readonly<Point>, act: () => Promise<unknown>) {
      const stop = await portal.stopAt(...point);
      try {
        const acting = act().catch(() => undefined);
        await stop.reached();
        await gateway.process.kill();
        await acting;
      } finally {
        await stop.release();
      }
      await portal.missTheDead();
      gateway = await portal.start();
    }

    /** Deletes everything, and expects that a day later nothing is left. */
    async function expectNothingLeft() {
      expect(await portal.problems()).toEqual([]);
      for (const { id } of await datasetsOf())
        expect((await gateway.call("ada", "DELETE", `/ownDatasets/${id}?now=true`)).status).toBe(204);
      await portal.passADay();
      await gateway.process.stop();
      gateway = await portal.start();
      await portal.balanced(0);
      await portal.tidy();
      const left = "select id from imports union all select id from fileset_part_uploads where holder_kind = 'import'";
      await expect.poll(() => portal.query(left), { timeout: 20_000 }).toEqual([]);
      expect(await portal.problems()).toEqual([]);
    }

    describe("an import whose gateway is killed", () => {
      it("while parts arrive goes on with those that were stored", async () => {
        const content = rowsOf(20_000);
        const started = await gateway.start("ada", { "things.csv": content });
        await killedAt(["fileset_upload_parts", "insert"], () => gateway.sendPart("ada", started, 1, 1, content));
        expect((await gateway.call("ada", "GET", `/imports/${started.id}`)).body).toMatchObject({ files: [{ received: [] }] });
        expect(await gateway.sendPart("ada", started, 1, 1, content)).toBe(204);
        await gateway.call("ada", "POST", `/imports/${started.id}/complete`);
        expect(await gateway.settled("ada", started.id)).toMatchObject({ status: "ready", reading: { rows: 20_000 } });
        await portal.balanced(1);
        await expectNothingLeft();
      });

      it("before its parts had an upload goes after a day", async () => {
        await killedAt(["fileset_part_uploads", "insert"], () =>
          gateway.call("ada", "POST", "/imports", { files: [{ file: "a.csv", size: 9 }] }),
        );
        expect(await datasetsOf()).toEqual([]);
        await expectNothingLeft();
      });

      it.each([
        ["before its parts are joined", "update", "new.joining_until is not null"],
        ["after its parts were joined", "update", "new.outcome = 'completed'"],
      ] as const)("%s can be completed again", async (_, when, condition) => {
        const { id } = await gateway.upload("ada", { "things.csv": rowsOf(2_000) });
        await killedAt(["fileset_part_uploads", when, condition], () => gateway.call("ada", "POST", `/imports/${id}/complete`));
        await portal.query("update fileset_part_uploads set joining_until = joining_until - interval '1 minute'");
        await vi.waitFor(async () => expect((await gateway.call("ada", "POST", `/imports/${id}/complete`)).status).toBe(202));
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
        await portal.balanced(1);
        await expectNothingLeft();
      });

      it.each([
        ["before the digest", ["import_files", "update", "new.sha256 is not null"]],
        ["before the end of reading", ["imports", "update", "new.status = 'ready'"]],
      ] as const)("%s is read by another one", async (_, point) => {
        const { id } = await gateway.upload("ada", { "things.csv": rowsOf(2_000) });
        await killedAt(point, () => gateway.call("ada", "POST", `/imports/${id}/complete`));
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
        await portal.balanced(1);
        await expectNothingLeft();
      });

      it.each([
        ["has room", ["own_data_files", "insert", "new.name = 'rows'"]],
        ["is stored", ["own_datasets", "insert"]],
        ["is visible", ["imports", "update", "new.status = 'done'"]],
      ] as const)("before its Parquet file %s is created by another one, once", async (_, point) => {
        const { id } = await gateway.read("ada", { "things.csv": rowsOf(2_000) });
        await killedAt(point, () => gateway.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" }));
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
        expect(await datasetsOf()).toMatchObject([{ datasetId: "things", rows: 2_000 }]);
        expect(await gateway.count("ada", "things")).toBe(2_000);
        // Discarding anything cleans: rows of the killed gateway are not kept.
        const other = await gateway.upload("ada", { "other.csv": rowsOf(1) });
        await gateway.call("ada", "DELETE", `/imports/${other.id}`);
        // The rows and the original.
        await portal.balanced(2);
        await portal.tidy();
        await expectNothingLeft();
      });

      it("before a file of a fileset was copied copies it again", async () => {
        const fileset = { id: "lake", description: "", s3Bucket: "lake", allowedRoles: [] };
        expect((await gateway.call("root", "POST", "/admin/filesets", fileset)).status).toBe(201);
        await portal.addFilesetFile("lake", "things.csv", rowsOf(2_000));
        const from = { filesetId: "lake", files: ["things.csv"] };
        await killedAt(["import_files", "update", "new.is_complete"], () => gateway.call("ada", "POST", "/imports", { from }));
        const [row] = await portal.query<{ id: string }>("select id from imports");
        expect(await gateway.settled("ada", row?.id ?? "")).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
        await portal.balanced(1);
        await portal.tidy();
        await expectNothingLeft();
      });

      it.each([
        ["before an unpacked file has room", ["own_data_files", "insert", "new.name = 'things.csv'"]],
        ["before an unpacked file is known", ["import_files", "insert", "new.container is not null"]],
        ["before all is unpacked", ["import_files", "update", "new.is_container"]],
      ] as const)("%s unpacks again", async (_, point) => {
        const { id } = await gateway.upload("ada", { "things.csv.gz": gzipSync(rowsOf(2_000)) });
        await killedAt(point, () => gateway.call("ada", "POST", `/imports/${id}/complete`));
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
        await gateway.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" });
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
        expect(await gateway.count("ada", "things")).toBe(2_000);
        // Discarding anything cleans: the unpacked file is not kept.
        const other = await gateway.upload("ada", { "other.csv": rowsOf(1) });
        await gateway.call("ada", "DELETE", `/imports/${other.id}`);
        await portal.balanced(2);
        await portal.tidy();
        await expectNothingLeft();
      });
    });

    const pointsOfAdding: readonly (readonly [title: string, point: Readonly<Point>])[] = [
      ["before its rows have room", ["own_data_files", "insert", "new.key like '%/rows-%'"]],
      ["before the version", ["own_dataset_versions", "insert"]],
      ["before its end", ["imports", "update", "new.status = 'done'"]],
    ];

    describe.each([
      ["append", 3_000],
      ["replace", 1_000],
    ] as const)("a killed gateway that was to %s", (mode, rows) => {
      it.each(pointsOfAdding)("%s changes nothing, and the next one does it once", async (_, point) => {
        const { dataset } = await gateway.dataset("ada", "things", rowsOf(2_000));
        const into = { datasetCategory: "~ada", datasetId: "things", mode };
        const { id } = await gateway.read("ada", { "more.csv": rowsOf(1_000, 2_000) }, { into });
        const watcher = await portal.start();
        const stop = await portal.stopAt(...point);
        try {
          const acting = gateway.call("ada", "POST", `/imports/${id}/dataset`, {});
          await stop.reached();
          const held = (await stop.held()) === gateway.name ? gateway : watcher;
          const other = held === gateway ? watcher : gateway;
          expect(await other.count("ada", "things")).toBe(2_000);
          await acting;
          await held.process.kill();
          gateway = other;
        } finally {
          await stop.release();
        }
        expect(await gateway.count("ada", "things")).toBe(2_000);
        await portal.missTheDead();
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
        await expect.poll(() => gateway.count("ada", "things"), { timeout: 10_000 }).toBe(rows);
        const { body: versions } = await gateway.call<unknown[]>("ada", "GET", `/ownDatasets/${dataset?.id}/versions`);
        expect(versions).toHaveLength(2);
        const other = await gateway.upload("ada", { "other.csv": rowsOf(1) });
        await gateway.call("ada", "DELETE", `/imports/${other.id}`);
        // The rows and the original of both versions.
        await portal.balanced(4);
        await portal.tidy();
        await expectNothingLeft();
      });
    });

    describe("a gateway that is killed while it deletes a dataset", () => {
      it("leaves the dataset as it was before anything is removed", async () => {
        const { dataset } = await gateway.dataset("ada", "things", rowsOf(2_000));
        await killedAt(["own_datasets", "delete"], () => gateway.call("ada", "DELETE", `/ownDatasets/${dataset?.id}?now=true`));
        expect(await gateway.count("ada", "things")).toBe(2_000);
        await portal.balanced(2);
        await expectNothingLeft();
      });

      it("leaves the files to the next one, which count for nobody", async () => {
        const { dataset } = await gateway.dataset("ada", "things", rowsOf(2_000));
        await killedAt(["own_data_files", "update", "new.dropped_at is not null"], () =>
          gateway.call("ada", "DELETE", `/ownDatasets/${dataset?.id}?now=true`),
        );
        expect(await gateway.count("ada", "things")).toBe(-404);
        expect((await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body.room).toMatchObject({ bytes: 0 });
        await portal.balanced(0);
        await expectNothingLeft();
      });

      it("leaves a dataset that was to go in 7 days whole or without a trace", async () => {
        const { dataset } = await gateway.dataset("ada", "things", rowsOf(2_000));
        await gateway.call("ada", "DELETE", `/ownDatasets/${dataset?.id}`);
        await portal.query("update own_datasets set deleted_at = now() - interval '8 days', gone_at = now() - interval '1 day'");
        const stop = await portal.stopAt("own_data_files", "update", "new.dataset_id is null");
        try {
          await gateway.process.kill();
          // Cleans as it starts.
          gateway = await portal.start();
          await stop.reached();
          await gateway.process.kill();
        } finally {
          await stop.release();
        }
        expect(await portal.query("select from own_datasets")).toHaveLength(1);
        await portal.balanced(2);
        gateway = await portal.start();
        await portal.balanced(0);
        expect(await portal.query("select from own_datasets")).toEqual([]);
        await expectNothingLeft();
      });

      it("leaves the rows of old versions to the next one", async () => {
        await gateway.dataset("ada", "things", rowsOf(2_000));
        const into = { datasetCategory: "~ada", datasetId: "things", mode: "replace" as const };
        const { id } = await gateway.read("ada", { "more.csv": rowsOf(1_000) }, { into });
        await gateway.call("ada", "POST", `/imports/${id}/dataset`, {});
        expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
        await portal.balanced(4);
        await portal.query("update own_dataset_versions set created_at = created_at - interval '8 days'");
        const stop = await portal.stopAt("own_data_files", "update", "new.dataset_id is null");
        try {
          await gateway.process.kill();
          gateway = await portal.start();
          await stop.reached();
          await gateway.process.kill();
        } finally {
          await stop.release();
        }
        gateway = await portal.start();
        await portal.balanced(2);
        expect(await gateway.count("ada", "things")).toBe(1_000);
        await expectNothingLeft();
      });
    });

    it("an import that is discarded while another gateway creates its dataset leaves nothing", async () => {
      const { id } = await gateway.read("ada", { "things.csv": rowsOf(2_000) });
      const other = await portal.start();
      const stop = await portal.stopAt("own_datasets", "insert");
      try {
        await gateway.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" });
        await stop.reached();
        const free = (await stop.held()) === gateway.name ? other : gateway;
        expect((await free.call("ada", "DELETE", `/imports/${id}`)).status).toBe(204);
      } finally {
        await stop.release();
      }
      await other.process.stop();
      expect(await datasetsOf()).toEqual([]);
      await expectNothingLeft();
    });
  });
}
