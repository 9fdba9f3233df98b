import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { AuditPage } from "@fairway/contract/audit";
import type { ExportState } from "@fairway/contract/exports";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readConfig } from "#config.ts";
import { type Portal, startPortal } from "#portal.ts";
import { openService } from "#service.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { gatewayProcess } from "#testing/portal-process.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";

// Starting a gateway takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = { username: "root", password: "tide-table" };
const rows = 800_000;
/** Takes a moment to write. */
const sorted = { format: "csv", search: { sort: [{ column: "text", direction: "asc" }] } };

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
    say: () => undefined,
    signal: new AbortController().signal,
  });
  const signedIn = (await ask(portal, "POST", "/auth/login", root)) as { body: { token: { access_token: string } } };
  token = signedIn.body.token.access_token;
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
  await ask(portal, "POST", "/admin/datasets/internal", dataset);
});

afterAll(async () => {
  await portal.stop();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

interface At {
  readonly address: string;
}

async function ask(at: At, method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${at.address}/api${path}`, {
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

/** Another gateway, in a process of its own. */
async function anotherGateway() {
  const process = gatewayProcess(environment);
  return { process, address: await process.address() };
}

async function start(at: At): Promise<string> {
  const { status, body } = await ask(at, "POST", "/datasets/Tests/large/export", sorted);
  expect(status).toBe(202);
  return (body as { exportId: string }).exportId;
}

const stateOf = async (at: At, exportId: string) => (await ask(at, "GET", `/exports/${exportId}`)).body as ExportState;
const scratch = () => readdir(join(home, "exports"));
const isBeingWritten = () => expect.poll(scratch, { timeout: 30_000, interval: 10 }).not.toEqual([]);
const ends = (at: At, exportId: string) =>
  expect.poll(async () => (await stateOf(at, exportId)).status, { timeout: 60_000 }).not.toBe("running");

it("two gateways are one portal: an export is started at one, seen, cancelled and downloaded at the other, and audited once", async () => {
  const other = await anotherGateway();
  const cancelled = await start(other);
  await isBeingWritten();
  expect(await stateOf(portal, cancelled)).toMatchObject({ status: "running" });
  expect((await ask(portal, "POST", "/datasets/Tests/large/export", sorted)).status).toBe(429);
  expect((await ask(portal, "DELETE", `/exports/${cancelled}`)).status).toBe(204);
  expect(await stateOf(other, cancelled)).toMatchObject({ status: "cancelled" });
  await expect.poll(scratch, { timeout: 10_000 }).toEqual([]);

  const done = await start(other);
  await ends(portal, done);
  expect(await stateOf(portal, done)).toMatchObject({ status: "done", rows });
  const file = await ask(portal, "GET", `/exports/${done}/file`);
  expect([file.status, String(file.body).split("\r\n").length]).toEqual([200, rows + 2]);
  // Each of them keeps its engine's temporary files apart: shared ones crash both.
  expect(await readdir(join(home, "engine"))).toHaveLength(2);

  const started = async () =>
    ((await ask(portal, "GET", "/auditing/events?path=large/export&responseCode=202")).body as AuditPage).totalElements;
  await expect.poll(started, { timeout: 10_000 }).toBe(2);
  expect(await other.process.stop()).toBe(0);
  expect((await ask(portal, "GET", `/exports/${done}/file`)).status).toBe(200);
});

it("a gateway that is killed in the middle of an export leaves it to the other one", async () => {
  const other = await anotherGateway();
  const exportId = await start(other);
  await isBeingWritten();
  await other.process.kill();
  expect((await ask(portal, "GET", `/exports/${exportId}/file`)).status).toBe(409);
  // As if it had been silent for longer than a gateway may be.
  await database.pool.query("update exports set alive_at = alive_at - interval '1 minute' where status = 'running'");
  await ends(portal, exportId);
  expect(await stateOf(portal, exportId)).toMatchObject({ status: "done", rows, totalRows: rows });
});
