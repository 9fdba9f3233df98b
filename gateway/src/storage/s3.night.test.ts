import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";
import { type AddressInfo, connect, createServer as createConnectionServer } from "node:net";
import { checksumHeader } from "@fairway/contract/fileset-uploads";
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { crc32cOf } from "#testing/crc32c-of.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";
import { describeFileStore, describeFileStores } from "#testing/storage-suite.ts";
import { fileKey } from "./key.ts";
import { s3Stores } from "./s3.ts";
import { type S3Settings, regionOf, uploadOriginOf } from "./s3-settings.ts";
import { type FileStore, FileTooLarge, InvalidContinuationToken, PartReplaced, StoreFailed, UploadMissing } from "./storage.ts";

if (s3Program === undefined) noteNotRun("file stores on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

const settings: S3Settings = {
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  pathStyle: undefined,
  directUploads: true,
  limits: { storeConnectMs: 2_000, storeReadMs: 5_000 },
  addresses: new AddressPolicy(["127.0.0.1"]),
};
const key = fileKey("a/f");
const mebibyte = Buffer.alloc(1_048_576, 7);

async function* repeated(chunk: Uint8Array, times: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let time = 0; time < times; time++) yield chunk;
  if (failure) throw failure;
}

/** The message of every call that reaches the service, without duplicates. */
async function failures(store: FileStore): Promise<string[]> {
  const calls = [
    store.head(key),
    store.list(""),
    store.read(key),
    store.tags(key),
    store.remove(key),
    store.setTags(key, {}),
    store.write(key, repeated(mebibyte, 1), 2_000_000),
  ];
  const outcomes = await Promise.allSettled(calls);
  const messages = outcomes.map((outcome) => {
    if (outcome.status === "fulfilled") return "succeeded";
    return outcome.reason instanceof StoreFailed ? outcome.reason.message : `not a StoreFailed: ${String(outcome.reason)}`;
  });
  return [...new Set(messages)];
}

