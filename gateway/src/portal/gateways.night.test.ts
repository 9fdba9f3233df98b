import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { AuditPage } from "@fairway/contract/audit";
import type { ExportState } from "@fairway/contract/exports";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { type Portal, startPortal } from "#portal/portal.ts";
import { openService } from "#portal/service.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { PortalProcess } from "#testing/portal-process.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";

// Starting a gateway is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = { username: "root", password: "tide-table" };
const rows = 400_000;
/** Sorted, so that writing the export takes a moment. */
const exportDraft = { format: "csv", search: { sort: [{ column: "text", direction: "asc" }] } };

let database: TestDatabase;
let home: string;
let environment: Record<string, string>;
let portal: Portal;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "fairway-gateways-"));
  await mkdir(join(home, "datasets"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `copy (select i as n, md5(i::varchar) as text from range(${rows}) t(i)) to '${join(home, "datasets/large.parquet")}' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  environment = { FAIRWAY_HOME: home, DATABASE_URL: database.url, PORT: "0", LOG_LEVEL: "silent" };
  const administrator = { FAIRWAY_ADMIN_USERNAME: root.username, FAIRWAY_ADMIN_PASSWORD: root.password };
  portal = await startPortal({
    config: { ...readConfig({ ...environment, ...administrator }, { demo: false }), webRoot: null },
    openService: (foundation) => openService(foundation),
    print: () => undefined,
    signal: new AbortController().signal,
  });
  const login = (await call(portal, "POST", "/auth/login", root)) as { body: { token: { access_token: string } } };
  token = login.body.token.access_token;
  const column = { description: "", combined: null };
  const dataset = buildDataset({
    id: "large",
    source: { kind: "files", glob: "large.parquet", format: "parquet" },
    schema: {
      columns: [
        { ...column, name: "n", type: "integer" },
        { ...column, name: "text", type: "STRING" },
      ],
    },
  });
  await call(portal, "POST", "/admin/datasets/internal", dataset);
});

afterAll(async () => {
  await portal.stop();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

interface Gateway {
  readonly address: string;
}

async function call(gateway: Gateway, method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${gateway.address}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "accept-encoding": "identity",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

async function startExport(gateway: Gateway): Promise<string> {
  const { status, body } = await call(gateway, "POST", "/datasets/Tests/large/export", exportDraft);
  expect(status).toBe(202);
  return (body as { exportId: string }).exportId;
}

const stateOf = async (gateway: Gateway, exportId: string) => (await call(gateway, "GET", `/exports/${exportId}`)).body as ExportState;
const scratchFiles = () => readdir(join(home, "exports"));
const waitForScratchFile = () => expect.poll(scratchFiles, { timeout: 30_000, interval: 10 }).not.toEqual([]);
const waitForEnd = (gateway: Gateway, exportId: string) =>
  expect.poll(async () => (await stateOf(gateway, exportId)).status, { timeout: 60_000 }).not.toBe("running");

it("an export started at one gateway can be read, canceled and downloaded at another, is audited once, and continues there when its own is killed", async () => {
  const process = await PortalProcess.start(environment, { program: "gateway" });
  const other = { address: await process.address() };
  const canceled = await startExport(other);
  await waitForScratchFile();
  expect(await stateOf(portal, canceled)).toMatchObject({ status: "running" });
  expect((await call(portal, "POST", "/datasets/Tests/large/export", exportDraft)).status).toBe(429);
  expect((await call(portal, "DELETE", `/exports/${canceled}`)).status).toBe(204);
  expect(await stateOf(other, canceled)).toMatchObject({ status: "cancelled" });
  await expect.poll(scratchFiles, { timeout: 10_000 }).toEqual([]);

  const done = await startExport(other);
  await waitForEnd(portal, done);
  expect(await stateOf(portal, done)).toMatchObject({ status: "done", rows });
  const file = await call(portal, "GET", `/exports/${done}/file`);
  expect([file.status, String(file.body).split("\r\n").length]).toEqual([200, rows + 2]);
  // Each gateway has a separate folder for its engine's temporary files: a shared one crashes both.
  expect(await readdir(join(home, "engine"))).toHaveLength(2);

  const started = async () =>
    ((await call(portal, "GET", "/auditing/events?path=large/export&responseCode=202")).body as AuditPage).totalElements;
  await expect.poll(started, { timeout: 10_000 }).toBe(2);

  const continued = await startExport(other);
  await waitForScratchFile();
  await process.kill();
  expect((await call(portal, "GET", `/exports/${continued}/file`)).status).toBe(409);
  expect((await call(portal, "GET", `/exports/${done}/file`)).status).toBe(200);
  // Simulates a heartbeat that is overdue.
  await database.pool.query("update exports set alive_at = alive_at - interval '1 minute' where status = 'running'");
  await waitForEnd(portal, continued);
  expect(await stateOf(portal, continued)).toMatchObject({ status: "done", rows, totalRows: rows });
});
