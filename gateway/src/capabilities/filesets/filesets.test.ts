import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ErrorBody } from "@fairway/contract/errors";
import type { FilesetListing } from "@fairway/contract/filesets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileKey } from "#storage/key.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { tokensOf } from "#testing/signed-in.ts";

const storms = { id: "storm archive", description: "Tracks of storms", s3Bucket: "weather", s3Prefix: "/archive/", allowedRoles: [] };
const uploads = { id: "uploads", s3Bucket: "inbox", allowsUploads: true };
const secret = { id: "secret", s3Bucket: "secret", allowedRoles: [{ roleName: "reader" }], allowsUploads: true };
const help = { id: "help", s3Bucket: "help" };
const storm = "/filesets/storm%20archive";

let app: FilesetsApp;
/** Called by the gateway's store with every content that it has opened, before it passes it on. */
let whenOpened: ((content: Readable) => Promise<void>) | undefined;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  app = await filesetsApp([storms, uploads, secret, help], {
    limits: { uploadMaxBytes: 10 },
    onClose: (close) => void closers.push(close),
    wrapStore: (store) => ({
      ...store,
      read: async (...args) => {
        const opened = await store.read(...args);
        await whenOpened?.(opened.content);
        return opened;
      },
    }),
  });
  await app.put("weather/archive/README.txt", "0123456789");
  await app.put("weather/archive/by-storm/2005-12-Katrina é.csv", "time,wind\n");
  await app.put("weather/other/secret.txt", "not in the fileset");
  await app.put("secret/plan.txt", "for readers");
  await app.put("help/faq.json", "[]");
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const messageOf = (response: { body: string }): string | undefined => (JSON.parse(response.body) as ErrorBody).errors[0]?.message;
const listing = async (username: string, url: string): Promise<FilesetListing> => (await app.request(username, "GET", url)).json();