describe.runIf(s3Program !== undefined)("with versitygw", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start(s3Program ?? "");
  });
  afterAll(() => server.stop());

  const openStore = async (changes: Partial<S3Settings> = {}): Promise<{ store: FileStore; bucket: string }> => {
    const bucket = await server.createBucket();
    return { bucket, store: await s3Stores(server.address, server.settings(changes)).of(bucket) };
  };

  /** A store that waits as long as a busy machine needs. */
  const patientStore = async (bucket: string): Promise<FileStore> => s3Stores(server.address, server.settings()).of(bucket);

  describeFileStore("S3", async () => {
    const { store, bucket } = await openStore();
    return { store, fill: (keys) => server.fill(bucket, keys) };
  });
  describeFileStores("S3", async () => server.freshStores());

  describe("an S3 store", () => {
    it("stores a large file in parts and reads any range of it", async () => {
      const { store } = await openStore();
      const chunk = randomBytes(1_048_576);
      expect(await store.write(key, repeated(chunk, 20), Infinity)).toMatchObject({ size: 20_971_520 });
      const { content, size } = await store.read(key, { start: 10_485_758, end: 10_485_761 });
      expect([size, Buffer.concat(await content.toArray())]).toEqual([
        20_971_520,
        Buffer.concat([chunk.subarray(-2), chunk.subarray(0, 2)]),
      ]);
    });

    it.each([
      [
        "the sender disconnects",
        () => ({ content: repeated(mebibyte, 20, new Error("disconnected")), maxBytes: Infinity }),
        "disconnected",
      ],
      ["it exceeds its limit", () => ({ content: repeated(mebibyte, 20), maxBytes: 19_000_000 }), FileTooLarge],
    ])("keeps no part of a large file if %s", async (_, upload, expected) => {
      const { store, bucket } = await openStore();
      await store.write(key, repeated(mebibyte, 1), Infinity);
      const { content, maxBytes } = upload();
      await expect(store.write(key, content, maxBytes)).rejects.toThrow(expected);
      expect(await store.head(key)).toMatchObject({ size: 1_048_576 });
      expect((await server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).toEqual([]);
    });

    it("accepts a part at its presigned address, of its size and checksum only and only for its time, and shows the file once it is joined", async () => {
      const { store, bucket } = await openStore();
      const { parts } = store;
      const upload = { key: fileKey("new/ä b+c.txt"), uploadId: (await parts?.begin(fileKey("new/ä b+c.txt"))) ?? "", isChecked: true };
      const named = { size: 14, crc32c: crc32cOf("from a browser") };
      const url = (await parts?.presign?.(upload, 1, named, 60)) ?? "";
      const put = async (address: string, body = "from a browser", crc32c = named.crc32c) =>
        (await fetch(address, { method: "PUT", body, headers: { [checksumHeader]: crc32c } })).status;
      expect([await put(url, "from a browser, longer"), await put(url, "short"), await put(url.replace("c.txt", "d.txt"))]).toEqual([
        403, 403, 403,
      ]);
      const other = "from a Browser";
      expect([
        await put(url, other),
        await put(url, other, crc32cOf(other)),
        (await fetch(url, { method: "PUT", body: other })).status,
      ]).toEqual([400, 403, 403]);
      expect(await parts?.list(upload)).toEqual([]);
      expect(await put(url)).toBe(200);
      const stale = (await parts?.presign?.(upload, 1, named, 1)) ?? "";
      await expect.poll(() => put(stale)).toBe(403);
      expect(await store.head(upload.key)).toBeUndefined();
      await expect(parts?.join(upload, [{ part: 1, size: 14, tag: "0".repeat(32) }])).rejects.toBeInstanceOf(PartReplaced);
      expect(await store.head(upload.key)).toBeUndefined();
      expect(await parts?.join(upload, (await parts.list(upload)) ?? [])).toMatchObject({ size: 14 });
      const { content } = await store.read(upload.key);
      expect(Buffer.concat(await content.toArray()).toString()).toBe("from a browser");
      const abandoned = { key: upload.key, uploadId: (await parts?.begin(upload.key)) ?? "", isChecked: false };
      await parts?.abort(abandoned);
      await parts?.abort(abandoned);
      await expect(parts?.list(abandoned)).rejects.toBeInstanceOf(UploadMissing);
      const part = { content: repeated(mebibyte, 1), size: mebibyte.length, crc32c: undefined };
      await expect(parts?.write(abandoned, 1, part)).rejects.toBeInstanceOf(UploadMissing);
      expect((await server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).toEqual([]);
    });

    it("keeps nothing of a file whose connection broke off", async () => {
      const { store, bucket } = await openStore();
      const stored: Promise<unknown>[] = [];
      const cut = createConnectionServer((from) => {
        const to = connect(Number(new URL(server.address.url).port), "127.0.0.1");
        for (const socket of [from, to]) socket.on("error", () => undefined);
        stored.push(new Promise((resolve) => to.once("close", resolve)));
        to.resume().once("close", () => from.destroy());
        from.once("close", () => to.end());
        let bytes = 0;
        from.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes < 500_000) to.write(chunk);
          // As of a program that was killed.
          else to.end();
        });
      }).listen(0, "127.0.0.1");
      await once(cut, "listening");
      onTestFinished(() => void cut.close());
      const url = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`;
      const cutStore = await s3Stores({ ...server.address, url }, server.settings()).of(bucket);
      await expect(cutStore.write(key, repeated(mebibyte, 1), Infinity)).rejects.toBeInstanceOf(StoreFailed);
      await Promise.all(stored);
      await expect(store.list("")).resolves.toMatchObject({ files: [] });
    });

    it("presigns nothing if uploads go through the portal", async () => {
      const { store } = await openStore({ directUploads: false });
      expect(store.parts).not.toHaveProperty("presign");
    });

    it("lists no markers of folders and nothing that the portal could not name", async () => {
      const { store, bucket } = await openStore();
      for (const name of ["folder/", "folder/f", "back\\slash", ".fairway/f"]) {
        await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: "", ContentLength: 0 }));
      }
      expect(await store.list("")).toMatchObject({ files: [], commonPrefixes: ["folder/"] });
      expect((await store.list("folder/")).files).toMatchObject([{ key: "folder/f" }]);
      expect((await server.client.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents).toHaveLength(4);
    });

    it("reads nothing beyond the end of a file", async () => {
      const { store } = await openStore();
      await store.write(key, repeated(Buffer.from("0123"), 1), 4);
      const { content, size } = await store.read(key, { start: 4, end: 9 });
      expect([size, await content.toArray()]).toEqual([4, []]);
    });

    it("says that the bucket is missing", async () => {
      const store = await s3Stores(server.address, server.settings()).of("not-there");
      expect(await failures(store)).toEqual([
        "The file store has no bucket 'not-there'. An administrator has to create it, or to correct s3Bucket of the fileset.",
      ]);
    });

    it.each([["a b"], ["arn:aws:s3:us-east-1:123456789012:accesspoint:x"]])("says that %j cannot be a bucket", async (bucket) => {
      const store = await s3Stores(server.address, server.settings()).of(bucket);
      expect(await failures(store)).toEqual([
        `'${bucket}' cannot be the name of a bucket. An administrator has to correct s3Bucket of the fileset.`,
      ]);
    });

    it.each([
      ["secret", { accessKeyId: "fairway-test", secretAccessKey: "wrong" }],
      ["access key", { accessKeyId: "nobody", secretAccessKey: "wrong" }],
    ])("says that the %s is wrong", async (_, credentials) => {
      const { store } = await openStore({ credentials });
      expect(await failures(store)).toEqual([expect.stringMatching(/^The file store does not accept the portal's credentials\./)]);
    });

    it("says that the region is wrong", async () => {
      const bucket = await server.createBucket();
      const store = await s3Stores({ ...server.address, region: "eu-west-1" }, server.settings()).of(bucket);
      expect(await failures(store)).toEqual([
        expect.stringMatching(/^The bucket is in another region\. An administrator has to set s3Region/),
      ]);
    });

    it("does not call an address that the policy refuses, by number or by name", async () => {
      const addresses = new AddressPolicy([]);
      for (const url of [server.address.url, server.address.url.replace("127.0.0.1", "localhost")]) {
        const store = await s3Stores({ url, region: "" }, server.settings({ addresses })).of("bucket");
        expect(await failures(store)).toEqual([expect.stringMatching(/^The portal does not call the address of the file store\./)]);
      }
    });

    it("says that the store is slow, also in the middle of a file, and stays usable", async () => {
      const { store, bucket } = await openStore({ limits: { storeConnectMs: 10_000, storeReadMs: 1_000 } });
      await (await patientStore(bucket)).write(key, repeated(mebibyte, 20), Infinity);
      const { content } = await store.read(key);
      const reading = content[Symbol.asyncIterator]();
      await reading.next();
      server.pause();
      onTestFinished(() => server.resume());
      const rest = (async () => {
        while ((await reading.next()).done !== true);
      })();
      await expect(rest).rejects.toThrow(/^The file store did not answer in time\./);
      expect(await failures(store)).toEqual([expect.stringMatching(/^The file store did not answer in time\./)]);
      server.resume();
      expect(await store.list("nowhere/")).toMatchObject({ files: [] });
    });

    it("does not hurry those who read slowly", async () => {
      const { store, bucket } = await openStore({ limits: { storeConnectMs: 10_000, storeReadMs: 1_000 } });
      await (await patientStore(bucket)).write(key, repeated(mebibyte, 20), Infinity);
      const { content } = await store.read(key);
      let bytes = 0;
      for await (const chunk of content) {
        if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 1_500));
        bytes += (chunk as Buffer).length;
      }
      expect(bytes).toBe(20_971_520);
    });
  });
});

/** A store on a server that plays failures. */
async function storeOn(listener: RequestListener, changes: Partial<S3Settings> = {}): Promise<FileStore> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return s3Stores({ url: `http://127.0.0.1:${port}`, region: "" }, { ...settings, ...changes }).of("bucket");
}

const failing =
  (status: number, code: string, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>played</Message></Error>`;
    response.writeHead(status, { "content-type": "application/xml", ...headers }).end(request.method === "HEAD" ? "" : body);
  };

describe("an S3 store says what to do", () => {
  it.each([
    [
      301,
      "PermanentRedirect",
      { "x-amz-bucket-region": "eu-central-1" },
      /^The bucket is in another region.* set s3Region to eu-central-1,/,
    ],
    [403, "AccessDenied", {}, /^The file store does not allow the portal to do this in the bucket 'bucket'\./],
    [403, "RequestTimeTooSkewed", {}, /^The clocks of the portal and the file store differ too much\./],
    [503, "SlowDown", {}, /^The file store is too busy/],
    [507, "XMinioStorageFull", {}, /^The file store is full/],
    [500, "InternalError", {}, /^The file store failed \(InternalError\)\./],
  ])("on %i %s", async (status, code, headers, message) => {
    const store = await storeOn(failing(status, code, headers));
    const list = store.list("");
    await expect(list).rejects.toThrow(message);
    await expect(list).rejects.toBeInstanceOf(StoreFailed);
    await expect(store.write(key, repeated(mebibyte, 1), Infinity)).rejects.toThrow(message);
  });

  it("if HEAD fails without a reason", async () => {
    const store = await storeOn(failing(403, "RequestTimeTooSkewed"));
    await expect(store.head(key)).rejects.toThrow(/^The clocks of the portal and the file store differ too much\./);
  });

  it("if the address is not one of S3", async () => {
    const store = await storeOn((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Welcome"));
    await expect(store.list("")).rejects.toThrow(/^The address of the file store does not respond like S3\./);
  });

  it("if nothing listens, or the host has no address", async () => {
    const refused = await s3Stores({ url: "http://127.0.0.1:9", region: "" }, settings).of("bucket");
    expect(await failures(refused)).toEqual([expect.stringMatching(/^The file store cannot be reached\./)]);
    const unknown = await s3Stores({ url: "http://store.invalid", region: "" }, settings).of("bucket");
    expect(await failures(unknown)).toEqual([expect.stringMatching(/^The host of the file store is not known\./)]);
  });

  it("without its access key or signatures in the cause", async () => {
    const store = await storeOn((_, response) =>
      response
        .writeHead(403, { "content-type": "application/xml" })
        .end("<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message><AWSAccessKeyId>AKIAKEY</AWSAccessKeyId></Error>"),
    );
    const failure = await store.list("").then(
      () => undefined,
      (error: unknown) => error as StoreFailed,
    );
    expect(JSON.stringify([failure?.message, failure?.cause, { ...(failure?.cause as object) }])).not.toContain("AKIAKEY");
  });

  it("and refuses a token of another listing", async () => {
    const store = await storeOn(failing(400, "InvalidArgument"));
    await expect(store.list("", "not a token")).rejects.toBeInstanceOf(InvalidContinuationToken);
  });

  it("and fails if a download breaks off", async () => {
    const store = await storeOn((_, response) => {
      response.writeHead(200, { "content-length": "10", "last-modified": new Date(0).toUTCString() });
      response.write("half", () => response.destroy());
    });
    const { content } = await store.read(key);
    await expect(content.toArray()).rejects.toBeInstanceOf(StoreFailed);
  });
});

describe("an S3 store that joins parts", () => {
  const upload = { key, uploadId: "u", isChecked: true };
  const joined = async (heads: readonly (Record<string, string> | undefined)[]) => {
    const rest = [...heads];
    const store = await storeOn((request, response) => {
      request.resume();
      const head = request.method === "HEAD" ? rest.shift() : undefined;
      if (request.method === "HEAD") response.writeHead(head === undefined ? 404 : 200, head).end();
      else if (request.method === "GET") response.writeHead(200, xml).end("<ListBucketResult></ListBucketResult>");
      else response.writeHead(200, xml).end('<CompleteMultipartUploadResult><ETag>"ours-1"</ETag></CompleteMultipartUploadResult>');
    });
    return [await store.parts?.join(upload, [{ part: 1, size: 5, tag: "t" }]), rest.length];
  };
  const xml = { "content-type": "application/xml" };
  const file = (etag: string, bytes: number, second = 0) => ({
    etag: `"${etag}"`,
    "content-length": String(bytes),
    "last-modified": new Date(second * 1_000).toUTCString(),
  });

  it("waits until the file has appeared", async () => {
    const old = file("old", 3);
    expect(await joined([old, old, file("ours-1", 5)])).toMatchObject([{ size: 5 }, 0]);
  });

  it("does not take the file of someone else for its own", async () => {
    expect(await joined([undefined, file("theirs", 7, 1)])).toMatchObject([{ size: 5 }, 0]);
    expect(await joined([file("old", 3), file("theirs", 7, 1)])).toMatchObject([{ size: 5 }, 0]);
  });
});

describe("an address of AWS", () => {
  it("names its region, and its buckets in the host", () => {
    const address = { url: "https://s3.eu-central-1.amazonaws.com", region: "" };
    expect(regionOf(address)).toBe("eu-central-1");
    expect(regionOf({ ...address, region: "us-west-2" })).toBe("us-west-2");
    expect(uploadOriginOf(address, { pathStyle: undefined })).toBe("https://*.s3.eu-central-1.amazonaws.com");
    expect(regionOf({ url: "https://minio.example.org:9000/", region: "" })).toBe("us-east-1");
    expect(uploadOriginOf({ url: "https://minio.example.org:9000/", region: "" }, { pathStyle: undefined })).toBe(
      "https://minio.example.org:9000",
    );
  });
});
