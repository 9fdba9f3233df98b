import { connect } from "node:net";
import type { FeedbackDraft } from "@fairway/contract/feedback";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { FileStore } from "#storage/storage.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { removeForgotten } from "./attachments.ts";
import { png, form, open } from "#testing/feedback-app.ts";

/** For tests that change nothing but feedback, and count no files. */
const shared = sharedApp((onClose) => open({ onClose }), ["feedback", "feedback_attachments"]);

describe("an attachment", () => {
  it("[FEEDBACK-28] is read from the field 'file'; the response has its id and name", async () => {
    const { ada, stored } = await open();
    const { status, body } = await ada.upload("sketch of the bug ü.png");
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), filename: "sketch of the bug ü.png" });
    expect(await stored()).toBe(1);
  });

  it("[FEEDBACK-22] may have 10,000,000 bytes; a larger one is refused and not stored", async () => {
    const { ada, stored } = await open();
    expect((await ada.upload("most.txt", Buffer.alloc(10_000_000, "a"))).status).toBe(201);
    expect(await ada.upload("more.txt", Buffer.alloc(10_000_001, "a"))).toMatchObject({
      status: 413,
      body: { errors: [{ code: "too-large", path: "file" }] },
    });
    expect((await ada.upload("much-more.txt", Buffer.alloc(12_000_000, "a"))).status).toBe(413);
    expect(await stored()).toBe(1);
  });

  it("is refused when its type is not allowed or its content does not match its extension", async () => {
    const { ada, stored } = await open();
    const refused: readonly (readonly [filename: string, content: Buffer | string])[] = [
      ["page.html", "<script>alert(1)</script>"],
      ["picture.svg", "<svg onload='alert(1)'/>"],
      ["program.exe", "MZ"],
      ["no-ending", "text"],
      ["not-a-picture.png", "<script>alert(1)</script>"],
      ["not-a-picture.jpg", png],
      ["not-a-text.txt", png],
      ["zeros.csv", "a\0b"],
      ["not-an-office.docx", "text"],
    ];
    for (const [filename, content] of refused) {
      expect({ filename, ...(await ada.upload(filename, content)) }).toMatchObject({
        status: 415,
        body: { errors: [{ code: "unsupported-media-type", path: "file" }] },
      });
    }
    expect(await stored()).toBe(0);
    expect((await ada.upload("a.PDF", "%PDF-1.7")).status).toBe(201);
    expect((await ada.upload("a.docx", "PK\x03\x04")).status).toBe(201);
    expect((await ada.upload("table.csv", "größe,ort\n1,Zürich")).status).toBe(201);
    expect((await ada.upload("empty.txt", "")).status).toBe(201);
  });

  it("[FEEDBACK-21] must be the only file of a multipart body, in its field", async () => {
    const { ada, stored, gateway } = await open();
    const two = form({ filename: "a.txt", content: "a" }, { filename: "b.txt", content: "b" });
    expect(await ada.send(two)).toMatchObject({ status: 400, body: { errors: [{ path: "file" }] } });
    expect((await ada.send(form({ field: "other", filename: "a.txt", content: "a" }))).status).toBe(400);
    expect((await ada.send(form())).status).toBe(400);
    expect((await ada.send({ payload: Buffer.from("--x"), contentType: "multipart/form-data; boundary=x" })).status).toBe(400);
    expect((await ada.send({ payload: Buffer.from("x"), contentType: "multipart/form-data" })).status).toBe(400);
    expect((await ada.send({ payload: Buffer.from("{}"), contentType: "application/json" })).status).toBe(415);
    const nobody = await gateway.app.inject({
      method: "POST",
      url: "/feedback/upload",
      payload: two.payload,
      headers: { "content-type": two.contentType },
    });
    expect(nobody.statusCode).toBe(401);
    expect(await stored()).toBe(0);
    const elsewhere = await gateway.app.inject({
      method: "POST",
      url: "/feedback/create",
      payload: two.payload,
      headers: { "content-type": two.contentType, authorization: `Bearer ${ada.token}` },
    });
    expect(elsewhere.statusCode).toBe(415);
  });

  it("is stored without folders in its name, and not at all when the upload is aborted", async () => {
    const { ada, stored, gateway } = await open();
    expect((await ada.upload("..\\..\\etc/passwd.txt", "x")).body.filename).toBe("passwd.txt");
    const address = await gateway.app.listen({ port: 0, host: "127.0.0.1" });
    const { payload, contentType } = form({ filename: "half.txt", content: "x".repeat(200_000) });
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.write(
      `POST /feedback/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.token}\r\ncontent-type: ${contentType}\r\ncontent-length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload.subarray(0, 100_000));
    const { db } = gateway.database;
    const rows = async () => (await db.selectFrom("feedback_attachments").select("filename").execute()).map(({ filename }) => filename);
    await vi.waitFor(async () => expect(await rows()).toContain("half.txt"));
    socket.destroy();
    await vi.waitFor(async () => expect(await rows()).not.toContain("half.txt"));
    expect(await stored()).toBe(1);
  });

  it("counts toward the user's upload limit until its feedback is submitted", async () => {
    const { ada, grace } = await open({ limits: { feedbackFilesWaiting: 1 } });
    expect((await ada.upload("a.png")).status).toBe(201);
    expect((await ada.upload("b.png")).status).toBe(429);
    expect((await grace.upload("c.png")).status).toBe(201);
  });

  it("is refused beyond the upload limit, also when many are uploaded at once", async () => {
    const { ada, stored } = await open({ limits: { feedbackFilesWaiting: 2 } });
    const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => ada.upload(`${index}.png`)));
    const countOf = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
    expect([countOf(201), countOf(429)]).toEqual([2, 6]);
    expect(await stored()).toBe(2);
  });

  it("may use the bytes its user has left, counting submitted and unsubmitted files", async () => {
    const { ada, grace, stored } = await open({ limits: { feedbackFilesBytes: 100 } });
    const { body: first } = await ada.upload("first.txt", "a".repeat(60));
    await ada.create({ attachments: [first.id] });
    expect(await ada.upload("too-much.txt", "a".repeat(41))).toMatchObject({
      status: 413,
      body: {
        errors: [{ code: "too-large", path: "file", message: expect.stringMatching(/^This file doesn't fit: .* 100 bytes in total/) }],
      },
    });
    expect((await ada.upload("rest.txt", "a".repeat(40))).status).toBe(201);
    expect((await ada.upload("nothing-left.txt", "a")).status).toBe(413);
    expect((await grace.upload("hers.txt", "a".repeat(100))).status).toBe(201);
    expect(await stored()).toBe(3);
  });

  it("counts with the maximum size while it is being uploaded", async () => {
    let isWriting = () => {};
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const writing = new Promise<void>((resolve) => (isWriting = resolve));
    const wrap = (files: FileStore): FileStore => ({
      ...files,
      async write(...file) {
        isWriting();
        await held;
        return files.write(...file);
      },
    });
    const { ada } = await open({ limits: { feedbackFilesBytes: 10_000_000 }, wrap });
    const first = ada.upload("first.txt", "a");
    await writing;
    expect((await ada.upload("second.txt", "a")).status).toBe(413);
    release();
    expect((await first).status).toBe(201);
    expect((await ada.upload("third.txt", "a")).status).toBe(201);
  });
});

describe("feedback", () => {
  it("[FEEDBACK-29][FEEDBACK-32] is created with the account's name and email", async () => {
    const { ada, root } = shared();
    const { status, body } = await ada.create({
      name: "Somebody Else",
      email: "else@example.org",
      type: "data",
      description: "  Tides of **every** harbour. ",
      datasets: ["nature/tides"],
      attachments: [],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ type: "data", description: "Tides of **every** harbour.", status: "new", statusDateMs: null });
    expect((await root.received()).body).toMatchObject([
      { id: body.id, username: "ada", name: "Ada Lovelace", email: "ada@example.org", description: "Tides of **every** harbour." },
    ]);
  });

  it("[FEEDBACK-30][FEEDBACK-31] names datasets by category and id, and attachments by their ids", async () => {
    const { ada, root } = shared();
    const { body: file } = await ada.upload("sketch.png");
    const { status, body } = await ada.create({ type: "data", datasets: ["nature/tides", "nature/storms"], attachments: [file.id] });
    expect(status).toBe(201);
    expect((await root.received()).body).toMatchObject([
      {
        id: body.id,
        datasets: ["nature/tides", "nature/storms"],
        attachments: [{ id: file.id, filename: "sketch.png", size: png.length }],
      },
    ]);
  });

  it("is refused with the path of the invalid field, and not stored", async () => {
    const { ada } = shared();
    const invalid: readonly (readonly [path: string, change: Partial<FeedbackDraft>])[] = [
      ["username", { username: "grace" }],
      ["type", { type: "praise" as "bug" }],
      ["description", { description: " \n" }],
      ["datasets", { type: "data" }],
      ["datasets.0", { datasets: ["secret/vaults"] }],
      ["datasets.0", { datasets: ["tides"] }],
      ["datasets.0", { datasets: ["nature/../tides"] }],
      ["attachments.0", { attachments: ["no-such-id"] }],
      ["attachments", { attachments: ["a", "b", "c", "d"] }],
      ["attachments", { attachments: ["a", "a"] }],
    ];
    for (const [path, change] of invalid) {
      expect({ change, ...(await ada.create(change)) }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
    expect(await ada.own()).toEqual([]);
  });

  it("cannot use another user's attachments, nor the same attachment twice", async () => {
    const { ada, grace } = shared();
    const { body: file } = await grace.upload("hers.png");
    expect((await ada.create({ attachments: [file.id] })).status).toBe(400);
    expect((await grace.create({ attachments: [file.id] })).status).toBe(201);
    expect((await grace.create({ attachments: [file.id] })).status).toBe(400);
    expect(await ada.own()).toEqual([]);
    expect(await grace.own()).toHaveLength(1);
  });

  it("[FEEDBACK-35] is listed to its author only, newest first, with the status that administrators set", async () => {
    const { ada, grace, root, reported, gateway } = shared();
    reported.take();
    const first = (await ada.create({ description: "first" })).body;
    const { rows } = await gateway.database.pool.query<{ id: string }>("select id from users where username = 'ada'");
    const notifiedReaders = [
      { topic: "feedback", audience: { roles: ["admin"] } },
      { topic: "feedback", audience: { users: [rows[0]?.id] } },
    ];
    expect(reported.take()).toEqual(notifiedReaders);
    await grace.create();
    await ada.create({ description: "second" });
    expect((await ada.own()).map(({ description }) => description)).toEqual(["second", "first"]);
    reported.take();
    const updated = await root.setStatus({ id: first.id, status: "in progress" });
    expect(reported.take()).toEqual(notifiedReaders);
    expect(updated).toMatchObject({ status: 200, body: { id: first.id, status: "in progress", username: "ada" } });
    expect((await ada.own())[1]).toMatchObject({ status: "in progress", statusDateMs: expect.any(Number) });
    expect(await root.setStatus({ id: first.id, status: "forgotten" })).toMatchObject({ status: 400 });
    expect(await root.setStatus({ id: "no-such-id", status: "done" })).toMatchObject({ status: 404 });
  });

  it("[FEEDBACK-35] can be listed, updated and downloaded by administrators only", async () => {
    const { ada, root } = await open();
    const { body: file } = await ada.upload("sketch; filename=page.html;.png");
    expect((await root.download(file.id)).statusCode).toBe(404);
    const { body } = await ada.create({ attachments: [file.id] });
    expect((await ada.received()).status).toBe(403);
    expect((await ada.setStatus({ id: body.id, status: "done" })).status).toBe(403);
    expect((await ada.download(file.id)).statusCode).toBe(403);
    const download = await root.download(file.id);
    expect(download.statusCode).toBe(200);
    expect(download.headers["content-disposition"]).toMatch(/^attachment; /);
    expect(download.headers["content-type"]).toBe("application/octet-stream");
    expect(download.rawPayload.equals(png)).toBe(true);
  });

  it("[FEEDBACK-35] stays when its author's account is deleted", async () => {
    const { ada, root, gateway } = await open();
    await ada.create();
    await gateway.database.db.deleteFrom("users").where("username", "=", "ada").execute();
    expect((await root.received()).body).toMatchObject([{ username: "ada", name: "Ada Lovelace" }]);
  });

  it("is limited per hour, and refused when feedback is disabled", async () => {
    const { ada } = await open({ limits: { feedbackPerHour: 1 } });
    expect((await ada.create()).status).toBe(201);
    expect((await ada.create()).status).toBe(429);
    const closed = await open({ isEnabled: () => false });
    expect((await closed.ada.create()).status).toBe(404);
    expect((await closed.ada.upload("a.png")).status).toBe(404);
  });

  it("leaves no attachments behind when it is never submitted", async () => {
    const { ada, gateway, files, stored } = await open();
    const { db } = gateway.database;
    const { body: kept } = await ada.upload("kept.png");
    await ada.create({ attachments: [kept.id] });
    const { body: old } = await ada.upload("old.png");
    await sql`update feedback_attachments set created_at = now() - interval '25 hours'`.execute(db);
    await ada.upload("young.png");
    expect(await removeForgotten(db, files, 24)).toBe(1);
    expect(await stored()).toBe(2);
    expect((await ada.create({ attachments: [old.id] })).status).toBe(400);
    expect(await removeForgotten(db, files, 24)).toBe(0);
  });
});
