import { once } from "node:events";
import { type Server, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type TestCertificate, testCertificate } from "#testing/certificates.ts";
import { type NifiCredentials, nifiClient } from "./client.ts";
import { deployFlow } from "./deploy-flow.ts";
import { NifiFailed } from "./failure.ts";
import { probeNifi, readCapabilities, readDeployed } from "./read-nifi.ts";
import { readRunState } from "./running.ts";
import { type FakeNifi, startFakeNifi } from "./testing/fake-nifi.ts";
import { sampleDefinition, testClient } from "./testing/sample-flows.ts";

const canary = "canary-4f1b-pässwörd";
const password: NifiCredentials = { kind: "password", username: "ada", password: canary };

let authority: TestCertificate;
let server: TestCertificate;
beforeAll(() => {
  authority = testCertificate("Harbor authority");
  server = testCertificate("NiFi", authority);
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const start = async (options: Partial<Parameters<typeof startFakeNifi>[0]> = {}): Promise<FakeNifi> => {
  const nifi = await startFakeNifi({ version: "1.18.0", ...options });
  open.push(nifi);
  return nifi;
};
const startSecure = () => start({ https: { key: server.key(), cert: server.pem }, users: { ada: canary } });

/** A server that does not speak HTTP. */
const startSocket = async (answer: string | undefined): Promise<string> => {
  const socketServer: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (answer !== undefined) socket.end(answer);
  }).listen(0, "127.0.0.1");
  await once(socketServer, "listening");
  open.push(socketServer);
  return `127.0.0.1:${(socketServer.address() as AddressInfo).port}`;
};

const failureOf = async (work: Promise<unknown>): Promise<NifiFailed> => {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(NifiFailed);
  return failure as NifiFailed;
};

describe("a NiFi", () => {
  it("is probed with and without sign-in", async () => {
    const plain = await start();
    expect(await probeNifi(testClient(plain.url))).toEqual({ version: "1.18.0", identity: "anonymous" });
    const nifi = await startSecure();
    const ca = authority.pem;
    expect(await probeNifi(testClient(nifi.url, { ca, credentials: password }))).toEqual({ version: "1.18.0", identity: "ada" });
    const token = { kind: "token", authToken: ` Bearer ${nifi.token("ada")} ` } as const;
    expect(await probeNifi(testClient(nifi.url, { ca, credentials: token }))).toEqual({ version: "1.18.0", identity: "ada" });
  });

  it("signs in once per client and sends the password in no other call", async () => {
    const nifi = await startSecure();
    const client = testClient(nifi.url, { ca: authority.pem, credentials: password });
    await deployFlow(client, { name: "one", content: sampleDefinition, ifRunning: "stop", startNew: true });
    expect(nifi.requests.filter(({ path }) => path === "/access/token")).toHaveLength(1);
    const [signIn, ...others] = nifi.requests;
    expect(signIn?.authorization).toBeUndefined();
    expect(others.every(({ authorization }) => authorization?.startsWith("Bearer fake.ada."))).toBe(true);
    expect(JSON.stringify(nifi.requests)).not.toContain("canary");
  });

  it("is found at addresses as administrators copy them", async () => {
    const nifi = await start();
    for (const path of ["", "/", "/nifi", "/nifi/", "/nifi-api", "/nifi-api/"]) {
      expect(await probeNifi(testClient(`${nifi.url}${path}`))).toMatchObject({ version: "1.18.0" });
    }
    expect(() => testClient("ftp://127.0.0.1/")).toThrow("has to be an http or https address");
    expect(() => testClient("http://ada:secret@127.0.0.1/")).toThrow("without credentials");
  });

  it("says what flows can use, without the values of parameters", async () => {
    const nifi = await start();
    await deployFlow(testClient(nifi.url), { name: "one", content: sampleDefinition, ifRunning: "stop" });
    const capabilities = await readCapabilities(testClient(nifi.url));
    expect(capabilities).toMatchObject({
      version: "1.18.0",
      acceptsTemplates: true,
      parameterContexts: [{ name: "fw-ctx", parameters: ["greeting"] }],
    });
    expect(capabilities.processorTypes).toContain("org.apache.nifi.processors.standard.LogAttribute");
    expect(JSON.stringify(capabilities)).not.toContain("hello");
  });

  it("that does not have a group any more says so", async () => {
    const nifi = await start();
    expect(await failureOf(readDeployed(testClient(nifi.url), "00000000-0000-1000-0000-000000000000"))).toMatchObject({
      reason: "missing",
    });
  });
});

