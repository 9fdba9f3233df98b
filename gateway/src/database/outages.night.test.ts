import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { type Portal, startPortal } from "#portal/portal.ts";
import { openService } from "#portal/service.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { ExternalPostgres, testSessionName } from "#testing/external-postgres.ts";

// Tests share a portal and a database, and leave both working. Slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = { username: "root", password: "tide-table" };
// Short, so that an unresponsive server is detected quickly.
const limits = {
  FAIRWAY_SETTINGS: JSON.stringify({ limits: { databaseConnectMs: 1_000, databaseStatementMs: 1_000, feedbackPerHour: 1_000_000 } }),
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
};

// Started before tests are collected, because one of them needs a separate disk.
const postgres = await ExternalPostgres.start(inject("testCluster"));
const { hasOwnDisk } = postgres;
let home: string;
let portal: Portal;
let token: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "fairway-outages-"));
  for (const page of ["index.html", "login.html", "theme.js", "favicon.svg"]) await writeFile(join(home, page), "<meta nonce='__NONCE__'>");
  if (!hasOwnDisk) noteNotRun("a full disk of the database", "mounting a file system is not allowed here");
  const environment = { FAIRWAY_HOME: home, DATABASE_URL: postgres.url, PORT: "0", LOG_LEVEL: "silent", ...limits };
  const administrator = { FAIRWAY_ADMIN_USERNAME: root.username, FAIRWAY_ADMIN_PASSWORD: root.password };
  portal = await startPortal({
    config: { ...readConfig({ ...environment, ...administrator }, { demo: false }), webRoot: home },
    openService: (foundation) => openService(foundation),
    print: () => undefined,
    signal: new AbortController().signal,
  });
  token = ((await (await login()).json()) as { token: { access_token: string } }).token.access_token;
});

