import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import type { PartUpload } from "@fairway/contract/fileset-uploads";
import type { FilesetListing } from "@fairway/contract/filesets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromBufferPromise } from "yauzl";
import { s3Stores } from "#storage/s3.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";

if (s3Program === undefined) noteNotRun("spellings of names on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

const composed = "Ångström/é ü.txt";
const decomposed = composed.normalize("NFD");

interface OpenStore {
  readonly app: FilesetsApp;
  /** As an operator or another program writes it. */
  readonly put: (path: string, content: string) => Promise<unknown>;
  /** Stored names, as they are spelled. */
  readonly stored: () => Promise<string[]>;
}

const closers: (() => Promise<void>)[] = [];
const onClose = (close: () => Promise<void>) => void closers.push(close);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function onDisk(): Promise<OpenStore> {
  const app = await filesetsApp([{ id: "inbox", s3Bucket: "inbox", s3Prefix: "in", allowsUploads: true }], { onClose });
  const root = join(app.folder, "inbox/in");
  await mkdir(root, { recursive: true });
  return {
    app,
    put: async (path, content) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    stored: async () => {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    },
  };
}

async function onS3(): Promise<OpenStore> {
  const server = await S3Server.start(s3Program ?? "");
  onClose(() => server.stop());
  const Bucket = await server.createBucket();
  const stores = s3Stores(server.address, server.settings({ directUploads: false }));
  const app = await filesetsApp([{ id: "inbox", s3Bucket: Bucket, s3Prefix: "in", allowsUploads: true }], { onClose, stores });
  return {
    app,
    put: (path, Body) => server.client.send(new PutObjectCommand({ Bucket, Key: `in/${path}`, Body })),
    stored: async () => {
      const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket, Prefix: "in/" }));
      return Contents.map(({ Key = "" }) => Key.slice("in/".length)).filter((key) => !key.endsWith("/"));
    },
  };
}

describe.each(s3Program === undefined ? (["disk"] as const) : (["disk", "S3"] as const))("names in two spellings on %s", (name) => {
  let store: OpenStore;
  beforeAll(async () => {
    store = name === "disk" ? await onDisk() : await onS3();
    await store.put(decomposed, "decomposed");
  });

  const get = (route: string, query: Record<string, string>, username = "ada") =>
    store.app.request(username, "GET", `/filesets/inbox/${route}?${new URLSearchParams(query).toString()}`);
  const list = async (listPrefix: string, username?: string) => (await get("list", { listPrefix }, username)).json<FilesetListing>();
  const upload = async (file: string, content: string): Promise<unknown> => {
    const { uploadUrl } = (await get("upload", { file })).json<{ uploadUrl: string }>();
    const response = await fetch(`${store.app.origin}${uploadUrl.slice("/api".length)}`, { method: "PUT", body: content });
    return response.json();
  };

  it("are listed in normal form C, and read under either", async () => {
    expect((await list("")).commonPrefixes).toEqual(["Ångström/"]);
    for (const path of [composed, decomposed]) {
      const folder = path.slice(0, path.indexOf("/") + 1);
      expect((await list(folder)).files.map(({ filename }) => filename)).toEqual([composed]);
      expect((await get("file", { file: path })).json()).toMatchObject({ filename: composed, size: 10 });
      expect((await get("download", { file: path })).body).toBe("decomposed");
      expect((await get("tags", { file: path })).json()).toEqual({ tags: {} });
    }
    expect((await list("", "root")).leftOut).toBeUndefined();
    expect((await get("download", { file: "Ångström/ö.txt" })).statusCode).toBe(404);
  });

  it("are in zips, whose manifest counts them", async () => {
    for (const paths of [[composed], [decomposed], ["Ångström/"], ["Ångström/".normalize("NFD")]]) {
      const { zipUrl } = (await store.app.request("ada", "POST", "/filesets/inbox/zip", { body: { paths } })).json<{ zipUrl: string }>();
      const zip = await fromBufferPromise((await store.app.request("ada", "GET", zipUrl)).rawPayload);
      const entries: [string, string][] = [];
      for await (const entry of zip.eachEntry()) {
        const content = Readable.from(await zip.openReadStreamPromise(entry));
        entries.push([entry.fileName, Buffer.concat((await content.toArray()) as Uint8Array[]).toString()]);
      }
      expect(entries.map(([path, content]) => [path.slice(path.indexOf("/") + 1), content])).toEqual([
        ["é ü.txt", "decomposed"],
        ["MANIFEST.txt", "Files in this zip: 1\nFiles left out: 0\n"],
      ]);
    }
  });

  it("are replaced and deleted in place, and new ones are stored in normal form C", async () => {
    expect(await upload(decomposed, "replaced")).toMatchObject({ filename: composed });
    expect(await store.stored()).toEqual([decomposed]);
    expect((await get("download", { file: composed })).body).toBe("replaced");
    const beside = "Ångström/ñ.txt";
    const started = await store.app.request("ada", "POST", "/filesets/inbox/uploads", {
      body: { file: beside.normalize("NFD"), size: 3 },
    });
    const { uploadId } = started.json<PartUpload>();
    const part = await store.app.request("ada", "GET", `/filesets/inbox/uploads/${uploadId}/parts/1`);
    const { uploadUrl } = part.json<{ uploadUrl: string }>();
    await fetch(`${store.app.origin}${uploadUrl.slice("/api".length)}`, { method: "PUT", body: "new" });
    expect((await store.app.request("ada", "POST", `/filesets/inbox/uploads/${uploadId}/complete`)).json()).toMatchObject({
      filename: beside,
    });
    // In the folder that is there, which has the other spelling.
    expect((await store.stored()).toSorted()).toEqual([decomposed, `${"Ångström/".normalize("NFD")}ñ.txt`].toSorted());
    const removed = await store.app.request("root", "DELETE", `/filesets/inbox/file?file=${encodeURIComponent(beside)}`);
    expect([removed.statusCode, await store.stored()]).toEqual([204, [decomposed]]);
  });

  it("that differ in spelling only are reported to administrators, and the composed one is shown", async () => {
    await store.put("both/é.txt", "composed");
    await store.put("both/é.txt".normalize("NFD"), "decomposed");
    // Neither all composed nor all decomposed.
    await store.put("both/mixed-é-e\u0301.txt", "mixed");
    const shown = await list("both/");
    expect([shown.files.map(({ filename }) => filename), shown.leftOut]).toEqual([["both/é.txt"], undefined]);
    expect((await list("both/", "root")).leftOut?.toSorted()).toEqual(["e\\u0301.txt", "mixed-é-e\\u0301.txt"]);
    expect((await get("download", { file: "both/é.txt" })).body).toBe("composed");
  });
});