describe("the reason of a failure", () => {
  it.each([
    ["unreachable", /^The connection to 127\.0\.0\.1:\d+ failed \(ECONNREFUSED\)\.$/, "closed"],
    ["timed-out", /^127\.0\.0\.1:\d+ did not answer within 0\.2 s\.$/, "hang"],
    ["unreachable", /^The connection to 127\.0\.0\.1:\d+ failed \(ECONNRESET\)\.$/, "reset"],
    [
      "not-nifi",
      /^The response of 127\.0\.0\.1:\d+ lacks about\. It may not be NiFi, or it is a version that the portal does not know\.$/,
      "garbage",
    ],
    ["not-nifi", /^No NiFi answers at 127\.0\.0\.1:\d+\. Check the address of the environment\.$/, 404],
    ["not-nifi", /^127\.0\.0\.1:\d+ points to another address, which the portal does not follow\.$/, 302],
    ["signed-out", /^This NiFi requires a sign-in\.$/, 401],
    ["forbidden", /^The NiFi user is not allowed to do this\.$/, 403],
    ["failed", /^NiFi failed with the status 503\.$/, 503],
  ] as const)("is %s: %s", async (reason, message, how) => {
    const nifi = await start();
    if (how === "closed") await nifi.close();
    else nifi.fail({ path: /^\/flow\/about$/ }, typeof how === "number" ? { status: how } : how);
    if (how === "closed") open.splice(0);
    const failure = await failureOf(probeNifi(testClient(nifi.url, { readTimeoutMs: 200 })));
    expect(failure.message).toMatch(message);
    expect(failure.reason).toBe(reason);
  });

  it("is an answer that is too large, and not read to its end", async () => {
    const nifi = await start();
    nifi.fail({ path: /^\/flow\/about$/ }, { status: 200, text: "x".repeat(33_000_000) });
    const failure = await failureOf(probeNifi(testClient(nifi.url)));
    expect(failure).toMatchObject({
      reason: "failed",
      message: "NiFi's response cannot be used: the answer is larger than 32000000 bytes.",
    });
  });

  it("is a connection that is never completed", async () => {
    const host = await startSocket(undefined);
    const failure = await failureOf(probeNifi(testClient(`https://${host}`, { connectTimeoutMs: 150 })));
    expect(failure).toMatchObject({ reason: "timed-out", message: `${host} accepted no connection within 0.15 s.` });
  });

  it("is a certificate that the portal does not trust", async () => {
    const nifi = await startSecure();
    const failure = await failureOf(probeNifi(testClient(nifi.url)));
    expect(failure.reason).toBe("untrusted");
    expect(failure.message).toMatch(/^The portal does not trust the certificate of 127\.0\.0\.1:\d+ \(UNABLE_TO_/);
  });

  it("is http in place of https, or the reverse", async () => {
    const plain = await start();
    const secure = await failureOf(probeNifi(testClient(plain.url.replace("http:", "https:"))));
    expect(secure).toMatchObject({ reason: "untrusted", message: expect.stringContaining("starts with http or https") as string });
    const host = await startSocket("\u0015\u0003\u0003\u0000\u0002\u0002\u0050");
    const other = await failureOf(probeNifi(testClient(`http://${host}`)));
    expect(other).toMatchObject({ reason: "not-nifi", message: expect.stringContaining("starts with http or https") as string });
  });

  it("is a host name that does not exist, or an address that the portal may not call", async () => {
    expect(await failureOf(probeNifi(testClient("http://nifi.invalid")))).toMatchObject({ reason: "unreachable" });
    const client = nifiClient(
      { baseUrl: "http://169.254.169.254", connectTimeoutMs: 500, readTimeoutMs: 500, credentials: { kind: "none" } },
      new AddressPolicy([]),
    );
    expect((await failureOf(probeNifi(client))).message).toBe(
      "The portal does not call the address of 169.254.169.254. An operator can allow it.",
    );
  });

  it("is a wrong password, an expired token, or a NiFi without sign-in", async () => {
    const nifi = await startSecure();
    const probe = (credentials: NifiCredentials, url = nifi.url) =>
      failureOf(probeNifi(testClient(url, { ca: authority.pem, credentials })));
    expect(await probe({ ...password, password: "wrong" })).toMatchObject({
      reason: "signed-out",
      message: "NiFi does not accept the username and password.",
    });
    expect(await probe({ kind: "token", authToken: "expired" })).toMatchObject({
      reason: "signed-out",
      message: "NiFi does not accept the credentials; a token may have expired.",
    });
    expect(await probe({ kind: "none" })).toMatchObject({
      reason: "signed-out",
      message: "This NiFi requires a sign-in.",
    });
    expect(await probe({ kind: "token", authToken: "a\r\nX-Evil: 1" })).toMatchObject({ reason: "signed-out" });
    expect(await probe(password, (await start()).url)).toMatchObject({
      reason: "refused",
      message: "This NiFi has no sign-in with username and password.",
    });
  });

  it("never contains credentials, even if NiFi repeats them", async () => {
    const nifi = await startSecure();
    const token = nifi.token("ada");
    for (const credentials of [password, { kind: "token", authToken: token }] as const) {
      for (const status of [400, 401, 403, 409, 500]) {
        nifi.recover();
        nifi.fail({ path: /./ }, { status, text: `You sent ${canary} and ${token}` });
        const failure = await failureOf(probeNifi(testClient(nifi.url, { ca: authority.pem, credentials })));
        expect(`${failure.message} ${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/canary|fake\.ada/);
        expect(failure.cause).toBeUndefined();
      }
    }
  });
});

describe("what NiFi says", () => {
  const secret = "two  words+ünd/more";
  const about = (nifi: FakeNifi, text: string, status = 409) => {
    nifi.recover();
    nifi.fail({ path: /^\/flow\/about$/ }, { status, text });
  };

  it("is not shown if it repeats a secret in any spelling, the token that NiFi gave included", async () => {
    const nifi = await start({ https: { key: server.key(), cert: server.pem }, users: { ada: secret } });
    const probe = (credentials: NifiCredentials) => failureOf(probeNifi(testClient(nifi.url, { ca: authority.pem, credentials })));
    const spellings = [
      secret,
      secret.replace("  ", " "),
      encodeURIComponent(secret),
      new URLSearchParams({ secret }).toString(),
      JSON.stringify({ x: `"${secret}` }).slice(5),
      Buffer.from(secret).toString("base64"),
    ];
    for (const spelling of spellings) {
      about(nifi, `It was ${spelling} again`);
      const failure = await probe({ kind: "password", username: "ada", password: secret });
      expect(failure.message).toBe("NiFi refused this.");
    }
    const client = testClient(nifi.url, { ca: authority.pem, credentials: { kind: "password", username: "ada", password: secret } });
    await client.signIn();
    nifi.recover();
    await probeNifi(client);
    const given = nifi.requests.at(-1)?.authorization?.replace("Bearer ", "") ?? "";
    expect(given).toMatch(/^fake\.ada/);
    about(nifi, `You sent ${given}`);
    expect((await failureOf(probeNifi(client))).message).toBe("NiFi refused this.");
    about(nifi, "You sent abc.def");
    expect((await probe({ kind: "token", authToken: "Bearer abc.def" })).message).toBe("NiFi refused this.");
    about(nifi, "Something else");
    expect((await probe({ kind: "token", authToken: "Bearer abc.def" })).message).toBe("NiFi refused this. NiFi says: Something else.");
  });

  it("is shown in one short line", async () => {
    const nifi = await start();
    about(nifi, `a\u0000b\n\u009fc ${"x".repeat(100_000)}`);
    const { message } = await failureOf(probeNifi(testClient(nifi.url)));
    expect(message).toMatch(/^NiFi refused this\. NiFi says: a b c x+…$/);
    expect(message.length).toBeLessThan(600);
    expect(new NifiFailed("failed", `\ud800a\u0000 \n b${"😀".repeat(600)}`).message).toMatch(/^a b(?:😀)+…$/u);
    expect(new NifiFailed("failed", "x".repeat(5_000)).message).toHaveLength(1_000);
  });

  it("as its version is short and without control characters", async () => {
    const nifi = await start();
    about(nifi, JSON.stringify({ about: { version: "1.18.0\u0000\ud800" } }), 200);
    expect(await probeNifi(testClient(nifi.url))).toMatchObject({ version: "1.18.0" });
    about(nifi, JSON.stringify({ about: { version: "1".repeat(8_000_000) } }), 200);
    expect(await failureOf(probeNifi(testClient(nifi.url)))).toMatchObject({ reason: "not-nifi" });
  });

  it("is not NiFi's if it is nested too deeply", async () => {
    const nifi = await start();
    const depth = 20_000;
    const status = '{"flowFilesQueued":0,"activeThreadCount":0,"processGroupStatusSnapshots":[';
    const text = `{"processGroupStatus":{"aggregateSnapshot":${`${status}{"processGroupStatusSnapshot":`.repeat(depth)}${status}]}${"}]}".repeat(depth)}}}`;
    JSON.parse(text);
    nifi.fail({ path: /\/status/ }, { status: 200, text });
    expect(await failureOf(readRunState(testClient(nifi.url), "a"))).toMatchObject({ reason: "not-nifi" });
  });
});

describe("credentials over plain HTTP", () => {
  const client = (baseUrl: string, listed: readonly string[], credentials: NifiCredentials = password) =>
    nifiClient({ baseUrl, connectTimeoutMs: 300, readTimeoutMs: 300, credentials }, new AddressPolicy(listed));

  it("are sent only to addresses that the operator listed", async () => {
    const failure = await failureOf(probeNifi(client("http://10.20.30.40:8080", [])));
    expect(failure).toMatchObject({ reason: "insecure" });
    expect(failure.message).toMatch(/^The portal does not send credentials to 10\.20\.30\.40:8080 unencrypted\. Use an https address/);
    expect(await failureOf(probeNifi(client("http://10.20.30.40:8080", [], { kind: "token", authToken: "abc" })))).toMatchObject({
      reason: "insecure",
    });
  });

  it("are sent to a listed address", async () => {
    const nifi = await start();
    await failureOf(probeNifi(client(nifi.url, ["127.0.0.1"])));
    expect(nifi.requests).toMatchObject([{ method: "POST", path: "/access/token" }]);
  });

  it("do not follow a host name to an address that is not listed", async () => {
    const nifi = await start();
    const url = nifi.url.replace("127.0.0.1", "localhost");
    expect(await failureOf(probeNifi(client(url, ["10.0.0.0/8"])))).toMatchObject({ reason: "insecure" });
    expect(nifi.requests).toEqual([]);
  });
});
