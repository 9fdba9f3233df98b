import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readConfig } from "#config.ts";
import { type Portal, startPortal } from "#portal.ts";
import { openService } from "#service.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { ExternalPostgres, testSessionName } from "#testing/external-postgres.ts";

// One portal and one database for all: each test leaves both working. A busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = { username: "root", password: "tide-table" };
// So that silence is noticed soon.
const limits = {
  LIMIT_DATABASE_CONNECT_MS: "1000",
  LIMIT_DATABASE_STATEMENT_MS: "1000",
  LIMIT_FEEDBACK_PER_HOUR: "1000000",
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
};

// Before the tests are listed: one of them needs a disk of its own.
const postgres = await ExternalPostgres.start();
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
    say: () => undefined,
    signal: new AbortController().signal,
  });
  token = ((await (await login()).json()) as { token: { access_token: string } }).token.access_token;
});

afterAll(async () => {
  await portal.stop();
  await postgres.end();
  await rm(home, { recursive: true, force: true });
});

const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${portal.address}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const login = () => ask("POST", "/auth/login", root);
const profile = () => ask("GET", "/profile");
const events = () => ask("GET", "/auditing/events");
const ready = () => ask("GET", "/health/ready");
const live = () => ask("GET", "/health/live");
const writeFeedback = () =>
  ask("POST", "/feedback/create", {
    username: root.username,
    name: "",
    email: "",
    type: "bug",
    description: "It is wet.",
    datasets: [],
    attachments: [],
  });

/** Status and code, and whether it tells when to try again. */
async function outcome(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const body = (await response.json()) as { errors?: { code: string }[] };
  return [response.status, body.errors?.[0]?.code, response.headers.has("retry-after") ? "retry" : ""].filter(Boolean).join(" ");
}

const unavailable = "503 not-ready retry";
const works = () => vi.waitUntil(async () => (await ready()).ok && (await login()).ok, { timeout: 30_000, interval: 50 });

/** Submits feedback and signs in without a pause. */
class Writers {
  readonly acknowledged: string[] = [];
  /** Every answer but a success. */
  readonly failures = new Set<string>();
  readonly #running: Promise<unknown>;
  #isOver = false;

  constructor() {
    this.#running = Promise.all([this.#write(), this.#write(), this.#write(), this.#write(), this.#signIn(), this.#signIn()]);
  }

  /** Waits until some more is acknowledged. */
  async more(): Promise<void> {
    const enough = this.acknowledged.length + 20;
    await vi.waitUntil(() => this.acknowledged.length > enough, { timeout: 30_000 });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const response = await writeFeedback();
      if (response.ok) this.acknowledged.push(((await response.json()) as { id: string }).id);
      else this.failures.add(await outcome(response));
    }
  }

  async #signIn(): Promise<void> {
    while (!this.#isOver) {
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
  const there = new Set(rows.map(({ id }) => id));
  expect(ids.filter((id) => !there.has(id))).toEqual([]);
}

it("a database that restarts under load costs 503s, but neither the gateway nor an acknowledged write", async () => {
  const writers = new Writers();
  for (const how of ["fast", "immediate", "fast"] as const) {
    await writers.more();
    await postgres.stop(how);
    await postgres.restart();
    await works();
  }
  await writers.more();
  await writers.end();
  expect([...writers.failures]).toEqual([unavailable]);
  await expectStored(writers.acknowledged);
});

