import { once } from "node:events";
import type * as Dns from "node:dns";
import { type RequestListener, type Server, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { testCertificate } from "#testing/certificates.ts";
import { asCaller, personOwner } from "#turns/caller.ts";
import { AddressPolicy, AddressRefused } from "./address-policy.ts";
import { CallTimedOut, ResponseRefused, boundedFetch } from "./bounded-fetch.ts";

/** Answers of the name server, in turn; the last one stays. */
const answers = vi.hoisted(() => ({ list: [] as string[], asked: 0 }));
/** Lookups that the name server does not answer until the test does. */
const silent = vi.hoisted(() => [] as (() => void)[]);
vi.mock("node:dns", async (original) => {
  const dns = await original<typeof Dns>();
  const lookup = (name: string, options: object, done: (error: Error | null, found: { address: string; family: number }[]) => void) => {
    if (name.endsWith(".silent.example")) return void silent.push(() => done(new Error("EAI_AGAIN"), []));
    if (name !== "rebinding.example") return dns.lookup(name, options as { all: true }, done);
    answers.asked += 1;
    const address = answers.list.length > 1 ? answers.list.shift() : answers.list[0];
    queueMicrotask(() => done(null, [{ address: address ?? "", family: 4 }]));
  };
  return { ...dns, lookup, default: { ...dns, lookup } };
});

const policy = new AddressPolicy(["127.0.0.1"]);
const defaultMaxBytes = 100_000;

async function listening(server: Server, address = "127.0.0.1", port = 0): Promise<number> {
  server.listen(port, address);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serving(listener: RequestListener) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    listener(request, response);
  });
  return { calls, url: new URL(`http://127.0.0.1:${await listening(server)}/`) };
}

async function serveTls(certificate: ReturnType<typeof testCertificate>, listener: RequestListener): Promise<URL> {
  const server = createSecureServer({ key: certificate.key(), cert: certificate.pem }, listener);
  return new URL(`https://localhost:${await listening(server)}/`);
}

interface GetOptions {
  readonly addresses?: AddressPolicy;
  readonly ca?: string;
  readonly readMs?: number;
  readonly maxBytes?: number;
}

const get = (url: URL, { addresses = policy, ca, readMs = 20_000, maxBytes = defaultMaxBytes }: GetOptions = {}) =>
  boundedFetch(addresses, maxBytes, url, {
    service: "webhook",
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
    timeouts: { connectMs: 20_000, readMs },
    ...(ca === undefined ? {} : { ca }),
  });

