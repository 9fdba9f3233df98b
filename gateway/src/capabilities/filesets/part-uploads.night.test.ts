import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { ListMultipartUploadsCommand, UploadPartCommand } from "@aws-sdk/client-s3";
import type { ErrorBody } from "@fairway/contract/errors";
import { type PartUpload, partCount, partRange } from "@fairway/contract/fileset-uploads";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { s3Stores } from "#storage/s3.ts";
import { crc32cOf } from "#testing/crc32c-of.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";

if (s3Program === undefined) noteNotRun("uploads in parts to a real S3 server", "versitygw is not installed, see docs/decisions/0310");

/** The smallest part that S3 joins. */
const partBytes = 5_242_880;
const size = 2 * partBytes + 3;
const limits = { uploadMaxBytes: size, userDailyUploadBytes: 2 * size, uploadPartBytes: partBytes, unfinishedUploadsPerUser: 3 };

const filled = (byte: number) => Buffer.alloc(size, byte);

interface OpenStore {
  readonly app: FilesetsApp;
  /** Uploads whose parts are kept. */
  readonly unfinished: () => Promise<number>;
  /** Puts this content in place of a part of the only unfinished upload, as a part does that broke off and arrives late. */
  readonly overwrite: ((part: number, content: Buffer) => Promise<void>) | undefined;
}

const closers: (() => Promise<void>)[] = [];
const onClose = (close: () => Promise<void>) => void closers.push(close);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function onDisk(): Promise<OpenStore> {
  const app = await filesetsApp([{ id: "inbox", s3Bucket: "inbox", allowsUploads: true }], { limits, onClose });
  return {
    app,
    unfinished: async () => (await readdir(join(app.folder, ".fairway/uploads")).catch(() => [])).length,
    overwrite: undefined,
  };
}

