import { once } from "node:events";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ErrorBody } from "@fairway/contract/errors";
import type { Limits } from "@fairway/contract/limits";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { fileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { rawCall } from "#testing/raw-http.ts";

const inbox = { id: "inbox", s3Bucket: "inbox", allowsUploads: true };
const limits = {
  uploadMaxBytes: 2_000_000,
  userDailyUploadBytes: 5_000_000,
  uploadsAtOncePerUser: 2,
  userUploadsPerMinute: 100,
  uploadIdleMs: 500,
} satisfies Partial<Limits>;

let app: FilesetsApp;
/** Called by the gateway in place of the store's own method. */
let write: ((...args: Parameters<FileStore["write"]>) => ReturnType<FileStore["write"]>) | undefined;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  app = await filesetsApp([inbox], {
    limits,
    onClose: (close) => void closers.push(close),
    wrapStore: (store) => ({ ...store, write: (...args) => (write === undefined ? store.write(...args) : write(...args)) }),
  });
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
beforeEach(async () => {
  write = undefined;
  await mkdir(join(app.folder, "inbox"), { recursive: true });
  await app.gateway.database.db.deleteFrom("fileset_uploads").execute();
});

const port = () => Number(new URL(app.origin).port);
const downloaded = async (file: string) => app.request("ada", "GET", `/filesets/inbox/download?file=${file}`);
const unfinished = async () =>
  (await readdir(join(app.folder, "inbox"), { recursive: true })).filter((path) => path.includes("unfinished/"));
const roomTaken = async () =>
  (await app.gateway.database.db.selectFrom("fileset_uploads").select("bytes").execute()).map(({ bytes }) => Number(bytes));

async function addressOf(file: string, username = "ada"): Promise<string> {
  const response = await app.request(username, "GET", `/filesets/inbox/upload?file=${file}`);
  expect(response.statusCode).toBe(200);
  return response.json<{ uploadUrl: string }>().uploadUrl.slice("/api".length);
}

/** The head of an upload of `length` bytes, or of chunks of unknown length. */
const headOf = (url: string, length: number | null): string =>
  [
    `PUT ${url} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    length === null ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    "",
    "",
  ].join("\r\n");

/** Sends bytes over a new socket and leaves it open. */
async function send(bytes: string): Promise<Socket> {
  const socket = connect(port(), "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

async function put(
  url: string,
  body: string,
): Promise<{ status: number; errors: ErrorBody["errors"] | undefined; retryAfter: string | null }> {
  const response = await fetch(`${app.origin}${url}`, { method: "PUT", body });
  const answer = (await response.json()) as Partial<ErrorBody>;
  return { status: response.status, errors: answer.errors, retryAfter: response.headers.get("retry-after") };
}

const body = "0123456789".repeat(10_000);

it("leaves nothing of an upload that is cut off at any byte", async () => {
  const url = await addressOf("cut.txt");
  const whole = headOf(url, body.length) + body;
  const head = whole.length - body.length;
  const chunked = `${headOf(url, null)}5\r\n01234\r\n`;
  const cuts = [20, head - 2, head, head + 1, head + 65_536, whole.length - 1].map((end) => whole.slice(0, end));
  for (const bytes of [...cuts, chunked, `${chunked}0\r\n`]) {
    for (const isReset of [false, true]) {
      const socket = await send(bytes);
      // The portal may reset the connection: an error that `once` would reject with.
      socket.on("error", () => undefined);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      if (isReset) socket.resetAndDestroy();
      else socket.end();
      socket.resume();
      await closed;
      await expect.poll(unfinished).toEqual([]);
      await expect.poll(roomTaken).toEqual([]);
      expect((await downloaded("cut.txt")).statusCode).toBe(404);
    }
  }
  // Uploads that were just cut off may still count as uploads at the same time.
  await expect.poll(async () => (await rawCall(port(), whole)).status, { timeout: 15_000 }).toBe(201);
  expect((await downloaded("cut.txt")).body).toBe(body);
});

it("takes exactly as many bytes as Content-Length says, and ends an upload that stops sending", async () => {
  // The rest is read as another request, which is not one. It may be refused before the file is answered.
  const longer = await rawCall(port(), `${headOf(await addressOf("longer.txt"), 3)}abcdef`);
  expect([201, 400]).toContain(longer.status);
  expect(["abc", ""]).toContain((await downloaded("longer.txt")).body.replace(/^\{.*no file.*/, ""));
  const url = await addressOf("idle.txt");
  // Uploads that were just cut off may still count as uploads at the same time.
  const idle = await vi.waitUntil(
    async () => {
      const answer = await rawCall(port(), `${headOf(url, 10)}abc`);
      return answer.status === 429 ? undefined : answer;
    },
    { timeout: 15_000 },
  );
  expect(idle).toMatchObject({ status: 499, errors: [{ message: "The upload was interrupted: nothing arrived for 0.5 s." }] });
  expect([await unfinished(), (await downloaded("idle.txt")).statusCode]).toEqual([[], 404]);
});

it("leaves one whole file when two people upload the same name, and removes the tags of the replaced one", async () => {
  await app.put("inbox/shared.txt", "old");
  await (await app.stores.of("inbox")).setTags(fileKey("shared.txt"), { year: "2005" });
  const [ada, grace] = [await addressOf("shared.txt"), await addressOf("shared.txt", "grace")];
  const sockets = [await send(headOf(ada, body.length)), await send(headOf(grace, body.length))] as const;
  const answers = sockets.map((socket) => text(socket));
  for (let from = 0; from < body.length; from += 20_000) {
    sockets[0].write("a".repeat(20_000));
    sockets[1].write("g".repeat(20_000));
    await expect.poll(async () => (await downloaded("shared.txt")).body).toMatch(/^(old|a{100000}|g{100000})$/);
  }
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect((await downloaded("shared.txt")).body).toMatch(/^(a{100000}|g{100000})$/);
  expect((await app.request("ada", "GET", "/filesets/inbox/tags?file=shared.txt")).json()).toEqual({ tags: {} });
});

it("refuses with 507 what exceeds the user's room of a day, before the body is read if its length is known", async () => {
  const refusal = {
    status: 507,
    errors: [
      {
        code: "no-room",
        path: "file",
        message: "You may upload 5,000,000 bytes within 24 hours, and this file would exceed that. Try again later.",
      },
    ],
  };
  const [first, second, later] = [await addressOf("1"), await addressOf("2"), await addressOf("3")];
  const large = "x".repeat(2_000_000);
  expect((await put(first, large)).status).toBe(201);
  expect((await put(first, large)).status).toBe(201);
  expect(await rawCall(port(), headOf(second, 1_000_001))).toMatchObject(refusal);
  const chunks = `${headOf(second, null)}${(1_000_001).toString(16)}\r\n${"x".repeat(1_000_001)}\r\n0\r\n\r\n`;
  expect(await rawCall(port(), chunks)).toMatchObject(refusal);
  expect([await unfinished(), (await downloaded("2")).statusCode]).toEqual([[], 404]);
  expect((await put(second, large.slice(0, 1_000_000))).status).toBe(201);
  expect((await put(later, "")).status).toBe(201);
  expect(await put(later, "x")).toMatchObject(refusal);
  expect((await app.request("ada", "GET", "/filesets/inbox/upload?file=4")).json()).toEqual({ errors: refusal.errors });
  expect((await put(await addressOf("5", "grace"), "x")).status).toBe(201);

  await app.gateway.database.db
    .updateTable("fileset_uploads")
    .set({ started_at: new Date(Date.now() - 86_400_000) })
    .execute();
  expect((await put(later, "x")).status).toBe(201);
});

it("refuses more uploads side by side and in a minute than a user may make, with 429", async () => {
  const url = await addressOf("busy.txt");
  const open = [await send(headOf(url, 10)), await send(headOf(url, 10))];
  await expect.poll(roomTaken).toEqual([10, 10]);
  expect(await put(url, "x")).toMatchObject({
    status: 429,
    errors: [{ message: "You may upload 2 files at the same time. Try again when one is done." }],
    retryAfter: "2",
  });
  expect((await put(await addressOf("other.txt", "grace"), "x")).status).toBe(201);
  for (const socket of open) socket.destroy();
  await expect.poll(async () => (await put(url, "x")).status).toBe(201);
  const statuses = new Set<number>();
  for (let count = 0; count < 100 && !statuses.has(429); count += 1) statuses.add((await put(url, "x")).status);
  expect([...statuses]).toEqual([201, 429]);
  expect(await put(url, "x")).toMatchObject({
    errors: [{ message: expect.stringMatching(/^You may upload 100 files a minute\. Try again in \d+ s\.$/) }],
  });
  expect((await put(await addressOf("other.txt", "grace"), "x")).status).toBe(201);
});

it.each(["ENOSPC", "EDQUOT"])("says with 507 that the disk is full on %s, and gives the room back", async (code) => {
  const url = await addressOf("full.txt", "grace");
  write = () => Promise.reject(Object.assign(new Error("full"), { code }));
  expect(await put(url, "x")).toMatchObject({
    status: 507,
    errors: [{ code: "no-room", message: "The portal's storage is full, so the file cannot be stored. Tell an administrator." }],
  });
  expect(await roomTaken()).toEqual([]);
});

it("refuses the name of a folder, a file as a folder, and folders that lead out of the store", async () => {
  await app.put("inbox/folder/file.txt", "x");
  await mkdir(join(app.folder, "elsewhere"));
  await symlink(join(app.folder, "elsewhere"), join(app.folder, "inbox/link"));
  for (const name of ["folder", "folder/file.txt/below.txt", "link/out.txt", "link/deep/out.txt"]) {
    expect(await put(await addressOf(name, "grace"), "x")).toMatchObject({ status: 409, errors: [{ code: "conflict", path: "file" }] });
  }
  expect([await readdir(join(app.folder, "elsewhere")), await unfinished(), await roomTaken()]).toEqual([[], [], []]);
});

it("finishes a running upload when the gateway closes", async () => {
  const url = await addressOf("last.txt", "grace");
  const socket = await send(`${headOf(url, 6)}abc`);
  const answer = text(socket);
  await expect.poll(roomTaken).toEqual([6]);
  const closing = app.gateway.app.close();
  socket.write("def");
  expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  await closing;
  const { content } = await (await app.stores.of("inbox")).read(fileKey("last.txt"));
  expect(await text(content)).toBe("abcdef");
});
