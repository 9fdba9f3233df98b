import { once } from "node:events";
import { readdir, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FilesetListing } from "@fairway/contract/filesets";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fromBufferPromise } from "yauzl";
import type { FileStore } from "#storage/storage.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { rawCall } from "#testing/raw-http.ts";

const open = { id: "open", s3Bucket: "open", s3Prefix: "pre/fix", allowsUploads: true };

let app: FilesetsApp;
/** Called by the gateway's store before it reads a file, and with the content that it read. */
let beforeRead: (() => Promise<void>) | undefined;
let whenOpened: (content: Readable) => Readable = (content) => content;
const closers: (() => Promise<void>)[] = [];
const wrapStore = (store: FileStore): FileStore => ({
  ...store,
  read: async (...args) => {
    await beforeRead?.();
    const opened = await store.read(...args);
    return { ...opened, content: whenOpened(opened.content) };
  },
});
beforeAll(async () => {
  app = await filesetsApp([open], { limits: { downloadsAtOncePerUser: 3 }, onClose: (close) => void closers.push(close), wrapStore });
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
beforeEach(() => {
  beforeRead = undefined;
  whenOpened = (content) => content;
  app.configure([open]);
});

const pathOf = (name: string) => join(app.folder, "open/pre/fix", name);
const put = (name: string, content: string | Uint8Array) => app.put(`open/pre/fix/${name}`, content);
const download = (file: string) => `/filesets/open/download?file=${encodeURIComponent(file)}`;

/** Names and contents of a zip, in its order. */
async function entriesOf(zip: Buffer): Promise<[string, string][]> {
  const entries: [string, string][] = [];
  const file = await fromBufferPromise(zip);
  for await (const entry of file.eachEntry()) {
    const content = await (await file.openReadStreamPromise(entry)).toArray();
    entries.push([entry.fileName, Buffer.concat(content).toString()]);
  }
  return entries;
}

const requestZip = (paths: readonly string[], username = "ada") => app.request(username, "POST", "/filesets/open/zip", { body: { paths } });
async function zipOf(paths: readonly string[], username = "ada"): Promise<[string, string][]> {
  const response = await requestZip(paths, username);
  expect(response.statusCode).toBe(201);
  const { zipUrl } = response.json<{ zipUrl: string }>();
  return entriesOf((await app.request(username, "GET", zipUrl)).rawPayload);
}

describe("a download", () => {
  it.each(["longer content", "short", ""])("answers one version of a file that is replaced by %j while it is opened", async (content) => {
    await put("replaced.txt", "0123456789");
    beforeRead = async () => {
      beforeRead = undefined;
      await writeFile(pathOf("other"), content);
      await rename(pathOf("other"), pathOf("replaced.txt"));
    };
    const response = await app.request("ada", "GET", download("replaced.txt"));
    expect([response.headers["content-length"], response.body]).toEqual([String(content.length), content]);
  });

  it("of a range is never beyond the end that it names, although the file is replaced", async () => {
    await put("ranged.txt", "0123456789");
    beforeRead = async () => {
      beforeRead = undefined;
      await writeFile(pathOf("ranged.txt"), "abc");
    };
    const response = await app.request("ada", "GET", download("ranged.txt"), { headers: { range: "bytes=1-8" } });
    expect([response.headers["content-range"], response.body]).toEqual(["bytes 1-2/3", "bc"]);
  });

  it("sends no more than it announced of a file that grows, and breaks off if the file shrinks", async () => {
    await put("log.txt", "x".repeat(3_000_000));
    const sizeOf = async (change: () => Promise<void>) =>
      new Promise<number | string>((resolve) => {
        let bytes = 0;
        const call = request(`${app.origin}${download("log.txt")}`, { headers: { authorization } }, (response) => {
          response.on("data", (chunk: Buffer) => (bytes += chunk.byteLength));
          response.once("end", () => resolve(bytes));
          response.once("error", () => resolve("broken"));
        });
        whenOpened = (content) => Readable.from(afterChange(content), { objectMode: false });
        async function* afterChange(content: Readable): AsyncGenerator<Uint8Array> {
          await change();
          for await (const chunk of content) yield chunk as Uint8Array;
        }
        call.end();
      });
    const authorization = `Bearer ${await app.tokenOf("ada")}`;
    expect(await sizeOf(() => writeFile(pathOf("log.txt"), "y".repeat(10), { flag: "a" }))).toBe(3_000_000);
    expect(await sizeOf(() => truncate(pathOf("log.txt"), 10))).toBe("broken");
  });

  it("keeps its whole file although it is deleted meanwhile", async () => {
    const content = "x".repeat(2_000_000);
    await put("deleted.txt", content);
    whenOpened = (stream) => Readable.from(deletedFirst(stream), { objectMode: false });
    async function* deletedFirst(stream: Readable): AsyncGenerator<Uint8Array> {
      expect((await app.request("root", "DELETE", "/filesets/open/file?file=deleted.txt")).statusCode).toBe(204);
      for await (const chunk of stream) yield chunk as Uint8Array;
    }
    expect((await app.request("ada", "GET", download("deleted.txt"))).body).toBe(content);
    expect((await app.request("ada", "GET", download("deleted.txt"))).statusCode).toBe(404);
  });
});

describe("downloads that nobody reads", () => {
  it("are limited per user with 429, and count until they are closed", async () => {
    await put("unread.bin", Buffer.alloc(20_000_000));
    await put("ends.txt", "x");
    const call = async (username: string) => (await app.request(username, "GET", download("ends.txt"))).statusCode;
    const head = `GET ${download("unread.bin")} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await app.tokenOf("ada")}\r\n\r\n`;
    const sockets = Array.from({ length: 3 }, () => connect(Number(new URL(app.origin).port), "127.0.0.1"));
    for (const socket of sockets) socket.write(head);
    // Not before all of them are answered: a call would take the place of one.
    await Promise.all(sockets.map((socket) => once(socket, "readable")));
    expect(await call("ada")).toBe(429);
    expect((await app.request("ada", "HEAD", download("ends.txt"))).headers["retry-after"]).toBe("2");
    expect(await call("grace")).toBe(200);
    for (const socket of sockets) socket.destroy();
    // More often than the limit, with answers of every kind.
    for (let time = 0; time < 5; time += 1) {
      await expect.poll(() => call("ada")).toBe(200);
      expect((await app.request("ada", "GET", download("none"))).statusCode).toBe(404);
    }
  });
});

describe("names", () => {
  it.each([
    ["with its fileset's prefix longer than a key", "a/".repeat(509) + "end"],
    ["not Unicode", "caf\ufffd/x"],
    ["in the portal's own folder in other letters", ".FairWay/tags/x"],
  ])("that are %s are refused with 400 on every route", async (_, name) => {
    for (const route of ["download", "tags", "file", "upload"]) {
      const response = await app.request("ada", "GET", `/filesets/open/${route}?file=${encodeURIComponent(name)}`);
      expect([route, response.statusCode, response.json()]).toMatchObject([route, 400, { errors: [{ code: "invalid-value" }] }]);
    }
    const prefix = encodeURIComponent(`${name}/`);
    expect((await app.request("ada", "GET", `/filesets/open/list?listPrefix=${prefix}`)).statusCode).toBe(400);
    expect((await requestZip([name])).statusCode).toBe(400);
  });

  it.each(["%252e%252e/%252e%252e/etc/passwd", "..%2f..%2fetc", "%2e%2e/x", "..%5cx", "%c0%ae%c0%ae/x", "%00", "x%0d%0aSet-Cookie:a"])(
    "reach no file outside the fileset as %s, in the query or the path",
    async (name) => {
      for (const target of [`/filesets/open/download?file=${name}`, `/filesets/open/${name}`, `/filesets/${name}/download?file=x`]) {
        const answer = await rawCall(
          Number(new URL(app.origin).port),
          `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${await app.tokenOf("ada")}\r\n\r\n`,
        );
        expect([target, [400, 404].includes(answer.status), answer.headers["set-cookie"]]).toEqual([target, true, undefined]);
      }
    },
  );

  it("that no call can name are neither listed nor do they break a zip", async () => {
    for (const name of ["odd/back\\slash.txt", "odd/e\u0301.txt", "odd/fine.txt", "odd/folder\\/x.txt", "odd/c:drive.txt"])
      await put(name, name);
    const listing = async (username: string) =>
      (await app.request(username, "GET", "/filesets/open/list?listPrefix=odd/")).json<FilesetListing>();
    const { files, commonPrefixes, leftOut } = await listing("ada");
    expect([leftOut, (await listing("root")).leftOut]).toEqual([undefined, ["back\\\\slash.txt", "folder\\\\/"]]);
    expect([files.map(({ filename }) => filename), commonPrefixes]).toEqual([["odd/c:drive.txt", "odd/\u00e9.txt", "odd/fine.txt"], []]);
    const entries = Object.fromEntries(await zipOf(["odd/"]));
    expect(Object.keys(entries).toSorted()).toEqual(["MANIFEST.txt", "odd/c:drive.txt", "odd/fine.txt", "odd/\u00e9.txt"]);
    expect(entries["MANIFEST.txt"]?.split("\n").toSorted()).toEqual(
      [
        "",
        "",
        "Files in this zip: 3",
        "Files left out: 2",
        "odd/back\\slash.txt\tIts name has a backslash.",
        "odd/folder\\/\tIts name has a backslash.",
      ].toSorted(),
    );
    expect(Object.fromEntries(await zipOf(["odd/c:drive.txt"]))).toMatchObject({
      "MANIFEST.txt": expect.stringContaining("c:drive.txt\tA zip cannot contain this name."),
    });
  });

  it.each([
    ["invoice\u202efdp.exe", "must not contain marks that change the reading direction"],
    ["\u2066a\u2069/b.txt", "must not contain marks that change the reading direction"],
    ["\u200b", "has a part that is blank"],
    ["a/\u200b\u00ad/b.txt", "has a part that is blank"],
    ["a\u200bb.txt", "must not contain invisible characters"],
    ["line\u2028break.txt", "must not contain control characters"],
    [" first.txt", "has a part that begins or ends with spaces"],
    ["folder /b.txt", "has a part that begins or ends with spaces"],
  ])("%j is refused for a new file by every way, and read where it is there", async (name, problem) => {
    const ways = [
      await app.request("ada", "GET", `/filesets/open/upload?file=${encodeURIComponent(name)}`),
      await app.request("ada", "POST", "/filesets/open/uploads", { body: { file: name, size: 1 } }),
    ];
    const message = `The name ${problem}.`;
    expect(ways.map((answer) => [answer.statusCode, answer.json()])).toEqual(
      ways.map(() => [400, { errors: [{ code: "invalid-value", message, path: "file" }] }]),
    );
    await put(name, "there");
    expect((await app.request("ada", "GET", download(name))).body).toBe("there");
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    const listed = await app.request("ada", "GET", `/filesets/open/list?listPrefix=${encodeURIComponent(folder)}`);
    expect(listed.json<FilesetListing>().files.map(({ filename }) => filename)).toContain(name);
    expect((await zipOf([name])).map(([entry]) => entry)).toEqual([name.slice(folder.length), "MANIFEST.txt"]);
    expect((await app.request("root", "DELETE", `/filesets/open/file?file=${encodeURIComponent(name)}`)).statusCode).toBe(204);
  });

  it.each(["family \u{1f468}\u200d\u{1f469}.png", "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.txt", "a b.txt"])(
    "%j is taken: it looks like what it is",
    async (name) => {
      const answer = await app.request("ada", "GET", `/filesets/open/upload?file=${encodeURIComponent(name)}`);
      expect(answer.statusCode).toBe(200);
    },
  );

  it("of symbolic links are not in a zip", async () => {
    await put("links/fine.txt", "fine");
    await app.put("outside.txt", "secret");
    await symlink(join(app.folder, "outside.txt"), pathOf("links/file"));
    await symlink(app.folder, pathOf("links/folder"));
    const entries = await zipOf(["links/", "links/file", "links/folder/outside.txt", "links/folder/"]);
    expect(entries.map(([name]) => name)).toEqual(["links/fine.txt", "MANIFEST.txt"]);
    expect(JSON.stringify(entries)).not.toContain("secret");
  });
});

describe("a zip", () => {
  it("contains each file once, and does not lose a file named like its manifest", async () => {
    for (const name of ["twice/a.txt", "twice/b/c.txt", "MANIFEST.txt"]) await put(name, name);
    const entries = await zipOf(["twice/", "twice/a.txt", "twice/b/", "twice/b/c.txt", "twice/", "MANIFEST.txt"]);
    expect(entries.map(([name]) => name)).toEqual(["twice/a.txt", "twice/b/c.txt", "MANIFEST.txt", "MANIFEST-2.txt"]);
    expect(entries.at(-1)?.[1]).toMatch(/^Files in this zip: 3\nFiles left out: 0\n/);
  });

  it("is requested at most 20 times in 15 minutes, also at once", async () => {
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await requestZip(["x"], "root")).statusCode));
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  });

  it("breaks off once the user may no longer read the fileset", async () => {
    for (const name of ["ends/a.txt", "ends/b.txt"]) await put(name, name);
    const { zipUrl } = (await requestZip(["ends/"])).json<{ zipUrl: string }>();
    whenOpened = (content) => {
      app.configure([{ ...open, allowedRoles: [{ roleName: "admin" }] }]);
      return content;
    };
    const answer = await fetch(`${app.origin}${zipUrl}`, { headers: { authorization: `Bearer ${await app.tokenOf("ada")}` } });
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("is sent with headers that keep a browser from running it", async () => {
    const { zipUrl } = (await requestZip(["x"])).json<{ zipUrl: string }>();
    expect((await app.request("ada", "HEAD", zipUrl)).headers).toMatchObject({
      "content-disposition": expect.stringMatching(/^attachment;/),
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });
});

describe("an API key", () => {
  it("[KEYS-09] reads and uploads in the filesets of its scope only, deletes nothing, and its addresses end with it", async () => {
    app.configure([open, { ...open, id: "other", s3Bucket: "other" }]);
    await put("key.txt", "for keys");
    await app.put("other/pre/fix/key.txt", "not for this key");
    const token = await app.tokenOf("ada");
    const draft = { name: "Nightly", datasets: [], filesetIds: ["open"], ecosystemNames: [] };
    const key = await app.gateway.call<{ key: string }>("POST", "/apiKeys", { token, body: draft });
    const authorization = `Bearer ${key.body.key}`;
    const call = async (method: "GET" | "POST" | "DELETE", fileset: string, path: string, payload?: object) =>
      app.gateway.app.inject({ method, url: `/filesets/${fileset}/${path}`, headers: { authorization }, ...(payload && { payload }) });
    const reads = ["list", "tags?file=key.txt", "file?file=key.txt", "download?file=key.txt", "upload?file=new.txt"];
    for (const path of reads) {
      expect([path, (await call("GET", "open", path)).statusCode, (await call("GET", "other", path)).statusCode]).toEqual([path, 200, 404]);
    }
    const zip = await call("POST", "open", "zip", { paths: ["key.txt"] });
    expect([zip.statusCode, (await call("POST", "other", "zip", { paths: ["key.txt"] })).statusCode]).toEqual([201, 404]);
    const { zipUrl } = zip.json<{ zipUrl: string }>();
    expect((await app.gateway.app.inject({ url: zipUrl, headers: { authorization } })).statusCode).toBe(200);
    expect((await call("DELETE", "open", "file?file=key.txt")).statusCode).toBe(403);
    const entries = (await app.gateway.app.inject({ url: "/filesets", headers: { authorization } })).json<{ id: string }[]>();
    expect(entries.map(({ id }) => id)).toEqual(["open"]);

    const { uploadUrl } = (await call("GET", "open", "upload?file=new.txt")).json<{ uploadUrl: string }>();
    const upload = async () => (await fetch(`${app.origin}${uploadUrl.slice("/api".length)}`, { method: "PUT", body: "x" })).status;
    expect(await upload()).toBe(201);
    await app.gateway.call("DELETE", "/apiKeys/Nightly", { token });
    expect(await upload()).toBe(403);
  });
});

describe("the address of an upload", () => {
  it("expires, and is that of the user who requested it, whoever calls", async () => {
    const { uploadUrl } = (await app.request("ada", "GET", "/filesets/open/upload?file=signed.txt")).json<{ uploadUrl: string }>();
    const url = `${app.origin}${uploadUrl.slice("/api".length)}`;
    const headers = { authorization: `Bearer ${await app.tokenOf("grace")}` };
    expect((await fetch(url, { method: "PUT", body: "x", headers })).status).toBe(201);
    const uploaders = app.gateway.database.db.selectFrom("fileset_uploads").innerJoin("users", "users.id", "user_id").select("username");
    expect(await uploaders.distinct().execute()).toEqual([{ username: "ada" }]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 });
    try {
      expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("an upload", () => {
  it("is not stored if its fileset is closed to the user while it arrives", async () => {
    const { uploadUrl } = (await app.request("ada", "GET", "/filesets/open/upload?file=late.txt")).json<{ uploadUrl: string }>();
    const changes = [
      { filesets: [{ ...open, allowedRoles: [{ roleName: "admin" }] }], status: 404 },
      { filesets: [{ ...open, allowsUploads: false }], status: 403 },
      { filesets: [], status: 404 },
    ];
    for (const { filesets, status } of changes) {
      async function* sent(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("first");
        await expect.poll(() => readdir(join(app.folder, "open/.fairway/unfinished"))).toHaveLength(1);
        app.configure(filesets);
        yield Buffer.from("last");
      }
      const init: RequestInit = { method: "PUT", body: sent(), duplex: "half" };
      const response = await fetch(`${app.origin}${uploadUrl.slice("/api".length)}`, init);
      expect(response.status).toBe(status);
      app.configure([open]);
      expect((await app.request("ada", "GET", download("late.txt"))).statusCode).toBe(404);
    }
  });
});