it("an export that is being written outlives an outage, and is finished once the database is back", async () => {
  await mkdir(join(home, "datasets"), { recursive: true });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = join(home, "datasets/large.parquet");
  await connection.run(`copy (select i as n, md5(i::varchar) as text from range(800_000) t(i)) to '${file}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
  const column = { description: "", combined: null };
  const columns = [
    { ...column, name: "n", type: "integer" as const },
    { ...column, name: "text", type: "STRING" as const },
  ];
  const source = { kind: "files" as const, glob: "large.parquet", format: "parquet" as const };
  await ask("POST", "/admin/datasets/internal", buildDataset({ id: "large", source, schema: { columns } }));
  const sorted = { format: "csv", search: { sort: [{ column: "text", direction: "asc" }] } };
  const { exportId } = (await (await ask("POST", "/datasets/Tests/large/export", sorted)).json()) as { exportId: string };
  await vi.waitUntil(async () => (await readdir(join(home, "exports"))).length > 0, { timeout: 30_000, interval: 10 });
  await postgres.stop("immediate");
  // Written to its end while nobody can note it.
  await vi.waitUntil(async () => (await readdir(join(home, "exports"))).every((name) => name.endsWith(".csv")), { timeout: 60_000 });
  expect(await outcome(ask("GET", `/exports/${exportId}`))).toBe(unavailable);
  await postgres.restart();
  await works();
  const state = async () => (await (await ask("GET", `/exports/${exportId}`)).json()) as { status: string; rows: number };
  await vi.waitUntil(async () => (await state()).status !== "running", { timeout: 30_000, interval: 50 });
  expect(await state()).toMatchObject({ status: "done", rows: 800_000 });
  expect(await readdir(join(home, "exported/kept"))).toEqual([`${exportId}.1.csv`]);
});

it("without its database the gateway says so, lives, and locks nobody out for what nobody could check", async () => {
  await postgres.stop("fast");
  for (let attempt = 0; attempt < 8; attempt += 1) expect(await outcome(login())).toBe(unavailable);
  for (const call of [profile, writeFeedback, events, ready]) expect(await outcome(call())).toBe(unavailable);
  expect(await outcome(live())).toBe("200");
  await postgres.restart();
  await works();
});

it("a database that falls silent is given up, for long statements too, and used again once it speaks", async () => {
  await works();
  await postgres.pause();
  try {
    const answers = await Promise.all([login, profile, writeFeedback, events, ready, login, profile].map((call) => outcome(call())));
    expect(new Set(answers)).toEqual(new Set([unavailable]));
    expect(await outcome(live())).toBe("200");
  } finally {
    await postgres.resume();
  }
  await works();
  expect(await outcome(profile())).toBe("200");
});

/** Ends every session of the portal. Answers how many there were. */
async function endPortalSessions(session: Client): Promise<number> {
  const { rowCount } = await session.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
    [testSessionName],
  );
  return rowCount ?? 0;
}

it("a database without a free connection costs 503s until there is one", async () => {
  const first = await postgres.session();
  const others = [first];
  const takeWhatIsFree = async () => {
    for (let session: Client | undefined = first; session !== undefined;) {
      session = await postgres.session().catch(() => undefined);
      if (session !== undefined) others.push(session);
    }
  };
  try {
    // The portal takes what it needs in between, and a place is free only some time after its session ended.
    const isRefused = async () => {
      await takeWhatIsFree();
      await endPortalSessions(first);
      await takeWhatIsFree();
      const answer = await outcome(writeFeedback());
      expect([unavailable, "201"]).toContain(answer);
      return answer === unavailable;
    };
    await vi.waitUntil(isRefused, { timeout: 30_000, interval: 50 });
  } finally {
    for (const session of others) await session.end();
  }
  await works();
});

it.runIf(hasOwnDisk)("a full disk costs 503s where nothing can be stored or no session begin, until there is room again", async () => {
  const { id } = (await (await writeFeedback()).json()) as { id: string };
  const session = await postgres.session();
  const makeRoom = await postgres.fillDisk();
  try {
    await endPortalSessions(session);
    for (const call of [login, profile, writeFeedback, events, ready]) expect(await outcome(call())).toBe(unavailable);
    expect(await outcome(live())).toBe("200");
  } finally {
    await makeRoom();
  }
  await works();
  await session.end();
  await expectStored([id]);
});
