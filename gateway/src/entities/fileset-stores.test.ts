import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutBucketCorsCommand } from "@aws-sdk/client-s3";
import { type Configuration, configuration as configurationSchema } from "@fairway/contract/entity-schemas";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bucketWarnings } from "#capabilities/filesets/bucket-warnings.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { fileKey } from "#storage/key.ts";
import { localDiskStores, plainFolder } from "#storage/local-disk.ts";
import type { S3Settings } from "#storage/s3-settings.ts";
import type { FileStore } from "#storage/storage.ts";
import { filesetsApp } from "#testing/filesets-app.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";
import { FilesetStores } from "./fileset-stores.ts";

const settings: S3Settings = {
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  pathStyle: undefined,
  directUploads: true,
  limits: { storeConnectMs: 2_000, storeReadMs: 5_000 },
  addresses: new AddressPolicy([]),
};

interface Bench {
  readonly stores: FilesetStores;
  /** Enables a configuration, as an administrator would while the gateway runs. */
  readonly enable: (changes: Partial<Configuration> | undefined) => void;
}

async function bench(s3: S3Settings = settings, portalUrl?: string): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-fileset-stores-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let current: Configuration | undefined;
  const listeners: (() => void)[] = [];
  const stores = new FilesetStores({
    configuration: { current: async () => current, onConfiguration: (listener) => void listeners.push(listener) },
    disk: localDiskStores(folder, plainFolder),
    s3,
    reserved: async () => new Set(["own"]),
    portalUrl,
    log: { debug: () => undefined },
  });
  onTestFinished(() => stores.close());
  return {
    stores,
    enable: (changes) => {
      current = changes && configurationSchema.parse({ name: "live", ...changes });
      for (const listener of listeners) listener();
    },
  };
}