afterAll(async () => {
  await portal.stop();
  await postgres.end();
  await rm(home, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${portal.address}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const login = () => call("POST", "/auth/login", root);
const profile = () => call("GET", "/profile");
const events = () => call("GET", "/auditing/events");
const ready = () => call("GET", "/health/ready");
const live = () => call("GET", "/health/live");
const writeFeedback = () =>
  call("POST", "/feedback/create", {
    username: root.username,
    name: "",
    email: "",
    type: "bug",
    description: "It is wet.",
    datasets: [],
    attachments: [],
  });

/** Status, error code, and whether there is a Retry-After header. */
async function outcome(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const body = (await response.json()) as { errors?: { code: string }[] };
  return [response.status, body.errors?.[0]?.code, response.headers.has("retry-after") ? "retry" : ""].filter(Boolean).join(" ");
}

const unavailable = "503 not-ready retry";
const waitUntilAvailable = () => vi.waitUntil(async () => (await ready()).ok && (await login()).ok, { timeout: 30_000, interval: 50 });

/** Submits feedback and signs in continuously. */
class Writers {
  readonly acknowledged: string[] = [];
  /** Outcomes other than success. */
  readonly failures = new Set<string>();
  readonly #running: Promise<unknown>;
  #isDone = false;

  constructor() {
    this.#running = Promise.all([this.#write(), this.#write(), this.#write(), this.#write(), this.#signIn(), this.#signIn()]);
  }

  /** Waits until more writes are acknowledged. */
  async waitForMore(): Promise<void> {
    const count = this.acknowledged.length + 20;
    await vi.waitUntil(() => this.acknowledged.length > count, { timeout: 30_000 });
  }

  async end(): Promise<void> {
    this.#isDone = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    while (!this.#isDone) {
      const response = await writeFeedback();
      if (response.ok) this.acknowledged.push(((await response.json()) as { id: string }).id);
      else this.failures.add(await outcome(response));
    }
  }

  async #signIn(): Promise<void> {
    while (!this.#isDone) {
      const response = await login();
      if (response.ok) await response.text();
      else this.failures.add(await outcome(response));
    }
  }
}

async function expectStored(ids: readonly string[]): Promise<void> {
  const session = await postgres.session();
  const { rows } = await session.query<{ id: string }>("select id from feedback");
  await session.end();
  const stored = new Set(rows.map(({ id }) => id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
}

it("a database restart under load causes 503s, but loses no acknowledged write and keeps the gateway running", async () => {
  const writers = new Writers();
  for (const mode of ["fast", "immediate", "fast"] as const) {
    await writers.waitForMore();
    await postgres.stop(mode);
    await postgres.restart();
    await waitUntilAvailable();
  }
  await writers.waitForMore();
  await writers.end();
  expect([...writers.failures]).toEqual([unavailable]);
  await expectStored(writers.acknowledged);
});

it("a running export survives an outage and finishes once the database is available", async () => {
  await mkdir(join(home, "datasets"), { recursive: true });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = join(home, "datasets/large.parquet");
  await connection.run(`copy (select i as n, md5(i::varchar) as text from range(400_000) t(i)) to '${file}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
  const column = { description: "", combined: null };
  const columns = [
    { ...column, name: "n", type: "integer" as const },
    { ...column, name: "text", type: "STRING" as const },
  ];
  const source = { kind: "files" as const, glob: "large.parquet", format: "parquet" as const };
  await call("POST", "/admin/datasets/internal", buildDataset({ id: "large", source, schema: { columns } }));
  const exportDraft = { format: "csv", search: { sort: [{ column: "text", direction: "asc" }] } };
  const { exportId } = (await (await call("POST", "/datasets/Tests/large/export", exportDraft)).json()) as { exportId: string };
  await vi.waitUntil(async () => (await readdir(join(home, "exports"))).length > 0, { timeout: 30_000, interval: 10 });
  await postgres.stop("immediate");
  // The file is completed while its state cannot be stored.
  await vi.waitUntil(async () => (await readdir(join(home, "exports"))).every((name) => name.endsWith(".csv")), { timeout: 60_000 });
  expect(await outcome(call("GET", `/exports/${exportId}`))).toBe(unavailable);
  await postgres.restart();
  await waitUntilAvailable();
  const state = async () => (await (await call("GET", `/exports/${exportId}`)).json()) as { status: string; rows: number };
  await vi.waitUntil(async () => (await state()).status !== "running", { timeout: 30_000, interval: 50 });
  expect(await state()).toMatchObject({ status: "done", rows: 400_000 });
  expect(await readdir(join(home, "exported/kept"))).toEqual([`${exportId}.1.csv`]);
});

it("without its database, the gateway stays live, answers 503, and counts no failed sign-ins", async () => {
  await postgres.stop("fast");
  for (let attempt = 0; attempt < 8; attempt += 1) expect(await outcome(login())).toBe(unavailable);
  for (const request of [profile, writeFeedback, events, ready]) expect(await outcome(request())).toBe(unavailable);
  expect(await outcome(live())).toBe("200");
  await postgres.restart();
  await waitUntilAvailable();
});

it("an unresponsive database causes 503s, also for long statements, until it responds again", async () => {
  await waitUntilAvailable();
  await postgres.pause();
  try {
    const answers = await Promise.all([login, profile, writeFeedback, events, ready, login, profile].map((request) => outcome(request())));
    expect(new Set(answers)).toEqual(new Set([unavailable]));
    expect(await outcome(live())).toBe("200");
  } finally {
    await postgres.resume();
  }
  await waitUntilAvailable();
  expect(await outcome(profile())).toBe("200");
});

/** Terminates every session of the portal and returns their number. */
async function endPortalSessions(session: Client): Promise<number> {
  const { rowCount } = await session.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
    [testSessionName],
  );
  return rowCount ?? 0;
}

it("a database without free connections causes 503s until there is one", async () => {
  const first = await postgres.session();
  const others = [first];
  const takeFreeConnections = async () => {
    for (let session: Client | undefined = first; session !== undefined;) {
      session = await postgres.session().catch(() => undefined);
      if (session !== undefined) others.push(session);
    }
  };
  try {
    // The portal competes for connections, and a slot becomes free only some time after its session has ended.
    const isRefused = async () => {
      await takeFreeConnections();
      await endPortalSessions(first);
      await takeFreeConnections();
      const answer = await outcome(writeFeedback());
      expect([unavailable, "201"]).toContain(answer);
      return answer === unavailable;
    };
    await vi.waitUntil(isRefused, { timeout: 30_000, interval: 50 });
  } finally {
    for (const session of others) await session.end();
  }
  await waitUntilAvailable();
});

it.runIf(hasOwnDisk)("a full disk causes 503s for writes and new sessions until there is space again", async () => {
  const { id } = (await (await writeFeedback()).json()) as { id: string };
  const session = await postgres.session();
  const freeDisk = await postgres.fillDisk();
  try {
    // A session of the portal that was just starting may have had its space already.
    for (const request of [login, profile, writeFeedback, events, ready]) {
      const isRefused = async () => {
        await endPortalSessions(session);
        return (await outcome(request())) === unavailable;
      };
      await vi.waitUntil(isRefused, { timeout: 30_000, interval: 50 });
    }
    expect(await outcome(live())).toBe("200");
  } finally {
    await freeDisk();
  }
  await waitUntilAvailable();
  await session.end();
  await expectStored([id]);
});