describe("a server that lies", () => {
  it.each([301, 302, 303, 307, 308])("and redirects with %i, also to inner addresses, is not followed", async (status) => {
    const inner = await serving((_, response) => response.end("secret"));
    const { url } = await serving((_, response) => response.writeHead(status, { location: inner.url.href }).end());
    const response = await get(url);
    expect([response.status, await response.text(), inner.calls]).toEqual([status, "", []]);
  });

  it("is read up to the limit, however much it sends", async () => {
    let sent = 0;
    const { url } = await serving((_, response) => {
      const send = () => {
        while (!response.destroyed && sent < 1e9) {
          sent += 65_536;
          if (response.write(Buffer.alloc(65_536))) continue;
          response.once("drain", send);
          return;
        }
      };
      send();
    });
    await expect(get(url)).rejects.toBeInstanceOf(ResponseRefused);
    // Besides what is read, the buffers of sockets fill up.
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each<[string, RequestListener]>([
    ["never answers", () => {}],
    ["never ends its answer", (_, response) => void response.write("{")],
    [
      "sends a byte now and then",
      (_, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("and %s is given up", async (_what, listener) => {
    const { url } = await serving(listener);
    await expect(get(url, { readMs: 100 })).rejects.toEqual(new CallTimedOut("read"));
  });

  it.each<[string, string, string]>([
    ["announces its answer for ever", "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000)],
    ["sends pieces of a byte", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\n \r\n".repeat(10_000)],
  ])("and %s is refused before it has cost much work", async (_what, head, piece) => {
    let sent = 0;
    const { url } = await serving(({ socket }) => {
      socket.on("error", () => {});
      const send = () => {
        while (!socket.destroyed && sent < 1e8) {
          sent += piece.length;
          if (socket.write(piece)) continue;
          socket.once("drain", send);
          return;
        }
      };
      socket.write(head);
      send();
    });
    await expect(get(url, { maxBytes: 100_000_000 })).rejects.toBeInstanceOf(ResponseRefused);
    expect(sent).toBeLessThan(30_000_000);
  });

  it("only seems to if its pieces are as servers write them, over TLS, too", async () => {
    const inPieces: RequestListener = (_, response) => {
      for (let piece = 0; piece < 20_000; piece += 1) response.write("x".repeat(100));
      response.end();
    };
    const authority = testCertificate("Authority");
    const { url } = await serving(inPieces);
    const secure = await serveTls(testCertificate("server", authority), inPieces);
    for (const address of [url, secure]) {
      expect(await (await get(address, { ca: authority.pem, maxBytes: 2_000_000 })).text()).toHaveLength(2_000_000);
    }
  });

  it("and sends a compressed answer, or one with an impossible status, is refused", async () => {
    const compressed = await serving((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"));
    await expect(get(compressed.url)).rejects.toBeInstanceOf(ResponseRefused);
    const strange = await serving((_, response) => response.writeHead(999).end());
    await expect(get(strange.url)).rejects.toBeInstanceOf(ResponseRefused);
  });
});

describe("a certificate", () => {
  const authority = testCertificate("Authority");
  const secure = (certificate: ReturnType<typeof testCertificate>) => serveTls(certificate, (_, response) => response.end("ok"));

  it("of a trusted authority is accepted", async () => {
    const url = await secure(testCertificate("server", authority));
    expect(await (await get(url, { ca: authority.pem })).text()).toBe("ok");
  });

  it.each([
    ["has ended", testCertificate("server", authority, { days: -1 }), "CERT_HAS_EXPIRED"],
    ["names another host", testCertificate("server", authority, { host: "other.example" }), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["is of an unknown authority", testCertificate("server", testCertificate("Authority")), /SIGNATURE|UNABLE_TO/],
    ["is its own authority", testCertificate("server"), "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("that %s is refused, although its authority is trusted", async (_what, certificate, code) => {
    const url = await secure(certificate);
    await expect(get(url, { ca: authority.pem })).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
  });
});

describe("a name whose address changes", () => {
  it("is looked up once for each connection, which goes to the address that was checked", async () => {
    const inner = await serving((_, response) => response.end("inner"));
    const outer = createServer((_, response) => response.end("outer"));
    await listening(outer, "127.0.0.2", Number(inner.url.port));
    const url = new URL(`http://rebinding.example:${inner.url.port}/`);
    const addresses = new AddressPolicy(["127.0.0.2"]);
    Object.assign(answers, { list: ["127.0.0.2", "127.0.0.1"], asked: 0 });
    expect(await (await get(url, { addresses })).text()).toBe("outer");
    expect(answers.asked).toBe(1);
    await expect(get(url, { addresses })).rejects.toBeInstanceOf(AddressRefused);
    await expect(get(url, { addresses })).rejects.toBeInstanceOf(AddressRefused);
    expect(inner.calls).toEqual([]);
  });
});

it("names of users that no name server answers take few of the lookups, and those of one user take one", async () => {
  const users = AddressPolicy.forUsers(["127.0.0.1"]);
  const silentCalls = (name: string) =>
    Array.from({ length: 10 }, async (_, index) =>
      get(new URL(`http://${name}-${index}.silent.example/`), { addresses: users }).catch(() => "failed"),
    );
  const ofOne = asCaller({ owner: personOwner("ada") }, () => silentCalls("ada"));
  await vi.waitFor(() => expect(silent).toHaveLength(1));
  const { url } = await serving((_, response) => response.end("ok"));
  url.hostname = "localhost";
  // Others look up names meanwhile, users as well as the portal.
  for (const addresses of [users, policy]) expect(await (await get(url, { addresses })).text()).toBe("ok");
  const ofMany = silentCalls("others");
  await vi.waitFor(() => expect(silent).toHaveLength(4));
  expect(await (await get(url)).text()).toBe("ok");
  const answering = setInterval(() => silent.splice(0).forEach((answer) => answer()), 10);
  expect(new Set(await Promise.all([...ofOne, ...ofMany]))).toEqual(new Set(["failed"]));
  clearInterval(answering);
});