async function* text(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
const key = fileKey("f");
const write = (store: FileStore, content: string) => store.write(key, text(content), 1_000);

it("leave buckets with own data of users alone, also in other letters", async () => {
  const { stores, enable } = await bench();
  await write(await stores.of("own"), "on the disk, where own data is elsewhere");
  enable({ s3URL: "https://minio.example.org" });
  for (const bucket of ["own", "Own"]) {
    await expect(stores.of(bucket)).rejects.toThrow(`The bucket '${bucket}' holds the own data of users: an administrator has to choose`);
    expect(await stores.problemOf(bucket, false)).toContain("holds the own data of users");
  }
  expect(await stores.of("owner")).toBeDefined();
});

describe("upload origins", () => {
  it("follow the enabled configuration", async () => {
    const { stores, enable } = await bench();
    expect(stores.uploadOrigins()).toEqual([]);
    enable({ s3URL: "https://s3.eu-central-1.amazonaws.com" });
    await expect.poll(() => stores.uploadOrigins()).toEqual(["https://*.s3.eu-central-1.amazonaws.com"]);
    enable({ s3URL: "https://minio.example.org:9000/" });
    await expect.poll(() => stores.uploadOrigins()).toEqual(["https://minio.example.org:9000"]);
    enable({ s3URL: "" });
    await expect.poll(() => stores.uploadOrigins()).toEqual([]);
  });

  it("are none if uploads go through the portal", async () => {
    const { stores, enable } = await bench({ ...settings, directUploads: false });
    enable({ s3URL: "https://minio.example.org" });
    await stores.refresh();
    expect(stores.uploadOrigins()).toEqual([]);
  });
});

describe("the folder", () => {
  it("is used without a configuration, without a warning, and with addresses of the portal", async () => {
    const { stores } = await bench();
    const store = await stores.of("inbox");
    expect(await write(store, "on disk")).toMatchObject({ size: 7 });
    expect([store.parts, await stores.problemOf("missing", true)]).toEqual([undefined, undefined]);
  });
});

describe.runIf(s3Program !== undefined)("with an S3 server", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start(s3Program ?? "");
  });
  afterAll(() => server.stop());

  it("filesets move to the service of the enabled configuration and back, while the gateway runs", async () => {
    const { stores, enable } = await bench(server.settings());
    const bucket = await server.createBucket();
    await write(await stores.of(bucket), "disk");
    enable({ s3URL: server.address.url });
    const onS3 = await stores.of(bucket);
    expect(await onS3.head(key)).toBeUndefined();
    await write(onS3, "service");
    expect(await stores.of(bucket)).toBe(onS3);
    enable(undefined);
    expect(await (await stores.of(bucket)).head(key)).toMatchObject({ size: 4 });
    enable({ s3URL: server.address.url, s3Region: "eu-west-1" });
    await expect((await stores.of(bucket)).head(key)).rejects.toThrow(/^The bucket is in another region\./);
  });

  /** A fileset on the service with the file `a/b.csv`. */
  const withFile = async () => {
    const { stores, enable } = await bench(server.settings());
    enable({ s3URL: server.address.url });
    const bucket = await server.createBucket();
    const app = await filesetsApp([{ id: "inbox", s3Bucket: bucket, s3Prefix: "in", allowsUploads: true }], { stores });
    const { uploadUrl } = (await app.request("ada", "GET", "/filesets/inbox/upload?file=a/b.csv")).json<{ uploadUrl: string }>();
    expect((await fetch(`${app.origin}${uploadUrl.slice("/api".length)}`, { method: "PUT", body: "0123456789" })).status).toBe(201);
    return { app, enable };
  };

  it("[FILESET-31][FILESET-35] files are uploaded to the service and listed, and a failing service is named", async () => {
    const { app, enable } = await withFile();
    expect((await app.request("ada", "GET", "/filesets/inbox/list?listPrefix=a/")).json()).toMatchObject({
      files: [{ filename: "a/b.csv", size: 10 }],
    });
    enable({ s3URL: "http://127.0.0.1:9" });
    const down = await app.request("ada", "GET", "/filesets/inbox/list");
    expect([down.statusCode, down.json<{ errors: { message: string }[] }>().errors[0]?.message]).toEqual([
      502,
      "The file store cannot be reached. An administrator has to check that it runs, and s3URL in the enabled Configuration.",
    ]);
  });

  it("[FILESET-38] files are downloaded from the service, also in part", async () => {
    const { app } = await withFile();
    const whole = await app.request("ada", "GET", "/filesets/inbox/download?file=a/b.csv");
    expect([whole.statusCode, whole.body]).toEqual([200, "0123456789"]);
    const range = await app.request("ada", "GET", "/filesets/inbox/download?file=a/b.csv", { headers: { range: "bytes=2-4" } });
    expect([range.statusCode, range.body, range.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await app.request("ada", "GET", "/filesets/inbox/download?file=missing")).statusCode).toBe(404);
  });

  it("administrators are warned of buckets that cannot be used, and of CORS rules that refuse uploads", async () => {
    const portal = "https://data.example.org";
    const { stores, enable } = await bench(server.settings(), `${portal}/portal`);
    enable({ s3URL: server.address.url });
    const bucket = await server.createBucket();
    const warnings = async (s3Bucket: string, allowsUploads: boolean) =>
      (await bucketWarnings(stores)({ s3Bucket, allowsUploads }, undefined, { waitMs: 10_000, warnsOnTimeout: true })).map(
        ({ message }) => message,
      );
    expect(await warnings("not-there", false)).toEqual([expect.stringMatching(/^The file store has no bucket 'not-there'\./)]);
    expect(await warnings("..", false)).toEqual(["'..' cannot be the name of a bucket."]);
    expect(await warnings(bucket, false)).toEqual([]);
    expect(await warnings(bucket, true)).toEqual([
      `Browsers cannot upload to the bucket '${bucket}': its CORS rules have to allow PUT from ${portal} with the header x-amz-checksum-crc32c. Or remove s3.directUploads from the settings, and uploads go through the portal.`,
    ]);
    const unknown = await bench(server.settings());
    unknown.enable({ s3URL: server.address.url });
    expect(await unknown.stores.problemOf(bucket, true)).toContain("because PUBLIC_URL is not set");
    const allow = (origin: string) =>
      server.client.send(
        new PutBucketCorsCommand({
          Bucket: bucket,
          CORSConfiguration: { CORSRules: [{ AllowedOrigins: [origin], AllowedMethods: ["PUT"], AllowedHeaders: ["*"] }] },
        }),
      );
    await allow("https://elsewhere.example.org");
    expect(await warnings(bucket, true)).toHaveLength(1);
    await allow(portal);
    expect(await warnings(bucket, true)).toEqual([]);
  });
});
