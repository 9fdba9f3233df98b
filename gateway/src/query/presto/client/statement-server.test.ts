import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { testCertificate } from "#testing/certificates.ts";
import { noteNotRun } from "#testing/not-run.ts";
import type { FakeError } from "../testing/fake-answers.ts";
import { FakeCoordinator } from "../testing/fake-coordinator.ts";
import { type SecureServer, describeSecureServer, describeStatementServer } from "../testing/statement-suite.ts";
import { openStatementServer } from "./statement-server.ts";
import type { ServerKind, StatementCall, StatementServer, StatementServerSettings } from "./statements.ts";

const never = new AbortController().signal;
const closing: (() => Promise<void>)[] = [];
const logged: { details: object; message: string }[] = [];

afterEach(async () => {
  logged.length = 0;
  for (const close of closing.splice(0).toReversed()) await close();
});

async function fakeServer(options: Parameters<typeof FakeCoordinator.start>[0]): Promise<FakeCoordinator> {
  const fake = await FakeCoordinator.start(options);
  closing.push(() => fake.close());
  return fake;
}

function clientOf(url: string, settings: Partial<StatementServerSettings> = {}): StatementServer {
  const log = { warn: (details: object, message: string) => void logged.push({ details, message }) };
  const limits = { connectMs: 1_000, readMs: 5_000, retryMs: 1_000, pageBytes: 1_000_000, ...settings.limits };
  const addresses = new AddressPolicy(["127.0.0.1"]);
  const server = openStatementServer({ url, source: "fairway", user: "portal", asUser: false, addresses, log, ...settings, limits });
  closing.push(() => server.close());
  return server;
}

const call = (overrides: Partial<StatementCall> = {}): StatementCall => ({ signal: never, user: "ada", timeoutMs: 20_000, ...overrides });

async function rowsOf(server: StatementServer, sql: string, overrides: Partial<StatementCall> = {}) {
  const { pages } = await server.run({ sql, parameters: [] }, call(overrides));
  const rows: (readonly unknown[])[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

const columns = [{ name: "a", type: "integer" }];
const numbered = (count: number) => Array.from({ length: count }, (_, at) => [[at]]);

/** Only their words for sessions and statements differ: what the client makes of failures is shown with one of them. */
async function serveRows(kind: ServerKind): Promise<[FakeCoordinator, StatementServer]> {
  const fake = await fakeServer({ kind });
  fake.answer(/rows/, { columns, pages: numbered(5), queued: 2 });
  fake.answer(/endless/, { columns, pages: [[[1]]], isEndless: true });
  return [fake, clientOf(fake.url)];
}

describe.each<ServerKind>(["trino", "presto"])("a fake %s server", (kind) => {
  let fake: FakeCoordinator;
  let server: StatementServer;
  beforeEach(async () => {
    [fake, server] = await serveRows(kind);
  });

  it("is recognized, and gets the headers of its kind", async () => {
    expect(await server.kind(never)).toBe(kind);
    expect(await rowsOf(server, "select rows")).toEqual([[0], [1], [2], [3], [4]]);
    expect(fake.statements[0]).toMatchObject({
      sql: "select rows",
      session: { user: "portal", source: "fairway/ada", "time-zone": "UTC", session: "query_max_execution_time=20000ms" },
    });
  });

  it("gets values as parameters of a prepared statement, and long statements with literals", async () => {
    fake.answer(/where/, { columns, pages: [[[1]]] });
    const run = async (sql: string) => {
      for await (const page of (await server.run({ sql, parameters: ["it's"] }, call())).pages) expect(page).toEqual([[1]]);
      return fake.statements.at(-1);
    };
    expect(await run("select a where b = $1")).toMatchObject({ sql: "select a where b = ?", execute: "EXECUTE fairway USING 'it''s'" });
    const long = `select a where b = $1 -- ${"long ".repeat(1_000)}`;
    expect(await run(long)).toMatchObject({ sql: long.replace("$1", "'it''s'"), execute: undefined });
  });

  it("is asked for one page ahead of the reader at most", async () => {
    const { pages } = await server.run({ sql: "select rows", parameters: [] }, call());
    const asked = () => fake.statements[0]?.asked ?? [];
    const first = asked().length;
    for await (const _ of pages) {
      await expect.poll(() => asked().length).toBeGreaterThan(first);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(asked()).toHaveLength(first + 1);
      break;
    }
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
  });

  it("cancels the query when the caller leaves", async () => {
    const controller = new AbortController();
    const reading = rowsOf(server, "select endless", { signal: controller.signal });
    await expect.poll(() => fake.statements[0]?.asked.length ?? 0).toBeGreaterThan(2);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ reason: "abandoned" });
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
  });

  it("asks again for a page that was lost, and gets it once", async () => {
    await server.kind(never);
    fake.fail({ method: "GET", path: /executing/, times: 2 }, "lose-answer");
    fake.fail({ method: "GET", path: /executing/, times: 1 }, { status: 503 });
    fake.fail({ method: "POST", path: /statement/, times: 1 }, { status: 502 });
    fake.fail({ method: "GET", path: /queued/, times: 1 }, "reset");
    expect(await rowsOf(server, "select rows")).toEqual([[0], [1], [2], [3], [4]]);
    expect(fake.statements).toHaveLength(1);
  });

  it("says that a server was restarted, and works with it again", async () => {
    await server.kind(never);
    const { pages } = await server.run({ sql: "select rows", parameters: [] }, call());
    fake.restart();
    const reading = (async () => {
      for await (const _ of pages);
    })();
    await expect(reading).rejects.toMatchObject({ reason: "upstream" });
    await expect(reading).rejects.toThrow(/was restarted, or no longer knows the query\. Try again \(query \w+\)\.$/);
    expect(await rowsOf(server, "select rows")).toHaveLength(5);
  });
});

