import { execFile } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { mkdtemp, open as openFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { ListBucketsCommand } from "@aws-sdk/client-s3";
import Fastify from "fastify";
import { defaultLimits } from "@fairway/contract/limits";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connectDatabase } from "#database/connection.ts";
import { LiveStreams } from "#capabilities/live/live-streams.ts";
import { installCallers } from "#http/callers.ts";
import { readJsonBodies } from "#http/json-body.ts";
import { WorkLane } from "#identity/work-lane.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { testClient } from "#nifi/testing/sample-flows.ts";
import { FileCache } from "#query/bucket/file-cache.ts";
import { RestEngine } from "#query/rest/engine.ts";
import { externalOver } from "#query/rest/test-upstream.ts";
import { Slots } from "#query/slots.ts";
import { FileScanner } from "#storage/file-scanner.ts";
import { openS3Clients } from "#storage/s3-client.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { TaskWorkers, workerProgram } from "#threads/task-workers.ts";
import { asCaller, personOwner } from "./caller.ts";
import { LoopTurns } from "./loop-turns.ts";
import { someUser } from "#testing/some-user.ts";

/** Something that all callers share. */
interface Shared {
  /** Starts work that lasts until `release`. Resolves when it is done. */
  readonly use: (name: string) => Promise<unknown>;
  /** Names of the work that was started, in any order. */
  readonly started: () => readonly string[] | Promise<readonly string[]>;
  readonly release: () => void | Promise<void>;
}