describe("filesets", () => {
  it("[FILESET-02][FILESET-44] are listed with id and allowsUploads for users with a role, without the help", async () => {
    const idsFor = async (username: string) =>
      (await app.request(username, "GET", "/filesets")).json<{ id: string }[]>().map(({ id }) => id);
    expect((await app.request("ada", "GET", "/filesets")).json()).toContainEqual({ id: "uploads", description: "", allowsUploads: true });
    expect(await idsFor("ada")).toEqual(["secret", "storm archive", "uploads"]);
    expect(await idsFor("grace")).toEqual(["storm archive", "uploads"]);
  });

  it("[FILESET-44] answer 404 to users without a role, on every route", async () => {
    for (const path of ["list", "tags?file=plan.txt", "file?file=plan.txt", "download?file=plan.txt", "upload?file=new.txt"]) {
      const response = await app.request("grace", "GET", `/filesets/secret/${path}`);
      expect([path, response.statusCode, messageOf(response)]).toEqual([
        path,
        404,
        "There is no such fileset, or you don't have access to it.",
      ]);
      expect((await app.request(undefined, "GET", `/filesets/secret/${path}`)).statusCode).toBe(401);
    }
    expect((await app.request("ada", "GET", "/filesets/secret/download?file=plan.txt")).body).toBe("for readers");
  });

  it("[FILESET-31][FILESET-32] list files and folders one level below a prefix, as paths from the root of the fileset", async () => {
    const file = { filename: "README.txt", size: 10, lastModified: expect.stringMatching(/^20\d\d-.*Z$/) };
    expect(await listing("ada", `${storm}/list`)).toEqual({ files: [file], commonPrefixes: ["by-storm/"], nextContinuationToken: null });
    expect(await listing("ada", `${storm}/list?listPrefix=`)).toMatchObject({ files: [file] });
    expect(await listing("ada", `${storm}/list?listPrefix=by-storm/`)).toMatchObject({
      files: [{ filename: "by-storm/2005-12-Katrina é.csv", size: 10 }],
      commonPrefixes: [],
    });
    expect(await listing("ada", `${storm}/list?listPrefix=nowhere/`)).toMatchObject({ files: [], commonPrefixes: [] });
  });

  it("[FILESET-33][FILESET-34] are listed in pages of 1,000 until the token is null", async () => {
    const names = Array.from({ length: 1_002 }, (_, index) => `f${String(index).padStart(4, "0")}`);
    await mkdir(join(app.folder, "inbox/many"), { recursive: true });
    await Promise.all(names.map((name) => writeFile(join(app.folder, "inbox/many", name), "")));
    const first = await listing("ada", "/filesets/uploads/list?listPrefix=many/");
    expect(first.files).toHaveLength(1_000);
    const next = await listing("ada", `/filesets/uploads/list?listPrefix=many/&continuationToken=${first.nextContinuationToken}`);
    expect(next.nextContinuationToken).toBeNull();
    expect([...first.files, ...next.files].map(({ filename }) => filename.slice("many/".length))).toEqual(names);
  });

  it("[FILESET-37] answer the tags of a file", async () => {
    const store = await app.stores.of("weather");
    await store.setTags(fileKey("archive/README.txt"), { year: "2005" });
    expect((await app.request("ada", "GET", `${storm}/tags?file=README.txt`)).json()).toEqual({ tags: { year: "2005" } });
    expect((await app.request("ada", "GET", `${storm}/tags?file=missing`)).statusCode).toBe(404);
  });

  it("[FILESET-38] send a file with headers that keep a browser from running it", async () => {
    const response = await app.request("ada", "GET", `${storm}/download?file=by-storm/2005-12-Katrina%20%C3%A9.csv`);
    expect([response.statusCode, response.body]).toEqual([200, "time,wind\n"]);
    expect(response.headers).toMatchObject({
      "content-type": "text/csv",
      "content-length": "10",
      "accept-ranges": "bytes",
      "content-disposition": "attachment; filename=\"2005-12-Katrina _.csv\"; filename*=UTF-8''2005-12-Katrina%20%C3%A9.csv",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });

  it.each([
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-100", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=4-2", 200, "0123456789", undefined],
    ["bytes=0-1,4-5", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
  ])("answer the range %s with %i", async (range, status, body, contentRange) => {
    const response = await app.request("ada", "GET", `${storm}/download?file=README.txt`, { headers: { range } });
    expect([response.statusCode, response.body, response.headers["content-range"]]).toEqual([status, body, contentRange]);
  });

  it("refuse a range beyond the end with 416, and answer 304 for the version that the caller has", async () => {
    const url = `${storm}/download?file=README.txt`;
    expect((await app.request("ada", "GET", url, { headers: { range: "bytes=10-" } })).statusCode).toBe(416);
    const { headers } = await app.request("ada", "HEAD", url);
    expect(headers).toMatchObject({ "content-length": "10", etag: expect.any(String) });
    const etag = String(headers["etag"]);
    expect((await app.request("ada", "GET", url, { headers: { "if-none-match": etag } })).statusCode).toBe(304);
    const ifRange = { range: "bytes=0-0", "if-range": etag };
    expect((await app.request("ada", "GET", url, { headers: ifRange })).body).toBe("0");
    expect((await app.request("ada", "GET", url, { headers: { ...ifRange, "if-range": '"old"' } })).body).toBe("0123456789");
  });

  it.each(["../other/secret.txt", "/etc/passwd", "a//b", "by-storm/../README.txt", "a\\b", "nu%00l", "./README.txt", ".fairway/tags/x"])(
    "refuse the path %s with 400",
    async (file) => {
      for (const path of ["download", "tags", "file"]) {
        expect((await app.request("ada", "GET", `${storm}/${path}?file=${file}`)).statusCode).toBe(400);
      }
      expect((await app.request("ada", "GET", `${storm}/list?listPrefix=${file}/`)).statusCode).toBe(400);
      expect((await app.request("ada", "GET", `/filesets/uploads/upload?file=${file}`)).statusCode).toBe(400);
    },
  );

  it.each(["kept", "unfinished", "tags", ""])("cannot be in the bucket %j", async (s3Bucket) => {
    app.configure([{ id: "misplaced", s3Bucket }]);
    expect((await app.request("ada", "GET", "/filesets/misplaced/list")).statusCode).toBe(502);
    app.configure([storms, uploads, secret, help]);
  });

  it("do not follow symbolic links", async () => {
    await symlink(join(app.folder, "weather/other"), join(app.folder, "inbox/link"));
    await symlink(join(app.folder, "weather/other/secret.txt"), join(app.folder, "inbox/file-link"));
    for (const file of ["link/secret.txt", "file-link"]) {
      const response = await app.request("ada", "GET", `/filesets/uploads/download?file=${file}`);
      expect([file, response.statusCode, response.body.includes("not in")]).toEqual([file, 404, false]);
    }
    expect(await listing("ada", "/filesets/uploads/list?listPrefix=link/")).toMatchObject({ files: [], commonPrefixes: [] });
  });
});

describe("uploads", () => {
  const urlOf = async (username: string, file: string, fileset = "uploads"): Promise<string> => {
    const { uploadUrl } = (await app.request(username, "GET", `/filesets/${fileset}/upload?file=${file}`)).json<{ uploadUrl: string }>();
    expect(uploadUrl).toMatch(/^\/api\/filesets\//);
    return uploadUrl.slice("/api".length);
  };
  const put = async (url: string, content: string) => {
    const response = await fetch(`${app.origin}${url}`, { method: "PUT", body: content, headers: { "content-type": "text/html" } });
    const body = await response.text();
    return { statusCode: response.status, body, json: () => JSON.parse(body) as unknown };
  };

  it("[FILESET-35][FILESET-36] store a file at its signed address, of any type and also an empty one", async () => {
    const response = await put(await urlOf("grace", "new/a%20file.json"), "{}");
    expect([response.statusCode, response.json()]).toMatchObject([201, { filename: "new/a file.json", size: 2 }]);
    expect((await app.request("ada", "GET", "/filesets/uploads/download?file=new/a%20file.json")).body).toBe("{}");
    expect((await put(await urlOf("grace", "empty"), "")).json()).toMatchObject({ size: 0 });
  });

  it("[FILESET-45] are refused with 403 by a fileset that does not allow them", async () => {
    const response = await app.request("ada", "GET", `${storm}/upload?file=new.txt`);
    expect([response.statusCode, messageOf(response)]).toEqual([403, "The fileset 'storm archive' does not allow uploads."]);
  });

  it("accept a file of exactly the limit and keep nothing of a larger one", async () => {
    expect((await put(await urlOf("ada", "fits"), "0123456789")).statusCode).toBe(201);
    const response = await put(await urlOf("ada", "large"), "0123456789a");
    expect([response.statusCode, messageOf(response)]).toEqual([413, "The file is larger than 10 bytes."]);
    expect((await app.request("ada", "GET", "/filesets/uploads/file?file=large")).statusCode).toBe(404);
  });

  it("are refused for another file, another fileset or a changed signature", async () => {
    const url = await urlOf("ada", "mine");
    for (const changed of [
      url.replace("file=mine", "file=other"),
      url.replace("/uploads/", "/secret/"),
      `${url}x`,
      url.replace("v1.", "v2."),
    ]) {
      expect((await put(changed, "x")).statusCode).toBe(403);
    }
    expect((await put(url.split("&")[0] ?? "", "x")).statusCode).toBe(400);
  });

  it("are refused once the uploader lacks the role or the fileset no longer allows them", async () => {
    const url = await urlOf("ada", "late", "secret");
    app.configure([storms, uploads, { ...secret, allowedRoles: [{ roleName: "admin" }] }, help]);
    expect((await put(url, "x")).statusCode).toBe(404);
    app.configure([storms, uploads, { ...secret, allowsUploads: false }, help]);
    expect((await put(url, "x")).statusCode).toBe(403);
    app.configure([storms, uploads, secret, help]);
    expect((await put(url, "x")).statusCode).toBe(201);
  });
});

describe("deleting a file", () => {
  it("needs the role admin and an existing file", async () => {
    await app.put("inbox/old.txt", "old");
    const url = "/filesets/uploads/file?file=old.txt";
    expect((await app.request("ada", "DELETE", url)).statusCode).toBe(403);
    expect((await app.request("root", "DELETE", url)).statusCode).toBe(204);
    expect((await app.request("root", "DELETE", url)).statusCode).toBe(404);
  });
});

it("closes a file whose reader leaves before its first byte", async () => {
  // More than streams read ahead.
  await app.put("weather/archive/large.bin", Buffer.alloc(2_000_000));
  const { access_token: token } = await tokensOf(app.gateway);
  let opened: Readable | undefined;
  const connecting = once(app.gateway.app.server, "connection") as Promise<[Socket]>;
  const client = connect(Number(new URL(app.origin).port), "127.0.0.1");
  const [connection] = await connecting;
  whenOpened = async (content) => {
    client.destroy();
    await once(connection, "close");
    opened = content;
  };
  client.write(`GET ${storm}/download?file=large.bin HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await expect.poll(() => opened?.closed).toBe(true);
  whenOpened = undefined;
});
