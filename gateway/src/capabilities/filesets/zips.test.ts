import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPromise } from "yauzl";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { zipStream } from "./zip-stream.ts";

let app: FilesetsApp;
let folder: string;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-zips-"));
  app = await filesetsApp(
    [
      { id: "storms", s3Bucket: "weather", s3Prefix: "archive" },
      { id: "secret", s3Bucket: "secret", allowedRoles: [{ roleName: "reader" }] },
    ],
    { limits: { zipMaxFiles: 4, zipMaxBytes: 100 }, onClose: (close) => void closers.push(close) },
  );
  await app.put("weather/archive/README.txt", "read me");
  await app.put("weather/archive/by-year/2005/Katrina é.csv", "time,wind\n");
  await app.put("weather/archive/by-year/2005/deep/one.bin", Buffer.from([0, 1, 2]));
  await app.put("weather/archive/by-year/2006/Alberto.csv", "");
  await app.put("weather/archive/too-many.txt", "");
  await app.put("weather/archive/almost.bin", Buffer.alloc(94));
  await app.put("weather/archive/large.bin", Buffer.alloc(101));
  await app.put("secret/plan.txt", "for readers");
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await rm(folder, { recursive: true });
});

async function contentOf(zip: Readable): Promise<Record<string, string>> {
  const path = join(folder, `${Math.random()}.zip`);
  await pipeline(zip, createWriteStream(path));
  const file = await openPromise(path);
  const content: Record<string, string> = {};
  for await (const entry of file.eachEntry()) {
    content[entry.fileName] = Buffer.concat(await (await file.openReadStreamPromise(entry)).toArray()).toString("latin1");
  }
  return content;
}

const request = (username: string, paths: readonly string[], fileset = "storms") =>
  app.request(username, "POST", `/filesets/${fileset}/zip`, { body: { paths } });

async function download(username: string, paths: readonly string[]): Promise<Record<string, string>> {
  const { zipUrl } = (await request(username, paths)).json<{ zipUrl: string }>();
  const response = await app.request(username, "GET", zipUrl);
  expect(response.headers).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": expect.stringContaining("storms.zip"),
  });
  return contentOf(Readable.from([response.rawPayload]));
}

describe("a zip of a fileset", () => {
  it("contains the selected files and folders, with names below their common folder", async () => {
    expect(await download("ada", ["by-year/2005/", "by-year/2006/Alberto.csv"])).toEqual({
      "2005/Katrina é.csv": "time,wind\n",
      "2005/deep/one.bin": "\0\u0001\u0002",
      "2006/Alberto.csv": "",
      "MANIFEST.txt": "Files in this zip: 3\nFiles left out: 0\n",
    });
  });

  it("names in its manifest what was left out, and why", async () => {
    const paths = ["README.txt", "missing.txt", "large.bin", "almost.bin", "by-year/", "README.txt", "too-many.txt"];
    const { "MANIFEST.txt": manifest, ...files } = await download("ada", paths);
    expect(Object.keys(files)).toHaveLength(4);
    expect(manifest?.split("\n")).toEqual([
      "Files in this zip: 4",
      "Files left out: 4",
      "",
      "missing.txt\tThere is no such file.",
      "large.bin\tThe files of a zip can have at most 100 bytes.",
      "almost.bin\tThe files of a zip can have at most 100 bytes.",
      "too-many.txt\tA zip can contain at most 4 files.",
      "",
    ]);
  });

  it("can be requested only for a fileset that the user may read, and downloaded only by that user", async () => {
    expect((await request("grace", ["plan.txt"], "secret")).statusCode).toBe(404);
    const { zipUrl } = (await request("ada", ["plan.txt"], "secret")).json<{ zipUrl: string }>();
    expect((await app.request("grace", "GET", zipUrl)).statusCode).toBe(404);
    expect((await app.request("ada", "GET", zipUrl.replace("secret", "storms"))).statusCode).toBe(404);
    expect((await app.request(undefined, "GET", zipUrl)).statusCode).toBe(401);
    expect((await app.request("ada", "GET", zipUrl)).statusCode).toBe(200);
    await app.gateway.database.pool.query("update fileset_zips set created_at = now() - interval '16 minutes'");
    expect((await app.request("ada", "GET", zipUrl)).statusCode).toBe(404);
  });

  it.each(["../secret/", "a//b", "", "/"])("refuses the path %j", async (path) => {
    expect((await request("ada", [path])).statusCode).toBe(400);
  });

  it("is refused after 20 requests within 15 minutes", async () => {
    const statuses = [];
    for (let call = 0; call < 21; call += 1) statuses.push((await request("root", ["README.txt"])).statusCode);
    expect([new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([new Set([201]), 429]);
  });
});

describe("the stream of a zip", () => {
  const part = (open: () => Promise<Readable>) => ({ path: "a.txt", lastModified: new Date(0), open });

  it("breaks off if a file fails while it is read", async () => {
    async function* parts() {
      yield part(async () => Readable.from(failing()));
    }
    async function* failing() {
      yield Buffer.from("half");
      throw new Error("the disk is gone");
    }
    await expect(contentOf(zipStream(parts()))).rejects.toThrow("the disk is gone");
  });

  it("closes the open file when the caller disconnects, and opens no other", async () => {
    const endless = new Readable({ read: () => endless.push(Buffer.alloc(65_536)) });
    let opened = 0;
    async function* parts() {
      for (;;) {
        opened += 1;
        yield part(async () => endless);
      }
    }
    const zip = zipStream(parts());
    zip.once("data", () => zip.destroy());
    await new Promise((resolve) => endless.once("close", resolve));
    expect(opened).toBe(1);
  });
});