describe("a fake server", () => {
  const kind = "presto";
  let fake: FakeCoordinator;
  let server: StatementServer;
  beforeEach(async () => {
    [fake, server] = await serveRows(kind);
  });

  it("gets a statement with literals if it takes no header of that length", async () => {
    fake.answer(/where/, { columns, pages: [[[1]]] });
    fake.fail({ method: "POST", path: /statement/, times: 1 }, { status: 431 });
    await server.run({ sql: "select a where b = $1", parameters: ["x"] }, call());
    expect(fake.statements).toMatchObject([{ sql: "select a where b = 'x'", execute: undefined }]);
  });

  it("cancels a query whose caller leaves before the server has answered", async () => {
    const controller = new AbortController();
    await server.kind(never);
    fake.fail({ method: "POST", path: /statement/ }, "slow");
    const running = server.run({ sql: "select endless", parameters: [] }, call({ signal: controller.signal }));
    running.catch(() => undefined);
    await expect.poll(() => fake.statements).toHaveLength(1);
    controller.abort();
    await expect(running).rejects.toMatchObject({ reason: "abandoned" });
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
    await expect(server.run({ sql: "select endless", parameters: [] }, call({ signal: controller.signal }))).rejects.toMatchObject({
      reason: "abandoned",
    });
    expect(fake.statements).toHaveLength(1);
  });

  it("cancels a query that nobody reads, and one that takes too long", async () => {
    await server.run({ sql: "select endless", parameters: [] }, call({ timeoutMs: 2_000 }));
    const reading = rowsOf(server, "select endless", { timeoutMs: 2_000 });
    await expect(reading).rejects.toMatchObject({ reason: "timed-out" });
    await expect(reading).rejects.toThrow(/^The query took longer than 2 s and was canceled \(query \w+_fake1\)\.$/);
    await expect.poll(() => fake.statements.map(({ isCanceled }) => isCanceled)).toEqual([true, true]);
  });

  it("cancels by the next address if canceling fails", async () => {
    fake.fail({ method: "DELETE", path: /queued|executing/, times: 2 }, { status: 500 });
    const controller = new AbortController();
    await server.run({ sql: "select endless", parameters: [] }, call({ signal: controller.signal }));
    controller.abort();
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
  });

  it("cancels running queries when it is closed", async () => {
    const { pages } = await server.run({ sql: "select endless", parameters: [] }, call());
    await server.close();
    expect(fake.statements[0]?.isCanceled).toBe(true);
    await expect(pages[Symbol.asyncIterator]().next()).rejects.toMatchObject({ reason: "upstream" });
  });

  it("words the errors of the server, and keeps their texts for the log", async () => {
    const secret = "com.example.Secret at select password from t";
    const cases: [name: string, type: FakeError["errorType"], reason: string][] = [
      ["QUERY_QUEUE_FULL", "INSUFFICIENT_RESOURCES", "busy"],
      ["EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "timed-out"],
      ["EXCEEDED_LOCAL_MEMORY_LIMIT", "INSUFFICIENT_RESOURCES", "out-of-memory"],
      ["EXCEEDED_SCAN_LIMIT", "INSUFFICIENT_RESOURCES", "too-much"],
      ["SOMETHING_LIMIT", "INSUFFICIENT_RESOURCES", "too-much"],
      ["SERVER_SHUTTING_DOWN", "INTERNAL_ERROR", "upstream"],
      ["USER_CANCELED", "USER_ERROR", "upstream"],
      ["PERMISSION_DENIED", "USER_ERROR", "upstream"],
      ["NOT_SUPPORTED", "USER_ERROR", "unsupported"],
      ["SYNTAX_ERROR", "USER_ERROR", "failed"],
      ["HIVE_CURSOR_ERROR", "EXTERNAL", "upstream"],
      ["GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "upstream"],
    ];
    for (const [errorName, errorType, reason] of cases) {
      fake.answer(/wrong/, { columns, pages: [[[1]]], error: { message: secret, errorCode: 1, errorName, errorType } });
      const failure = await rowsOf(server, "select wrong").catch((error: unknown) => error as Error);
      expect(failure).toMatchObject({ reason, errorName, errorType, serverMessage: secret });
      expect((failure as Error).message).toMatch(/^[A-Z][^_]+ \(query \w+_fake1\)\.$/);
      expect(logged.pop()).toMatchObject({ details: { errorName, serverMessage: secret } });
    }
  });

  it("refuses addresses outside of the server's own API, and cancels the query", async () => {
    const elsewhere = await fakeServer({ kind });
    const own = new URL(fake.url);
    for (const nextUri of [
      `${elsewhere.url}/v1/statement/executing/x/1`,
      `http://localhost:${own.port}/v1/statement/x`,
      `https://${own.host}/v1/statement/x`,
      `http://portal:secret@${own.host}/v1/statement/x`,
      `${fake.url}/v1/../admin`,
      `${fake.url}/v2/statement`,
      `file:///etc/passwd`,
      "//example.org/v1/",
      "nothing",
    ]) {
      fake.fail({ method: "GET", path: /queued/, times: 1 }, (text) =>
        text.replace(/"nextUri":"[^"]+"/, `"nextUri":${JSON.stringify(nextUri)}`),
      );
      const failure = rowsOf(server, "select rows");
      await expect(failure).rejects.toMatchObject({ reason: "upstream" });
      await expect(failure).rejects.toThrow("points to another address");
      await expect.poll(() => fake.statements.at(-1)?.isCanceled).toBe(true);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it("follows no redirects", async () => {
    const elsewhere = await fakeServer({ kind });
    fake.fail({ method: "GET", path: /queued/, times: 1 }, { status: 307, location: `${elsewhere.url}/v1/info` });
    await expect(rowsOf(server, "select rows")).rejects.toThrow("points to another address");
    expect(elsewhere.requests).toEqual([]);
  });

  it("refuses answers that are not of the protocol", async () => {
    await server.kind(never);
    for (const text of [
      "<html>",
      "",
      "{",
      "[]",
      "{}",
      '{"id":"a b"}',
      '{"id":"q","data":{}}',
      '{"id":"q","data":["x"]}',
      '{"id":"q","nextUri":1}',
    ]) {
      fake.fail({ path: /statement/, times: 1 }, () => text);
      await expect(rowsOf(server, "select rows")).rejects.toThrow("does not respond like Trino or Presto");
    }
  });

  it("refuses pages that are too large", async () => {
    fake.answer(/large/, { columns, pages: [[["x".repeat(1_100_000)]]] });
    await expect(rowsOf(server, "select large")).rejects.toMatchObject({ reason: "too-much" });
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
  });

  it("gives up on a server that does not answer", async () => {
    // A busy machine needs a part of the second for what comes before the answer that never does.
    const hung = clientOf(fake.url, { limits: { connectMs: 10_000, readMs: 1_500, retryMs: 200, pageBytes: 1_000 } });
    await hung.kind(never);
    fake.fail({ method: "GET", path: /queued/ }, "hang");
    const failure = rowsOf(hung, "select rows");
    await expect(failure).rejects.toMatchObject({ reason: "timed-out" });
    await expect(failure).rejects.toThrow(/did not answer within 1\.5 s \(query \w+\)\.$/);
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
    fake.recover();
    const refused = clientOf(fake.url, { limits: { connectMs: 10_000, readMs: 10_000, retryMs: 200, pageBytes: 1_000 } });
    fake.fail({ method: "GET", path: /queued/ }, { status: 503 });
    await expect(rowsOf(refused, "select rows")).rejects.toMatchObject({ reason: "busy" });
    fake.recover();
    fake.fail({ method: "GET", path: /queued/ }, "reset");
    await expect(rowsOf(refused, "select rows")).rejects.toThrow("The connection to the query server failed");
  });

  it("says what is wrong with a server that refuses statements", async () => {
    await server.kind(never);
    const refusals: [number, string, string][] = [
      [400, "upstream", "failed with the status 400"],
      [401, "upstream", "does not accept the portal's sign-in"],
      [403, "upstream", "does not allow this query"],
      [404, "upstream", "does not respond like Trino or Presto"],
      [500, "upstream", "failed with the status 500"],
    ];
    for (const [status, reason, sentence] of refusals) {
      fake.fail({ method: "POST", path: /statement/, times: 1 }, { status, text: "at com.example.Secret" });
      const failure = rowsOf(server, "select rows");
      await expect(failure).rejects.toMatchObject({ reason });
      await expect(failure).rejects.toThrow(sentence);
      expect(JSON.stringify(logged.pop())).toContain("com.example.Secret");
    }
  });
});

it("asks again which server it is after a failure", async () => {
  const fake = await fakeServer({ kind: "trino" });
  const server = clientOf(fake.url);
  fake.isStarting = true;
  await expect(server.kind(never)).rejects.toMatchObject({ reason: "busy" });
  fake.isStarting = false;
  expect(await server.kind(never)).toBe("trino");
});

it("tries both kinds if the version is not conclusive", async () => {
  for (const kind of ["trino", "presto"] as const) {
    const fake = await fakeServer({ kind, version: "dev-build" });
    expect(await clientOf(fake.url).kind(never)).toBe(kind);
    await expect.poll(() => fake.statements[0]?.isCanceled).toBe(true);
  }
});

it("names the user to the server only in texts that headers can hold", async () => {
  const fake = await fakeServer({ kind: "trino" });
  fake.answer(/./, { columns, pages: [[[1]]] });
  await rowsOf(clientOf(fake.url, { source: " data portal " }), "select 1", { user: "Zoë\r\nX-Trino-User: root ☃%" });
  expect(fake.statements.at(-1)?.session).toMatchObject({
    source: "data portal/Zo%C3%AB%0D%0AX-Trino-User: root %E2%98%83%25",
    user: "portal",
  });
  await rowsOf(clientOf(fake.url, { source: "" }), "select 1", { user: undefined });
  expect(fake.statements.at(-1)?.session["source"]).toBe("fairway");
});

it("runs statements as the signed-in user by setting", async () => {
  const fake = await fakeServer({ kind: "presto" });
  fake.answer(/./, { columns, pages: [[[1]]] });
  const server = clientOf(fake.url, { asUser: true });
  await rowsOf(server, "select 1", { user: "ada lovelace" });
  await rowsOf(server, "select 1", { user: undefined });
  expect(fake.statements.map(({ session }) => session["user"])).toEqual(["ada lovelace", "portal"]);
  for (const user of ["Zoë", "a\nb", " a", ""]) {
    await expect(rowsOf(server, "select 1", { user })).rejects.toMatchObject({ reason: "unsupported" });
  }
  expect(fake.statements).toHaveLength(2);
});

describe("sign-in", () => {
  const ca = testCertificate("Fairway test CA");
  const own = testCertificate("localhost", ca);
  const https = { key: own.key(), cert: own.pem };

  it.each([
    ["a password", { password: "pa:ss" }, `Basic ${Buffer.from("portal:pa:ss").toString("base64")}`],
    ["a token", { token: "a.b.c", password: "unused" }, "Bearer a.b.c"],
  ])("sends %s over HTTPS, to a server with a certificate of the operator's CA", async (_, settings, authorization) => {
    const fake = await fakeServer({ kind: "trino", https, authorization });
    fake.answer(/./, { columns, pages: numbered(3) });
    expect(await rowsOf(clientOf(fake.url, { ca: ca.pem, ...settings }), "select 1")).toHaveLength(3);
    await expect(rowsOf(clientOf(fake.url, { ca: ca.pem }), "select 1")).rejects.toThrow("does not accept the portal's sign-in");
  });

  it("does not trust other certificates", async () => {
    const fake = await fakeServer({ kind: "trino", https });
    const failure = rowsOf(clientOf(fake.url, { password: "secret" }), "select 1");
    await expect(failure).rejects.toThrow(/does not trust the certificate of the query server \([A-Z_]+\)/);
    expect(fake.requests).toEqual([]);
  });

  it("sends nothing secret unencrypted, except to addresses that the operator listed", async () => {
    const fake = await fakeServer({ kind: "trino", authorization: "Bearer secret" });
    fake.answer(/./, { columns, pages: [[[1]]] });
    // Would be called without credentials.
    const addresses = new AddressPolicy([], []);
    await expect(rowsOf(clientOf(fake.url, { token: "secret", addresses }), "select 1")).rejects.toThrow("unencrypted");
    await expect(rowsOf(clientOf(fake.url.replace("127.0.0.1", "localhost"), { token: "secret", addresses }), "select 1")).rejects.toThrow(
      "unencrypted",
    );
    expect(fake.requests).toEqual([]);
    expect(await rowsOf(clientOf(fake.url, { token: "secret" }), "select 1")).toEqual([[1]]);
  });

  it("calls no address that the portal must not call", async () => {
    const fake = await fakeServer({ kind: "trino" });
    for (const url of [fake.url, fake.url.replace("127.0.0.1", "localhost")]) {
      await expect(rowsOf(clientOf(url, { addresses: new AddressPolicy([]) }), "select 1")).rejects.toThrow("an operator can allow it");
    }
    expect(fake.requests).toEqual([]);
  });

  it("takes no address with credentials", () => {
    for (const url of ["http://a:b@example.org", "ftp://example.org", "example.org", ""]) {
      expect(() => clientOf(url)).toThrow("has to be an http or https address");
    }
  });
});

/** `npm run test:engines` starts them (decision 0476). */
const realServers = [
  { name: "a real Trino", kind: "trino", url: process.env["TRINO_URL"] },
  { name: "a real Presto", kind: "presto", url: process.env["PRESTO_URL"] },
] as const;
for (const { name, kind, url } of realServers) {
  if (url === undefined)
    noteNotRun(`the client of query servers with ${name}`, "run `npm run test:engines`, see docs/decisions/archive/0476");
  else describeStatementServer(name, kind, url);
}

const secureTrino = process.env["TRINO_SECURE"];
if (secureTrino !== undefined) describeSecureServer("a real Trino", JSON.parse(secureTrino) as SecureServer);
