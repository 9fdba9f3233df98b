import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocEntry, docs as docRoutes } from "@fairway/contract/docs";
import type { ErrorBody } from "@fairway/contract/errors";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDocs } from "#capabilities/docs/capability.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { openLocalDisk } from "#storage/local-disk.ts";
import type { FileStore } from "#storage/storage.ts";
import { type IdentityApp, identityApp, rootsAccount, someAccounts } from "#testing/identity-app.ts";
import { secretKey } from "#testing/secret-key.ts";
import { accessTokenOf, adaAndGrace } from "#testing/signed-in.ts";

const video = Buffer.from("\0\0\0\u0018ftypisom\0\0\u0002\0 the frames of the video", "latin1");
const png = Buffer.from("\u0089PNG\r\n\u001a\n the pixels", "latin1");
const captions = "WEBVTT\n\n00:00.000 --> 00:02.000\nChoose a dataset.\n";

let gateway: IdentityApp;
let store: EntityStore;
let files: FileStore;
let ada: string;
let root: string;
let origin: string;
const closers: (() => Promise<void>)[] = [];
let changed = () => {};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fairway-docs-"));
  files = await openLocalDisk(folder);
  gateway = await identityApp({
    accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] },
    onClose: (close) => closers.push(close),
    headRoutes: true,
    capabilities: ({ db, masterKey, log }) => {
      store = entityStore(db, log, secretKey, () => changed());
      return [
        openDocs({
          db,
          masterKey,
          entities: store,
          entityChanges: { subscribe: (listener) => (changed = () => listener(undefined)) },
          files,
          limits: { ...defaultLimits, uploadMaxBytes: 100, docUrlMinutes: 60 },
        }),
      ];
    },
  });
  closers.push(() => rm(folder, { recursive: true }));
  origin = await gateway.app.listen({ host: "127.0.0.1", port: 0 });
  ada = (await adaAndGrace(gateway, (token) => token)).ada;
  root = await accessTokenOf(gateway, "root", rootsAccount.password);
  await store.create(storedTypes.docs, { id: "first steps", name: "First steps", category: "video/mp4", description: "Search a dataset." });
  await store.create(storedTypes.docs, { id: "manual", name: "A manual", category: "application/pdf", description: "" });
  await store.create(storedTypes.docs, { id: "draft", name: "Draft", category: "video/mp4", description: "" }, { enabled: false });
});
afterAll(async () => {
  for (const close of closers) await close();
});

// Over a real connection, because uploads are read as they arrive.
const put = (path: string, content: string | Buffer<ArrayBuffer>, token = root): Promise<Response> =>
  fetch(`${origin}/admin/doc-files/${path}`, { method: "PUT", body: content, headers: { authorization: `Bearer ${token}` } });
const get = (url: string, headers: Record<string, string> = { authorization: `Bearer ${ada}` }) =>
  gateway.app.inject({ method: "GET", url, headers });
