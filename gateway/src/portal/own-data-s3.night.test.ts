import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DataImport } from "@fairway/contract/imports";
import type { OwnData } from "@fairway/contract/own-datasets";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { bundledProgram } from "#testing/bundled-program.ts";
import { crc32cOf } from "#testing/crc32c-of.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { type OwnDataGateway, ownDataGateways } from "#testing/own-data-gateways.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { doctor, operatorCommand as run } from "#testing/run-command.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";

if (s3Program === undefined) noteNotRun("own data on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const rowsOf = (count: number, from = 0) =>
  Buffer.from(
    `name,size,latitude,longitude,day\n${Array.from(
      { length: count },
      (_, index) =>
        `name ${from + index},${from + index},${index % 80},${index % 170},2024-01-${String((index % 28) + 1).padStart(2, "0")}`,
    ).join("\n")}\n`,
  );

const settingsOf = (bucket: string | undefined) =>
  JSON.stringify({
    ownData: { who: "everyone", ...(bucket !== undefined && { bucket }) },
    limits: { uploadPartBytes: 5_242_880, storeConnectMs: 1_500, storeReadMs: 1_500 },
  });

describe.runIf(s3Program !== undefined)("own data with versitygw", () => {
  let server: S3Server;
  let portal: Awaited<ReturnType<typeof ownDataGateways>>;
  let gateway: OwnDataGateway;
  let bucket: string;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await S3Server.start(s3Program ?? "");
    bucket = await server.createBucket();
    portal = await ownDataGateways({
      bucket: { server, name: bucket },
      env: { FAIRWAY_SETTINGS: settingsOf(bucket) },
      onClose: (close) => void closing.push(close),
    });
    gateway = portal.first;
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await server.stop();
  });

  const removeAll = async () => {
    const { datasets } = (await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body;
    for (const { id } of datasets) expect((await gateway.call("ada", "DELETE", `/ownDatasets/${id}?now=true`)).status).toBe(204);
    await portal.balanced(0);
  };
  const append = async (file: string, content: Buffer) => {
    const into = { datasetCategory: "~ada", datasetId: "things", mode: "append" as const };
    const { id } = await gateway.read("ada", { [file]: content }, { into });
    await gateway.call("ada", "POST", `/imports/${id}/dataset`, { acceptDrift: ["other-format", "same-file"] });
    return gateway.settled("ada", id);
  };

  it("goes the whole way, from parts to rows, versions and removal", async () => {
    const content = rowsOf(200_000);
    const started = await gateway.start("ada", { "things.csv": content });
    expect(started.files[0]?.partBytes).toBe(5_242_880);
    expect(await gateway.sendPart("ada", started, 1, 1, content)).toBe(204);
    // The beginning is read while the rest is missing.
    await vi.waitFor(
      async () => {
        const { body } = await gateway.call<DataImport>("ada", "GET", `/imports/${started.id}`);
        expect(body).toMatchObject({ status: "uploading", isPartial: true, reading: { columns: [{ name: "name" }, {}, {}, {}, {}] } });
      },
      { timeout: 20_000, interval: 100 },
    );
    for (let part = 2; (part - 1) * 5_242_880 < content.length; part += 1)
      expect(await gateway.sendPart("ada", started, 1, part, content)).toBe(204);
    expect((await gateway.call("ada", "POST", `/imports/${started.id}/complete`)).status).toBe(202);
    expect(await gateway.settled("ada", started.id)).toMatchObject({ status: "ready", reading: { rows: 200_000 } });
    await gateway.call("ada", "POST", `/imports/${started.id}/dataset`, { name: "things", acceptAssumed: true });
    const { dataset } = await gateway.settled("ada", started.id);
    // Discarding anything cleans: the beginning is not kept.
    const other = await gateway.start("ada", { "other.csv": rowsOf(1) });
    expect((await gateway.call("ada", "DELETE", `/imports/${other.id}`)).status).toBe(204);
    await portal.balanced(2);
    expect((await server.objects(bucket)).size).toBe(2);

    const path = "/datasets/~ada/things";
    expect(await gateway.count("ada", "things")).toBe(200_000);
    const { status, body: found } = await gateway.call("ada", "POST", `${path}/search`, {});
    expect([status, JSON.stringify(found).includes("name 1")]).toEqual([200, true]);
    expect((await gateway.call("ada", "GET", `${path}/describe`)).status).toBe(200);

    expect(await append("more.csv.gz", gzipSync(rowsOf(1_000, 200_000)))).toMatchObject({ status: "done" });
    expect(await gateway.count("ada", "things")).toBe(201_000);
    // The ninth append merges the small files.
    for (let part = 1; part <= 8; part += 1)
      expect(await append(`${part}.csv`, rowsOf(10, part * 1_000_000))).toMatchObject({ status: "done" });
    expect(await gateway.count("ada", "things")).toBe(201_080);
    const { body: versions } = await gateway.call<{ version: number }[]>("ada", "GET", `/ownDatasets/${dataset?.id}/versions`);
    expect(versions).toHaveLength(10);
    expect((await gateway.call("ada", "POST", `/ownDatasets/${dataset?.id}/versions/1/restore`)).status).toBe(200);
    await expect.poll(() => gateway.count("ada", "things"), { timeout: 10_000 }).toBe(200_000);
    expect(await portal.problems()).toEqual([]);
    await removeAll();
    expect((await server.objects(bucket)).size).toBe(0);
  });

  it("takes parts that browsers send to the service itself", async () => {
    const { ownData, limits } = JSON.parse(settingsOf(bucket)) as Record<string, object>;
    const direct = await portal.start({ FAIRWAY_SETTINGS: JSON.stringify({ ownData, limits, s3: { directUploads: true } }) });
    const content = rowsOf(2_000);
    const { id } = await direct.start("ada", { "things.csv": content });
    const part = `/imports/${id}/files/1/parts/1`;
    const query = new URLSearchParams({ crc32c: crc32cOf(content) }).toString();
    const { body } = await direct.call<{ uploadUrl: string; headers: Record<string, string> }>("ada", "GET", `${part}?${query}`);
    expect(body.uploadUrl).toContain(`${server.address.url}/${bucket}/${id}/`);
    const sent = await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(content) });
    expect(sent.status).toBe(200);
    expect((await direct.call("ada", "POST", part, { etag: sent.headers.get("etag") ?? undefined })).status).toBe(204);
    expect((await direct.call("ada", "POST", `/imports/${id}/complete`)).status).toBe(202);
    expect(await direct.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 2_000 } });
    expect((await direct.call("ada", "DELETE", `/imports/${id}`)).status).toBe(204);
    await portal.balanced(0);
    await direct.process.stop();
  });

  it("moves to the disk and back while gateways run, also by a command that is killed", async () => {
    await gateway.dataset("ada", "things", rowsOf(1_000));
    await gateway.dataset("ada", "others", rowsOf(500));
    const onDisk = { ...portal.env, FAIRWAY_SETTINGS: settingsOf(undefined) };
    const used = async () => (await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body.room.bytes;
    const bytes = await used();

    const program = await bundledProgram(new URL("../testing/command-child.ts", import.meta.url));
    for (const condition of ["new.other_bucket = '' and old.other_bucket is null", "new.bucket = ''"]) {
      const stop = await portal.stopAt("own_data_files", "update", condition);
      const child = spawn(process.execPath, ["--conditions=source", program, "move-own-data"], {
        env: { PATH: process.env["PATH"], ...onDisk },
        stdio: "ignore",
      });
      const ended = once(child, "close");
      onTestFinished(() => void child.kill("SIGKILL"));
      await stop.reached();
      child.kill("SIGKILL");
      await ended;
      await stop.release();
      expect([await gateway.count("ada", "things"), await gateway.count("ada", "others"), await used()]).toEqual([1_000, 500, bytes]);
    }
    const moved = await vi.waitFor(
      async () => {
        const outcome = await run(["move-own-data"], onDisk);
        expect(outcome).toMatchObject({ code: 0, err: "" });
        return outcome;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(moved.out).toContain("Moved to the folder own-data: 4 files");
    expect([await gateway.count("ada", "things"), await gateway.count("ada", "others"), await used()]).toEqual([1_000, 500, bytes]);
    expect((await server.objects(bucket)).size).toBe(4);
    expect((await doctor(portal.env)).of("own data", "warning")).toContain("4 files of own datasets");
    await portal.passADay();
    await gateway.process.stop();
    gateway = await portal.start();
    await expect.poll(async () => (await server.objects(bucket)).size, { timeout: 20_000 }).toBe(0);
    await portal.balanced(4);
    expect([await gateway.count("ada", "things"), await gateway.count("ada", "others"), await used()]).toEqual([1_000, 500, bytes]);

    expect(await run(["move-own-data"], portal.env)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`the bucket '${bucket}': 4 files`) as string,
    });
    await portal.passADay();
    await gateway.process.stop();
    gateway = await portal.start();
    await portal.balanced(4);
    await expect.poll(async () => (await portal.filesBelow("kept")).size, { timeout: 20_000 }).toBe(0);
    expect([await gateway.count("ada", "things"), await used()]).toEqual([1_000, bytes]);
    expect(await portal.problems()).toEqual([]);
    await removeAll();
  });

  it("is compared with its rows by the doctor, named by a backup, and restored only where the bucket is configured", async () => {
    await gateway.dataset("ada", "things", rowsOf(1_000));
    await gateway.dataset("ada", "others", rowsOf(500));
    const backup = join(await temporaryFolder(), "backup");
    const done = await run(["backup", backup], portal.env);
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toContain(`Own data in the bucket '${bucket}' is not in it (4 files`);
    const { DATABASE_URL: _, ...elsewhere } = { ...portal.env, FAIRWAY_HOME: join(await temporaryFolder(), "new") };
    expect(await run(["restore", backup], { ...elsewhere, FAIRWAY_SETTINGS: settingsOf(undefined) })).toMatchObject({
      code: 1,
      err: expect.stringContaining(`own data in the bucket '${bucket}', and the settings of this place name none`) as string,
    });
    expect(await run(["restore", backup], elsewhere)).toMatchObject({ code: 0, err: "" });

    const [first = ""] = [...(await server.objects(bucket)).keys()];
    await server.remove(bucket, first);
    const { of } = await doctor(portal.env);
    expect(of("own data", "problem")).toMatch(new RegExp(`Files of 1 own dataset are missing in the bucket '${bucket}'`));
    await removeAll();
  });

  it("says that the service does not answer, and goes on when it does", async () => {
    await gateway.dataset("ada", "things", rowsOf(1_000));
    const ready = await gateway.read("ada", { "more.csv": rowsOf(10) });
    // Has no copy of anything.
    const other = await portal.start({ FAIRWAY_SETTINGS: settingsOf(bucket).replace('"who"', '"shareWithEveryone":true,"who"') });
    server.pause();
    try {
      expect(await other.call("ada", "POST", "/datasets/~ada/things/rowCount", {})).toMatchObject({
        status: 502,
        body: { errors: [{ code: "upstream-failed", message: expect.stringMatching(/did not answer in time/) as string }] },
      });
      expect((await gateway.call("ada", "POST", "/imports", { files: [{ file: "a.csv", size: 9 }] })).status).toBe(502);
      await gateway.call("ada", "POST", `/imports/${ready.id}/dataset`, { name: "more", acceptAssumed: true });
      expect(await gateway.settled("ada", ready.id)).toMatchObject({ status: "failed", failure: { kind: "not-ready" } });
      expect((await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets).toHaveLength(1);
    } finally {
      server.resume();
    }
    expect(await other.count("ada", "things")).toBe(1_000);
    await gateway.call("ada", "POST", `/imports/${ready.id}/dataset`, { name: "more", acceptAssumed: true });
    expect(await gateway.settled("ada", ready.id)).toMatchObject({ status: "done" });
    expect(await gateway.count("ada", "more")).toBe(10);
    await other.process.stop();
    await removeAll();
  });

  it("is written again if its gateway is killed while it uploads rows", async () => {
    const { id } = await gateway.read("ada", { "things.csv": rowsOf(100_000) });
    server.pause();
    try {
      const creating = gateway
        .call("ada", "POST", `/imports/${id}/dataset`, { name: "things", acceptAssumed: true })
        .catch(() => undefined);
      const rows = "select from own_data_files where name = 'rows' and dropped_at is null";
      await vi.waitFor(async () => expect(await portal.query(rows)).toHaveLength(1), { timeout: 60_000, interval: 20 });
      await gateway.process.kill();
      await creating;
    } finally {
      server.resume();
    }
    await portal.missTheDead();
    gateway = await portal.start();
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
    expect(await gateway.count("ada", "things")).toBe(100_000);
    const other = await gateway.start("ada", { "other.csv": rowsOf(1) });
    expect((await gateway.call("ada", "DELETE", `/imports/${other.id}`)).status).toBe(204);
    await portal.balanced(2);
    await portal.tidy();
    expect(await portal.problems()).toEqual([]);
    await removeAll();
  });

  it("is reached by no fileset and no dataset, also in a bucket that the settings name no longer", async () => {
    await gateway.dataset("ada", "things", rowsOf(10));
    const fileset = { id: "spy", description: "", s3Bucket: bucket, allowedRoles: [] };
    expect((await gateway.call("root", "POST", "/admin/filesets", fileset)).status).toBe(201);
    const listed = await gateway.call("root", "GET", "/filesets/spy/list");
    expect(listed).toMatchObject({
      status: 502,
      body: { errors: [{ message: expect.stringContaining("holds the own data of users") as string }] },
    });
    const other = await portal.start({ FAIRWAY_SETTINGS: settingsOf(undefined), FAIRWAY_S3_DATASET_BUCKETS: bucket });
    const browsed = await other.call("root", "GET", `/admin/buckets?within=s3://${bucket}`);
    expect([browsed.status, JSON.stringify(browsed.body)]).toEqual([
      expect.any(Number),
      expect.stringContaining("holds the own data of users"),
    ]);
    const inspected = await other.call("root", "POST", "/admin/datasets/internal/inspect", { path: `s3://${bucket}/**/*.parquet` });
    expect(JSON.stringify(inspected.body)).toContain("holds the own data of users");
    await other.process.stop();
    await removeAll();
  });
});
