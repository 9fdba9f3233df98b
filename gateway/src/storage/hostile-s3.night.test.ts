import { once } from "node:events";
import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { fileKey } from "./key.ts";
import { openBucketReader } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";
import { s3Stores } from "./s3.ts";
import { StoreFailed } from "./storage.ts";

const settings: S3Settings = {
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  pathStyle: undefined,
  directUploads: false,
  limits: { storeConnectMs: 400, storeReadMs: 400 },
  addresses: new AddressPolicy(["127.0.0.1"]),
};
const key = fileKey("a.txt");
/** Far more than a service needs for an answer, and far less than it would send. */
const [readBytes, sentBytes] = [60_000_000, 600_000_000];
/** Each is twenty times the one before it. */
const entities = "bcdefghij".split("").map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(20)}">`);

/** A server that lies in every answer, and how much it could send. */
async function lyingServer(lie: (response: ServerResponse) => void, { limits }: Pick<S3Settings, "limits"> = settings) {
  const state = { calls: 0, bytes: 0 };
  const server = createServer((request, response) => {
    request.resume();
    state.calls += 1;
    const write = response.write.bind(response);
    response.write = ((chunk: Buffer) => {
      state.bytes += chunk.length;
      return write(chunk);
    }) as typeof response.write;
    lie(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: "us-east-1" };
  const limited = { ...settings, limits };
  return { state, store: await s3Stores(address, limited).of("bucket"), reader: openBucketReader(address, limited) };
}

async function send(response: ServerResponse, chunk: string, pauseMs: number): Promise<void> {
  const bytes = Buffer.from(chunk);
  for (let sent = 0; sent < sentBytes && !response.destroyed; sent += bytes.length) {
    if (!response.write(bytes)) await Promise.race([once(response, "drain"), once(response, "close")]);
    await sleep(pauseMs);
  }
}

const billion = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">${entities.join("")}]><ListBucketResult><Contents><Key>&j;</Key></Contents></ListBucketResult>`;
const answer = (text: string) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/xml" }).end(text);
const lies: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "never answers": () => {},
  "never ends its answer": (response) => void response.writeHead(200).write("<ListBucketResult>"),
  "sends a space now and then": (response) => void send(response.writeHead(200), " ", 50),
  "sends keys for ever": (response) => void send(response.writeHead(200), "<Contents><Key>a.txt</Key></Contents>".repeat(2_000), 0),
  "explains an error for ever": (response) => void send(response.writeHead(500), "<Error>".repeat(10_000), 0),
  "nests deeply": answer(`<ListBucketResult>${"<a>".repeat(200_000)}${"</a>".repeat(200_000)}</ListBucketResult>`),
  "answers as something else": answer("<!doctype html><p>Welcome"),
};

it.each(Object.keys(lies))("a file store that %s makes every call fail soon, with little in memory", { timeout: 120_000 }, async (lie) => {
  const { state, store, reader } = await lyingServer((response) => lies[lie]?.(response));
  const signal = new AbortController().signal;
  for (const call of [
    () => store.list(""),
    () => store.hasFolder("a/"),
    () => store.tags(key),
    () => reader.list("bucket", { prefix: "", oneLevel: false, next: undefined }, signal),
  ]) {
    state.bytes = 0;
    const startedMs = performance.now();
    const outcome = await call().then(JSON.stringify, (error: unknown) => error);
    expect(outcome).toBeInstanceOf(StoreFailed);
    expect((outcome as StoreFailed).message).toMatch(/^The (?:file store|address of the file store) .{20,}\.$/);
    // A bug would be one, too.
    expect((outcome as StoreFailed).message).not.toContain("Error)");
    // Two attempts, and pauses of a busy machine.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(state.bytes).toBeLessThan(readBytes);
  }
});

it.each([301, 302, 307, 308])("a file store that redirects elsewhere with %i is not followed", async (status) => {
  const other = await lyingServer(answer("<ListBucketResult/>"));
  const { store, reader } = await lyingServer(
    (response) => void response.writeHead(status, { location: `${other.reader.address}/bucket` }).end(),
  );
  const signal = new AbortController().signal;
  for (const call of [
    () => store.list(""),
    () => store.head(key),
    () => store.read(key),
    () => store.remove(key),
    () => reader.list("bucket", { prefix: "", oneLevel: false, next: undefined }, signal),
  ])
    await expect(call()).rejects.toBeInstanceOf(StoreFailed);
  expect(other.state.calls).toBe(0);
});

it("a file store that defines entities does not multiply them", async () => {
  const { store } = await lyingServer(answer(billion));
  expect(JSON.stringify(await store.list("")).length).toBeLessThan(1_000);
});

it("lets other calls through while many senders of parts pause", async () => {
  const pausing = 70;
  const { store, state } = await lyingServer(
    (response) => {
      if (state.calls > pausing) response.writeHead(204).end();
    },
    { limits: { storeConnectMs: 10_000, storeReadMs: 10_000 } },
  );
  const leave = new AbortController();
  const left = once(leave.signal, "abort");
  const silent = async function* () {
    yield Buffer.from("half");
    await left;
    throw new Error("the sender has left");
  };
  const upload = { key, uploadId: "u", isChecked: false };
  const parts = Promise.allSettled(
    Array.from({ length: pausing }, async (_, index) =>
      store.parts?.write(upload, index + 1, { content: silent(), size: 8, crc32c: undefined }),
    ),
  );
  // Sooner than any of them could fail.
  await vi.waitFor(() => expect(state.calls).toBe(pausing), { timeout: 8_000 });
  await store.remove(key);
  leave.abort();
  expect(new Set((await parts).map(({ status }) => status))).toEqual(new Set(["rejected"]));
});
