import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorBody } from "@fairway/contract/errors";
import type { PartUpload } from "@fairway/contract/fileset-uploads";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { s3Stores } from "#storage/s3.ts";
import { type FilesetsApp, filesetsApp } from "#testing/filesets-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";

if (s3Program === undefined) noteNotRun("scans of uploads to a real S3 server", "versitygw is not installed, see docs/decisions/0310");

/** The standard text that every scanner reports. Assembled here, so that scanners do not report this file. */
const eicar = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", "STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join("-");
const limits = { uploadPartBytes: 40, scanTimeoutMs: 1_500, userDailyUploadBytes: 10_000 };
const infected = [422, "The scanner of this portal found something harmful in this file, so it was not stored."];
const notScanned = [
  502,
  "The file could not be scanned, so it was not stored. Try again later; if this continues, an administrator has to check scanCommand of the settings.",
];

let folder: string;
let app: FilesetsApp;
let warnings: unknown[] = [];
const closers: (() => Promise<void>)[] = [];
const onClose = (close: () => Promise<void>) => void closers.push(close);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-scans-"));
  app = await openApp(
    await script(
      "stdin",
      `content=$(cat); case "$content" in *hangs*) sleep 60;; *breaks*) exit 2;; *EICAR*) echo found Eicar; exit 1;; esac`,
    ),
  );
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  warnings = [];
});

/** A command with these lines, and its arguments. */
async function script(name: string, lines: string, ...args: string[]): Promise<[string, ...string[]]> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o700);
  return [path, ...args];
}

const openApp = (scanCommand: [string, ...string[]], s3?: { bucket: string; stores: ReturnType<typeof s3Stores> }) =>
  filesetsApp([{ id: "inbox", s3Bucket: s3?.bucket ?? "inbox", allowsUploads: true }], {
    limits,
    onClose,
    scanCommand,
    onWarning: (details) => void warnings.push(details),
    ...(s3 && { stores: s3.stores }),
  });

const at = (to: FilesetsApp, url: string) => `${to.origin}${url.slice("/api".length)}`;

/** The status, and the message of a refusal. */
async function put(file: string, body: string, to = app): Promise<unknown[]> {
  const { uploadUrl } = (await to.request("ada", "GET", `/filesets/inbox/upload?file=${file}`)).json<{ uploadUrl: string }>();
  const response = await fetch(at(to, uploadUrl), { method: "PUT", body });
  const { errors } = (await response.json()) as Partial<ErrorBody>;
  return [response.status, errors?.[0]?.message];
}

async function putInParts(file: string, body: string, to = app): Promise<unknown[][]> {
  const started = await to.request("ada", "POST", "/filesets/inbox/uploads", { body: { file, size: body.length } });
  const { uploadId, partBytes } = started.json<PartUpload>();
  for (let part = 1; (part - 1) * partBytes < body.length; part += 1) {
    const address = await to.request("ada", "GET", `/filesets/inbox/uploads/${uploadId}/parts/${part}`);
    const url = at(to, address.json<{ uploadUrl: string }>().uploadUrl);
    expect((await fetch(url, { method: "PUT", body: body.slice((part - 1) * partBytes, part * partBytes) })).status).toBe(204);
  }
  const answers: unknown[][] = [];
  for (let time = 0; time < 2; time += 1) {
    const answer = await to.request("ada", "POST", `/filesets/inbox/uploads/${uploadId}/complete`);
    answers.push([answer.statusCode, answer.json<Partial<ErrorBody>>().errors?.[0]?.message]);
  }
  return answers;
}

const listed = async (to = app) =>
  (await to.request("ada", "GET", "/filesets/inbox/list")).json<{ files: { filename: string }[] }>().files.map(({ filename }) => filename);
const unfinished = async (to = app) => readdir(join(to.folder, ".fairway/uploads"));

it("stores a clean file and never an infected one, which the log names with its uploader and what the scanner says", async () => {
  expect(await put("clean.txt", "harmless")).toEqual([201, undefined]);
  expect(await put("infected.txt", eicar)).toEqual(infected);
  expect(warnings).toEqual([{ fileset: "inbox", file: "infected.txt", user: "ada", scanner: "found Eicar\n" }]);
  expect(await put("clean.txt", eicar)).toEqual(infected);
  expect((await app.request("ada", "GET", "/filesets/inbox/download?file=clean.txt")).body).toBe("harmless");
  expect((await app.request("ada", "GET", "/filesets/inbox/download?file=infected.txt")).statusCode).toBe(404);
  expect([await listed(), await unfinished()]).toEqual([["clean.txt"], []]);
});

it("scans a file in parts as a whole, and answers a repeated completion alike", async () => {
  expect(await putInParts("parts.txt", "x".repeat(100))).toEqual([
    [201, undefined],
    [201, undefined],
  ]);
  expect(await putInParts("bad-parts.txt", `${"x".repeat(30)}${eicar}`)).toEqual([infected, infected]);
  expect([await listed(), await unfinished()]).toEqual([["clean.txt", "parts.txt"], []]);
});

it("stores nothing if the scan fails or takes too long, and gives the room back", async () => {
  expect(await put("fails.txt", "breaks")).toEqual(notScanned);
  expect(await put("late.txt", "hangs")).toEqual(notScanned);
  expect([await listed(), await unfinished()]).toEqual([["clean.txt", "parts.txt"], []]);
  const rows = await app.gateway.database.db.selectFrom("fileset_uploads").select("bytes").execute();
  expect(rows.map(({ bytes }) => Number(bytes)).toSorted((a, b) => a - b)).toEqual([8, 100]);
});

it("passes the path of the file to a command that names it, without a shell and without the portal's secrets", async () => {
  const seen = join(folder, "seen");
  const command = await script(
    "path",
    `echo "$1|$(cat "$2")|$(env | grep -c FAIRWAY_SCAN_SECRET)" >> '${seen}'; ! grep -q EICAR "$2"`,
    "$(id)",
    "{file}",
  );
  process.env["FAIRWAY_SCAN_SECRET"] = "secret";
  const byPath = await openApp(command);
  expect([await put("a.txt", "harmless", byPath), await put("b.txt", eicar, byPath)]).toEqual([[201, undefined], infected]);
  delete process.env["FAIRWAY_SCAN_SECRET"];
  expect(await readFile(seen, "utf8")).toBe(`$(id)|harmless|0\n$(id)|${eicar}|0\n`);
  const missing = await openApp([join(folder, "not-there")]);
  expect(await put("c.txt", "harmless", missing)).toEqual(notScanned);
});

it.runIf(s3Program !== undefined)("sends no infected file to S3, also where browsers would upload directly", async () => {
  const server = await S3Server.start(s3Program ?? "");
  onClose(() => server.stop());
  const bucket = await server.createBucket();
  const onS3 = await openApp([join(folder, "stdin")], { bucket, stores: s3Stores(server.address, server.settings()) });
  expect([await put("a.txt", "harmless", onS3), await put("b.txt", eicar, onS3)]).toEqual([[201, undefined], infected]);
  expect(await putInParts("c.txt", `${"x".repeat(30)}${eicar}`, onS3)).toEqual([infected, infected]);
  expect(await putInParts("d.txt", "x".repeat(100), onS3)).toEqual([
    [201, undefined],
    [201, undefined],
  ]);
  expect(await listed(onS3)).toEqual(["a.txt", "d.txt"]);
});