async function onS3(directUploads: boolean): Promise<OpenStore> {
  const server = await S3Server.start(s3Program ?? "");
  onClose(() => server.stop());
  const bucket = await server.createBucket();
  const stores = s3Stores(server.address, server.settings({ directUploads }));
  const app = await filesetsApp([{ id: "inbox", s3Bucket: bucket, s3Prefix: "in", allowsUploads: true }], { limits, onClose, stores });
  const unfinished = async () => (await server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
  const overwrite = async (part: number, body: Buffer) => {
    const { Uploads } = await server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    const [upload] = Uploads ?? [];
    await server.client.send(
      new UploadPartCommand({
        Bucket: bucket,
        Key: upload?.Key,
        UploadId: upload?.UploadId,
        PartNumber: part,
        Body: body,
        ChecksumCRC32C: crc32cOf(body),
      }),
    );
  };
  return { app, unfinished, overwrite };
}

const s3Places = s3Program === undefined ? [] : (["S3 through the portal", "S3 directly"] as const);

describe.each(["disk", ...s3Places] as const)("uploads in parts to %s", (name) => {
  let app: FilesetsApp;
  let unfinished: OpenStore["unfinished"];
  let overwrite: OpenStore["overwrite"];
  beforeAll(async () => {
    ({ app, unfinished, overwrite } = name === "disk" ? await onDisk() : await onS3(name === "S3 directly"));
  });
  beforeEach(async () => {
    await app.gateway.database.db.deleteFrom("fileset_uploads").execute();
  });

  const start = (username: string, file: string, body: object = {}) =>
    app.request(username, "POST", "/filesets/inbox/uploads", { body: { file, size, version: "1", ...body } });
  const started = async (username: string, file: string, body: object = {}): Promise<PartUpload> => {
    const response = await start(username, file, body);
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json();
  };
  const isDirect = name === "S3 directly";
  /** Address to PUT a part with this checksum to; undefined = without one. */
  const addressOf = async (username: string, { uploadId }: PartUpload, part: number, crc32c?: string) => {
    const query = crc32c === undefined ? "" : `?${new URLSearchParams({ crc32c }).toString()}`;
    const response = await app.request(username, "GET", `/filesets/inbox/uploads/${uploadId}/parts/${part}${query}`);
    const { uploadUrl, headers = {} } = response.json<{ uploadUrl: string; headers?: Record<string, string> }>();
    expect(uploadUrl.startsWith("/api/")).toBe(!isDirect || crc32c === undefined);
    return { url: uploadUrl.startsWith("/api/") ? `${app.origin}${uploadUrl.slice("/api".length)}` : uploadUrl, headers };
  };
  const partOf = (content: Buffer, upload: PartUpload, part: number): Buffer => {
    const { start: from, end } = partRange(part, content.length, upload.partBytes);
    return content.subarray(from, end);
  };
  const send = async (username: string, upload: PartUpload, content: Buffer, part: number): Promise<number> => {
    const body = partOf(content, upload, part);
    const { url, headers } = await addressOf(username, upload, part, crc32cOf(body));
    const { status } = await fetch(url, { method: "PUT", body, headers });
    if (isDirect) await confirm(username, upload, part);
    return status;
  };
  /** Sends so many bytes of the part and then nothing more; resolves when the connection is closed. */
  const sendCut = async (username: string, upload: PartUpload, content: Buffer, part: number, bytes: number): Promise<void> => {
    const body = partOf(content, upload, part);
    const { url, headers } = await addressOf(username, upload, part, crc32cOf(body));
    const { pathname, search, port, host } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    const lines = Object.entries({ ...headers, host, "content-length": body.length }).map(([field, value]) => `${field}: ${value}\r\n`);
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
    socket.write(body.subarray(0, bytes), () => socket.destroy());
    await once(socket, "close");
  };
  const confirm = (username: string, { uploadId }: PartUpload, part: number, body?: { etag: string }) =>
    app.request(username, "POST", `/filesets/inbox/uploads/${uploadId}/parts/${part}`, body && { body });
  const complete = (username: string, { uploadId }: PartUpload) =>
    app.request(username, "POST", `/filesets/inbox/uploads/${uploadId}/complete`);
  const content = async (file: string) => (await app.request("ada", "GET", `/filesets/inbox/download?file=${file}`)).rawPayload;
  const exists = async (file: string) => (await app.request("ada", "GET", `/filesets/inbox/file?file=${file}`)).statusCode === 200;
  const roomTaken = async () =>
    (await app.gateway.database.db.selectFrom("fileset_uploads").select("bytes").execute()).map(({ bytes }) => Number(bytes));
  const messageOf = (response: { body: string }) => (JSON.parse(response.body) as ErrorBody).errors[0]?.message;

  it("continue where they stopped, show the file only when it is whole, and answer a repeated completion alike", async () => {
    const upload = await started("ada", "large.bin");
    expect(upload).toMatchObject({ partBytes, received: [] });
    expect([await send("ada", upload, filled(1), 1), await send("ada", upload, filled(1), 3)]).not.toContain(500);
    expect(await exists("large.bin")).toBe(false);
    expect(await started("ada", "large.bin")).toEqual({ ...upload, received: [1, 3] });
    for (const other of [{ version: "2" }, { size: size - 1 }]) {
      const { uploadId } = await started("ada", "large.bin", other);
      expect(uploadId).not.toBe(upload.uploadId);
      expect((await app.request("ada", "DELETE", `/filesets/inbox/uploads/${uploadId}`)).statusCode).toBe(204);
    }
    await app.gateway.database.db
      .updateTable("fileset_part_uploads")
      .set({ joining_until: new Date(Date.now() + 60_000) })
      .execute();
    const joining = [await complete("ada", upload), await app.request("ada", "DELETE", `/filesets/inbox/uploads/${upload.uploadId}`)];
    expect(joining.map(({ statusCode, headers }) => [statusCode, headers["retry-after"]])).toEqual([503, 503].map((code) => [code, "3"]));
    await app.gateway.database.db.updateTable("fileset_part_uploads").set({ joining_until: null }).execute();
    const early = await complete("ada", upload);
    expect([early.statusCode, messageOf(early)]).toEqual([409, "The file is not complete: send the parts 2."]);
    await send("ada", upload, filled(1), 2);
    const answers = [await complete("ada", upload), await complete("ada", upload)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[0]?.json()).toMatchObject({ filename: "large.bin", size });
    expect(answers[1]?.json()).toMatchObject({ filename: "large.bin", size });
    expect((await content("large.bin")).equals(filled(1))).toBe(true);
    expect([await unfinished(), await roomTaken()]).toEqual([0, [size]]);
    const { uploadId } = await started("ada", "large.bin");
    expect(uploadId).not.toBe(upload.uploadId);
    await app.request("ada", "DELETE", `/filesets/inbox/uploads/${uploadId}`);
  });

  it("count against the room of a day before anything is sent, give it back when they are discarded, and end at the largest file", async () => {
    const uploads = [await started("grace", "one"), await started("grace", "two")];
    const full = await start("grace", "three");
    expect([full.statusCode, messageOf(full)]).toEqual([507, expect.stringContaining("within 24 hours")]);
    await send("grace", uploads[0] ?? { uploadId: "", partBytes, received: [] }, filled(1), 1);
    for (const { uploadId } of uploads) await app.request("grace", "DELETE", `/filesets/inbox/uploads/${uploadId}`);
    expect([await roomTaken(), await exists("one")]).toEqual([[], false]);
    const larger = await start("grace", "large", { size: size + 1 });
    expect([larger.statusCode, messageOf(larger)]).toEqual([413, `The file is larger than ${size.toLocaleString("en-US")} bytes.`]);
    const small = [];
    for (const file of ["a", "b", "c", "d"]) small.push(await start("grace", file, { size: 1 }));
    expect(small.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 429]);
    for (const response of small.slice(0, 3)) {
      await app.request("grace", "DELETE", `/filesets/inbox/uploads/${response.json<PartUpload>().uploadId}`);
    }
  });

  it("of two people to one name leave one whole file", async () => {
    const shorter = filled(2).subarray(1);
    const [ada, grace] = [await started("ada", "shared.bin"), await started("grace", "shared.bin", { size: shorter.length })];
    expect(ada.uploadId).not.toBe(grace.uploadId);
    for (const part of [1, 2, 3]) {
      await send("ada", ada, filled(1), part);
      await send("grace", grace, shorter, part);
    }
    const answers = await Promise.all([complete("ada", ada), complete("grace", grace)]);
    expect(answers.map((answer) => [answer.statusCode, answer.json<{ size: number }>().size])).toEqual([
      [201, size],
      [201, shorter.length],
    ]);
    const whole = await content("shared.bin");
    expect([filled(1), shorter].some((one) => whole.equals(one))).toBe(true);
  });

  it("are refused to others, with another size, and once they have expired, which discards their parts", async () => {
    const upload = await started("ada", "mine.bin");
    const path = `/filesets/inbox/uploads/${upload.uploadId}`;
    const refusals = [
      await app.request("grace", "GET", `${path}/parts/1`),
      await app.request("grace", "DELETE", path),
      await complete("grace", upload),
      await app.request("ada", "GET", `${path}/parts/4`),
      await app.request("ada", "GET", `${path}/parts/01`),
    ];
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    const { url, headers } = await addressOf("ada", upload, 1, crc32cOf("short"));
    expect((await fetch(url, { method: "PUT", body: "short", headers })).ok).toBe(false);
    expect((await fetch(url.replace(/\/parts\/1|partNumber=1/, "parts/2"), { method: "PUT", body: "short", headers })).ok).toBe(false);
    await send("ada", upload, filled(1), 1);
    expect(await unfinished()).toBe(1);
    await app.gateway.database.db
      .updateTable("fileset_part_uploads")
      .set({ started_at: new Date(Date.now() - 25 * 3_600_000) } as never)
      .execute();
    expect((await complete("ada", upload)).statusCode).toBe(404);
    await app.expireUploads();
    expect([await unfinished(), await roomTaken(), await exists("mine.bin")]).toEqual([0, [], false]);
  });

  it("keep nothing of a part that is cut off, and everything of the others", async () => {
    const upload = await started("ada", "cut.bin");
    await send("ada", upload, filled(1), 1);
    // Sent but never confirmed: only its sender knows what the store has answered.
    const last = partOf(filled(1), upload, 3);
    const { url, headers } = await addressOf("ada", upload, 3, crc32cOf(last));
    const unconfirmed = await fetch(url, { method: "PUT", body: last, headers });
    expect([unconfirmed.ok, (await started("ada", "cut.bin")).received]).toEqual([true, isDirect ? [1] : [1, 3]]);
    await sendCut("ada", upload, filled(1), 2, 1_000_000);
    await expect.poll(async () => (await started("ada", "cut.bin")).received).not.toContain(2);
    expect(await send("ada", upload, filled(1), 2)).toBe(isDirect ? 200 : 204);
    await send("ada", upload, filled(1), 3);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    const whole = await app.request("ada", "GET", "/filesets/inbox/download?file=cut.bin");
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, size]);
    expect(whole.rawPayload.equals(filled(1))).toBe(true);
  });

  it("forget no acknowledged part when its address is asked for again, or another attempt for it is cut off", async () => {
    const upload = await started("ada", "kept.bin");
    for (const part of [1, 2, 3]) await send("ada", upload, filled(1), part);
    for (const bytes of [0, 1, 1_000_000, 3_000_000, partBytes - 1]) await sendCut("ada", upload, filled(2), 2, bytes);
    await addressOf("ada", upload, 1, crc32cOf(partOf(filled(2), upload, 1)));
    expect((await started("ada", "kept.bin")).received).toEqual([1, 2, 3]);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    expect((await content("kept.bin")).equals(filled(1))).toBe(true);
  });

  it("refuse a part that is not what its checksum says, and keep the one before", async () => {
    const upload = await started("ada", "checked.bin");
    await send("ada", upload, filled(1), 2);
    const { url, headers } = await addressOf("ada", upload, 2, crc32cOf(partOf(filled(1), upload, 2)));
    const refused = await fetch(url, { method: "PUT", body: partOf(filled(2), upload, 2), headers });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(isDirect ? "BadDigest" : "checksum")]);
    for (const part of [1, 3]) await send("ada", upload, filled(1), part);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    expect((await content("checked.bin")).equals(filled(1))).toBe(true);
    const malformed = await app.request("ada", "GET", `/filesets/inbox/uploads/${upload.uploadId}/parts/1?crc32c=AAAA`);
    expect([malformed.statusCode, messageOf(malformed)]).toEqual([400, expect.stringContaining("CRC32C")]);
  });

  it("take a part whose checksum is not named, as earlier clients send it", async () => {
    const upload = await started("ada", "unchecked.bin", { size: 3 });
    const { url, headers } = await addressOf("ada", upload, 1);
    expect((await fetch(url, { method: "PUT", body: "abc", headers })).status).toBe(204);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    expect((await content("unchecked.bin")).toString()).toBe("abc");
  });

  it("refuse a part of a file that is there, in the same way everywhere", async () => {
    const upload = await started("ada", "done.bin", { size: 3 });
    const named = crc32cOf("abc");
    const addresses = [await addressOf("ada", upload, 1, named), await addressOf("ada", upload, 1)];
    await fetch(addresses[1]?.url ?? "", { method: "PUT", body: "abc" });
    expect((await complete("ada", upload)).statusCode).toBe(201);
    const late = await Promise.all(addresses.map(({ url, headers }) => fetch(url, { method: "PUT", body: "xyz", headers })));
    expect(late.map(({ status }) => status)).toEqual([404, 404]);
    const path = `/filesets/inbox/uploads/${upload.uploadId}/parts/1`;
    const calls = [
      await app.request("ada", "GET", `${path}?${new URLSearchParams({ crc32c: named }).toString()}`),
      await confirm("ada", upload, 1),
    ];
    expect(calls.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    expect((await content("done.bin")).toString()).toBe("abc");
  });

  it("never take a name or a size that other uploads may not have", async () => {
    const refused = [
      await start("ada", "bad\u0000name"),
      await start("ada", "../up.bin"),
      await start("ada", ".fairway/x"),
      await start("ada", "x".repeat(256)),
      await start("ada", "large.bin", { size: size + 1 }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 413]);
    const upload = await started("ada", "exact.bin", { size: 3 });
    const { url, headers } = await addressOf("ada", upload, 1, crc32cOf("abcd"));
    expect((await fetch(url, { method: "PUT", body: "abcd", headers })).ok).toBe(false);
    expect((await started("ada", "exact.bin", { size: 3 })).received).toEqual([]);
    await app.request("ada", "DELETE", `/filesets/inbox/uploads/${upload.uploadId}`);
  });

  it("join only what was acknowledged, whatever arrives late in its place", async () => {
    const upload = await started("ada", "late.bin");
    for (const part of [1, 2, 3]) await send("ada", upload, filled(1), part);
    if (overwrite === undefined) return;
    // Some servers reserve the size of a part that broke off and fill the rest with zeros.
    const late = Buffer.concat([filled(1).subarray(0, 1_000_000), Buffer.alloc(partBytes - 1_000_000)]);
    await overwrite(2, late);
    expect((await started("ada", "late.bin")).received).toEqual([1, 3]);
    const early = await complete("ada", upload);
    expect([early.statusCode, messageOf(early), await exists("late.bin")]).toEqual([
      409,
      "The file is not complete: send the parts 2.",
      false,
    ]);
    // Late again, before its sender confirms what the store acknowledged.
    const confirmed = async (): Promise<number[]> => {
      const body = partOf(filled(1), upload, 2);
      const { url, headers } = await addressOf("ada", upload, 2, crc32cOf(body));
      const sent = await fetch(url, { method: "PUT", body, headers });
      await overwrite?.(2, late);
      await confirm("ada", upload, 2, { etag: sent.headers.get("etag") ?? "" });
      return (await started("ada", "late.bin")).received;
    };
    expect(isDirect ? await confirmed() : [1, 3]).toEqual([1, 3]);
    await send("ada", upload, filled(1), 2);
    expect((await complete("ada", upload)).statusCode).toBe(201);
    expect((await content("late.bin")).equals(filled(1))).toBe(true);
  });

  it("store an empty file, and on a disk refuse a file as a folder", async () => {
    const empty = await started("ada", "empty.txt", { size: 0 });
    expect(partCount(0, empty.partBytes)).toBe(1);
    await send("ada", empty, Buffer.alloc(0), 1);
    expect((await complete("ada", empty)).json()).toMatchObject({ filename: "empty.txt", size: 0 });
    if (name !== "disk") return;
    const below = await started("ada", "empty.txt/below.txt", { size: 1 });
    await send("ada", below, Buffer.from("x"), 1);
    expect((await complete("ada", below)).statusCode).toBe(409);
  });
});