const listed = async (): Promise<DocEntry[]> => (await get("/docs")).json();
const urlOf = async (path: string): Promise<string> => {
  const { url } = (await get(`/docs/${path}/s3Url`)).json<{ url: string }>();
  expect(url).toMatch(/^\/api\/docs\//);
  return url.slice("/api".length);
};

describe("docs", () => {
  it("[TUTORIAL-05] [SESSION-27] GET /docs lists the enabled ones by name, and which files they have", async () => {
    expect(docRoutes.list.path).toBe("/docs");
    expect((await put("first%20steps/object", video)).status).toBe(204);
    expect((await put("first%20steps/preview", png)).status).toBe(204);
    expect(await listed()).toEqual([
      {
        id: "manual",
        name: "A manual",
        category: "application/pdf",
        description: "",
        hasContent: false,
        hasPreview: false,
        hasCaptions: false,
      },
      {
        id: "first steps",
        name: "First steps",
        category: "video/mp4",
        description: "Search a dataset.",
        hasContent: true,
        hasPreview: true,
        hasCaptions: false,
      },
    ]);
    expect((await files.list("docs/first steps/")).files.map(({ key }) => key)).toEqual([
      "docs/first steps/object",
      "docs/first steps/preview",
    ]);
    expect((await gateway.app.inject({ method: "GET", url: "/docs" })).statusCode).toBe(401);
  });

  it("[TUTORIAL-06] the address of a content plays without a token, by range", async () => {
    const url = await urlOf("first%20steps/object");
    const part = await get(url, { range: "bytes=4-7" });
    expect([part.statusCode, part.body, part.headers["content-type"], part.headers["content-range"]]).toEqual([
      206,
      "ftyp",
      "video/mp4",
      `bytes 4-7/${video.length}`,
    ]);
    expect(part.headers["content-security-policy"]).toContain("sandbox");
    expect((await gateway.app.inject({ method: "HEAD", url })).headers["content-length"]).toBe(String(video.length));
  });

  it("[TUTORIAL-07] the address of a preview image answers the image with its type", async () => {
    const image = await get(await urlOf("first%20steps/preview"), {});
    expect([image.statusCode, image.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(image.rawPayload).toEqual(png);
  });

  it("[TUTORIAL-08] any other type, a file that is missing and a doc that is disabled or unknown answer 404", async () => {
    for (const path of [
      "first%20steps/captions",
      "first%20steps/thumbnail",
      "manual/object",
      "draft/object",
      "nothing/object",
      "..%2Fx/object",
    ])
      expect([path, (await get(`/docs/${path}/s3Url`)).statusCode]).toEqual([path, 404]);
  });

  it("an address works for its file only, for its time, and while its user and its doc are there", async () => {
    const url = await urlOf("first%20steps/object");
    const signature = new URL(url, "http://portal").searchParams.get("signature") ?? "";
    const changes = [
      url.replace("/object/", "/preview/"),
      url.replace("first%20steps", "manual"),
      url.replace(signature, `${signature.slice(0, -2)}AA`),
    ];
    for (const other of changes) expect([other, (await get(other, {})).statusCode]).toEqual([other, 403]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
    expect((await get(url, {})).statusCode).toBe(403);
    vi.useRealTimers();
    await store.setEnabled(storedTypes.docs, "first steps", false);
    expect((await get(url, {})).statusCode).toBe(404);
    await store.setEnabled(storedTypes.docs, "first steps", true);
    const users = gateway.database.db.updateTable("users").where("username", "=", "ada");
    await users.set({ locked: true }).execute();
    expect((await get(url, {})).statusCode).toBe(403);
    await users.set({ locked: false }).execute();
  });

  it("captions are WebVTT and also accept the cookie", async () => {
    expect((await get("/docs/first%20steps/captions")).statusCode).toBe(404);
    expect((await put("first%20steps/captions", captions)).status).toBe(204);
    const answer = await get("/docs/first%20steps/captions", { cookie: `JWT=${ada}` });
    expect([answer.statusCode, answer.headers["content-type"], answer.body]).toEqual([200, "text/vtt", captions]);
  });
});

describe("the files of a doc", () => {
  it("are stored by administrators only, also for a disabled doc", async () => {
    expect((await put("draft/object", video, ada)).status).toBe(403);
    expect((await put("draft/object", video)).status).toBe(204);
    expect((await put("nothing/object", video)).status).toBe(404);
    expect((await put("draft/thumbnail", png)).status).toBe(404);
    const { files: stored } = (await get("/admin/doc-files/draft", { authorization: `Bearer ${root}` })).json<{ files: object[] }>();
    expect(stored).toEqual([{ type: "object", size: video.length, lastModified: expect.any(String) }]);
  });

  it.each([
    ["first%20steps/object", "no video", "The doc's category is video/mp4, but the file is not an MP4 video."],
    ["manual/object", "no pdf", "The doc's category is application/pdf, but the file is not a PDF."],
    ["manual/preview", "<svg onload='alert(1)'/>", "A preview image is a PNG, JPEG, GIF or WebP file."],
    ["first%20steps/captions", "1\n00:00 --> 00:02", "Captions are a WebVTT file."],
  ])("have to be what they claim: %s", async (path, content, message) => {
    const answer = await put(path, content);
    const { errors } = (await answer.json()) as ErrorBody;
    expect([answer.status, errors[0]?.message]).toEqual([415, message]);
  });

  it("are limited in size, and a refused one leaves the old one", async () => {
    expect((await put("first%20steps/object", Buffer.concat([video, Buffer.alloc(100)]))).status).toBe(413);
    expect((await get(await urlOf("first%20steps/object"), {})).rawPayload).toEqual(video);
  });

  it("can be deleted", async () => {
    const remove = () =>
      gateway.app.inject({
        method: "DELETE",
        url: "/admin/doc-files/first%20steps/captions",
        headers: { authorization: `Bearer ${root}` },
      });
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 404]);
    expect((await listed()).find(({ id }) => id === "first steps")?.hasCaptions).toBe(false);
  });
});