/** Work that waits for `release`, and says when it starts. */
function heldWork() {
  const started: string[] = [];
  const held = new AbortController();
  setMaxListeners(0, held.signal);
  const work = async (name: string): Promise<void> => {
    started.push(name);
    if (!held.signal.aborted) await once(held.signal, "abort");
  };
  return { work, started: () => started, release: () => held.abort() };
}

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "fairway-shares-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Statements that wait for a lock that someone else holds. */
async function openConnections(kind: "regular" | "longRunning"): Promise<Shared> {
  const { url } = await testDatabaseForOneTest();
  const limits = { databaseConnections: 6, databaseConnectionsPerUser: 3, databaseConnectMs: 60_000 };
  const database = connectDatabase(url, { limits: { ...limits, databaseStatementMs: 60_000, databaseLongStatementMs: 60_000 } });
  onTestFinished(() => database.close());
  const holder = new Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("select pg_advisory_lock(640)");
  const pool = kind === "regular" ? database.pool : database.longRunning.pool;
  return {
    use: (name) => pool.query(`/* ${name} */ select pg_advisory_lock_shared(640), pg_advisory_unlock_shared(640)`),
    started: async () => {
      const { rows } = await holder.query<{ query: string }>("select query from pg_stat_activity where query like '/* %'");
      return rows.flatMap(({ query }) => /^\/\* (.*?) \*\//.exec(query)?.[1] ?? []);
    },
    release: async () => void (await holder.query("select pg_advisory_unlock(640)")),
  };
}

async function openScans(): Promise<Shared> {
  const folder = await temporaryFolder();
  const released = join(folder, "released");
  await promisify(execFile)("mkfifo", [released]);
  // Says that it runs, and waits until someone opens the other end.
  const script = ': > "$1.started"; : < "$2"';
  const scanner = new FileScanner({
    command: ["/bin/sh", "-c", script, "sh", "{file}", released],
    timeoutMs: 60_000,
    atOnce: 2,
  });
  onTestFinished(() => scanner.close());
  return {
    use: async (name) => {
      const path = join(folder, name);
      await writeFile(path, "");
      await scanner.check(path);
    },
    started: async () => (await readdir(folder)).flatMap((file) => /^(.*)\.started$/.exec(file)?.[1] ?? []),
    release: async () => {
      const other = await openFile(released, "r+");
      onTestFinished(() => other.close());
    },
  };
}

async function openCopies(): Promise<Shared> {
  const { work, ...held } = heldWork();
  const cache = await FileCache.open({ folder: await temporaryFolder(), maxBytes: 1e9, downloadsAtOnce: 4, waitMs: 60_000 });
  onTestFinished(() => cache.close());
  return {
    ...held,
    use: async (name) => {
      const id = name.replaceAll(" ", "");
      const read = async () => {
        await work(name);
        return Readable.from([Buffer.from("a")]);
      };
      (await cache.hold([{ id, path: "file", size: 1, read }], new AbortController().signal)).release();
    },
  };
}

async function openS3Calls(): Promise<Shared> {
  const { work, ...held } = heldWork();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "", "http://s3").searchParams.get("prefix") ?? "";
    void work(name).then(() => response.writeHead(200, { "content-type": "application/xml" }).end("<ListAllMyBucketsResult/>"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const clients = openS3Clients(
    { url: `http://127.0.0.1:${port}`, region: "" },
    {
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      pathStyle: true,
      directUploads: false,
      limits: { storeConnectMs: 60_000, storeReadMs: 60_000 },
      addresses: new AddressPolicy(["127.0.0.1"]),
    },
  );
  onTestFinished(() => clients.close());
  return { ...held, use: (name) => clients.reader.send(new ListBucketsCommand({ Prefix: name })) };
}

/** A service that answers when it is released. The name of a call is the end of its path. */
async function heldService() {
  const { work, ...held } = heldWork();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://service");
    const name = decodeURIComponent(pathname.split("/").at(-1) ?? "");
    void work(name).then(() => response.writeHead(200, { "content-type": "application/json" }).end("[]"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...held, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function openExternalDatasets(): Promise<Shared> {
  const { url, ...held } = await heldService();
  const engine = new RestEngine({
    keystoreFolder: await temporaryFolder(),
    allowedAddresses: ["127.0.0.1"],
    limits: { ...defaultLimits, engineQueue: 1_000, engineQueuePerUser: 1_000, engineWaitMs: 60_000 },
    log: { warn: () => undefined },
  });
  onTestFinished(() => engine.close());
  const signal = new AbortController().signal;
  setMaxListeners(0, signal);
  return {
    ...held,
    use: (name) => {
      const dataset = externalOver(url, { path: `/${encodeURIComponent(name)}` });
      const call = { signal, owner: name.split(" ")[0] ?? "" };
      return engine.sample(dataset, { conditions: [], limit: 1 }, call);
    },
  };
}

async function openNifi(): Promise<Shared> {
  const { url, ...held } = await heldService();
  // A client for each call, as each deployment and each check has its own.
  return {
    ...held,
    use: (name) => testClient(url, { readTimeoutMs: 60_000 }).text({ method: "GET", path: `/${encodeURIComponent(name)}` }),
  };
}

function openLane(): Shared {
  const { work, ...held } = heldWork();
  const lane = new WorkLane(2, 300);
  return { ...held, use: (name) => lane.run(() => work(name)) };
}

function openSlots(): Shared {
  const { work, ...held } = heldWork();
  const { engineSlots, engineSlotsPerUser: perOwner } = defaultLimits;
  const slots = new Slots(
    Array.from({ length: engineSlots }, (_, index) => index),
    { perOwner, queue: 1_000, queuePerOwner: 1_000, waitMs: 60_000 },
    { subject: "The query engine", work: "queries" },
  );
  return {
    ...held,
    use: (name) => slots.use({ signal: new AbortController().signal, owner: name.split(" ")[0] ?? "" }, () => work(name)),
  };
}

/** The threads end on request: their tasks never do. */
function openThreads(): Shared {
  const workers = new TaskWorkers(workerProgram(import.meta.url, "../threads/test-worker"), {
    workers: 2,
    perOwner: 2,
    queue: 1_000,
    queuePerOwner: 1_000,
    waitMs: 60_000,
    memoryMb: 64,
  });
  onTestFinished(() => workers.close());
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return {
    // One thread at most is the first person's.
    started: () => ["ada", "bob"].slice(0, workers.metrics.started),
    release: () => stop.abort(),
    use: async (name) => {
      const call = { signal: stop.signal, owner: name.split(" ")[0] ?? "" };
      await expect(workers.run({ kind: "spin" }, { call, timeoutMs: 60_000 })).rejects.toMatchObject({ reason: "abandoned" });
    },
  };
}

const resources: readonly (readonly [name: string, open: () => Shared | Promise<Shared>])[] = [
  ["connections to the database", () => openConnections("regular")],
  ["connections for long statements", () => openConnections("longRunning")],
  ["sign-ins and the hashing of passwords", openLane],
  ["virus scans", openScans],
  ["copies of files on S3", openCopies],
  ["calls of an S3 service", openS3Calls],
  ["slots of the engine", openSlots],
  ["calls of a service of external datasets", openExternalDatasets],
  ["calls of a NiFi", openNifi],
  ["worker threads", openThreads],
];

const as = <T>(person: string, work: () => T): T => asCaller({ owner: personOwner(person) }, work);

describe.each(resources)("%s", (_, open) => {
  it("are shared: while one person waits in a long line, another one is served", async () => {
    const shared = await open();
    const burst = as("ada", () => Array.from({ length: 100 }, (_ignored, index) => shared.use(`ada ${index}`)));
    await vi.waitFor(async () => expect((await shared.started()).length).toBeGreaterThan(0), { timeout: 30_000 });
    const other = as("bob", () => shared.use("bob"));
    await vi.waitFor(async () => expect(await shared.started()).toContain("bob"), { timeout: 30_000 });
    // Nothing of the burst is done, and most of it has not even started.
    expect((await shared.started()).length).toBeLessThan(50);
    await shared.release();
    // Neither of them was refused.
    await other;
    await Promise.all(burst);
  });
});

describe("streams of live changes", () => {
  it.each([
    { liveStreams: 6, liveStreamsPerUser: 3, share: 3 },
    { liveStreams: 6, liveStreamsPerUser: 10, share: 5 },
  ])(
    "are shared: while one person has all of theirs, another one gets one: $liveStreams, $liveStreamsPerUser",
    async ({ share, ...limits }) => {
      const userOf = (id: string) => someUser({ id, username: id, sessionId: id });
      const streams = new LiveStreams({
        identity: {
          usersOf: async (ids) => new Map(ids.map((id) => [id, userOf(id)])),
          onSessionsChanged: () => undefined,
        },
        limits,
        build: null,
        stopping: new AbortController().signal,
        log: { warn: () => undefined },
      });
      onTestFinished(() => streams.close());
      const open = (id: string) => streams.open(userOf(id), Date.now() + 600_000);
      const refusals: unknown[] = [];
      for (let count = 0; count < 100; count += 1) {
        try {
          open("ada");
        } catch (error) {
          refusals.push(error);
        }
      }
      expect(refusals).toEqual(Array(100 - share).fill(expect.objectContaining({ code: "too-many-requests" })));
      expect(open("bob").body.readable).toBe(true);
    },
  );
});

describe("large bodies", () => {
  it("of one person are read by turns with those of another", async () => {
    const app = Fastify();
    onTestFinished(() => app.close());
    installCallers(app, (ip) => ip);
    readJsonBodies(app);
    const order: string[] = [];
    app.post("/", (request) => {
      order.push(request.ip);
      return {};
    });
    const payload = JSON.stringify(Array.from({ length: 12_000 }, () => 1));
    const send = (remoteAddress: string) =>
      app.inject({ method: "POST", url: "/", remoteAddress, headers: { "content-type": "application/json" }, payload });
    await app.ready();
    const answers = [...Array.from({ length: 8 }, () => send("192.0.2.1")), send("192.0.2.2")];
    for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200);
    expect(order).toHaveLength(9);
    // After the one that was being read, and perhaps the next one, which was there first.
    expect(order.indexOf("192.0.2.2")).toBeLessThanOrEqual(2);
  });
});

describe("the event loop", () => {
  it("starts a little of much that arrives together in each turn, by turns between callers", async () => {
    const loop = new LoopTurns();
    const order: string[] = [];
    let turns = 0;
    let isOver = false;
    const countTurn = () => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const arrive = (owner: readonly string[]) =>
      new Promise<void>((resolve) => {
        loop.enter(owner, () => {
          // As long as a turn takes new work.
          const untilMs = performance.now() + 16;
          while (performance.now() < untilMs);
          order.push(owner.join(" "));
          resolve();
        });
      });
    const all = Array.from({ length: 12 }, (_, index) => arrive(["near", `token ${index % 2}`]));
    all.push(arrive(["far", ""]));
    await Promise.all(all);
    isOver = true;
    expect(order).toHaveLength(13);
    expect(order.indexOf("far ")).toBeLessThanOrEqual(2);
    expect(order.slice(0, 6)).toContain("near token 1");
    expect(turns).toBeGreaterThanOrEqual(12);
  });
});
