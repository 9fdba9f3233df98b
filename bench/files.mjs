// @ts-check
// Compares listing, downloads and uploads of filesets with the bare operation, on disk and on S3, and watches the gateway's memory.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { S3Server, s3Program } from "@fairway/gateway/testing/s3-server";
import { compareListings, readFolder } from "./file-listings.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { FileTransfers } from "./lib/file-transfers.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { s3 } from "./lib/gateway-modules.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { memoryOf, watchMemory } from "./memory.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison} Comparison */
/** @typedef {{ what: string, baseline: string, files: number, toFirstPage: Comparison, toEnd: Comparison, calls: number }} ListingResult */
/** Times of one file. */
/** @typedef {Comparison & { what: string, baseline: string, bytes: number, minSpeed: number | undefined }} TransferResult */
/** @typedef {{ what: string, bytes: number, seconds: number, growthMb: number | undefined }} FileMemory */
/** @typedef {{ listings: ListingResult[], transfers: TransferResult[], memory: FileMemory[], notRun: string[] }} FilesResult */

const mebibyte = 1_048_576;
const transferBytes = 256 * mebibyte;
const largeUploadBytes = 5_000_000_000;
const diskFiles = 100_000;
const s3Files = 20_000;
const zippedFiles = 10_000;
const pageEntries = 1_000;

/**
 * @param {{ rounds: number, turns: number, stores?: readonly ("disk" | "S3")[] }} options
 * @returns {Promise<FilesResult>}
 */
export async function measureFiles({ rounds, turns, stores = ["disk", "S3"] }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bench-files-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  /** @type {(() => Promise<unknown>)[]} */
  const closers = [removeFolder];
  try {
    const server = s3Program === undefined ? undefined : await S3Server.start(s3Program);
    if (server) closers.push(() => server.stop());
    const files = join(folder, "files/bench");
    await mkdir(files, { recursive: true, mode: 0o700 });
    const { accessKeyId = "", secretAccessKey = "" } = server?.settings().credentials ?? {};
    const gateway = await startProgram([fileURLToPath(new URL("files-portal.mjs", import.meta.url))], {
      FAIRWAY_HOME: folder,
      UV_THREADPOOL_SIZE: "16",
      FAIRWAY_S3_ACCESS_KEY_ID: accessKeyId,
      FAIRWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
    closers.push(() => gateway.stop());
    const bare = await startProgram([fileURLToPath(new URL("bare-files.mjs", import.meta.url)), files]);
    closers.push(() => bare.stop());
    const caller = await Caller.signIn(gateway.origin, "viewer");
    const transfers = new FileTransfers(transferBytes);
    closers.push(async () => (caller.close(), transfers.close()));
    const ways = { caller, transfers, origin: gateway.origin, rounds, turns };

    /** @type {FilesResult} */
    const result = { listings: [], transfers: [], memory: [], notRun: [] };
    if (stores.includes("disk")) {
      const { listing, transfers: onDisk, memory } = await measureDisk(ways, { pid: gateway.pid, bareOrigin: bare.origin, files });
      result.listings.push(listing);
      result.transfers.push(...onDisk);
      result.memory.push(...memory);
    }
    if (server === undefined) result.notRun.push("files on S3 (versitygw is not installed, see docs/decisions/0310)");
    else if (stores.includes("S3")) {
      const { listing, transfers: onS3 } = await measureS3(ways, server);
      result.listings.push(listing);
      result.transfers.push(...onS3);
    }
    return result;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** @typedef {{ caller: Caller, transfers: FileTransfers, origin: string, rounds: number, turns: number }} Ways */

/**
 * @param {Ways} ways
 * @param {{ pid: number, bareOrigin: string, files: string }} place `files` is the folder of the fileset
 */
async function measureDisk(ways, { pid, bareOrigin, files }) {
  const many = join(files, "many");
  await fillFolder(many, diskFiles);
  await fillFolder(join(files, "zipped"), zippedFiles);
  await writeLarge(join(files, "large.bin"), transferBytes);
  console.log("  files on disk");
  /** @type {ListingResult} */
  const listing = {
    what: "on disk",
    baseline: "readdir and stat",
    files: diskFiles,
    calls: diskFiles / pageEntries,
    ...(await compareListings(ways, "many/", { first: () => readFolder(many, pageEntries), all: () => readFolder(many, Infinity) })),
  };
  console.log("  listing on disk");
  return { listing, transfers: await compareTransfers(ways, bareOrigin, files), memory: await watchLargeFiles(ways, pid, files) };
}

/** @param {Ways} ways @param {string} bareOrigin @param {string} files folder @returns {Promise<TransferResult[]>} */
async function compareTransfers({ caller, transfers, origin, rounds, turns }, bareOrigin, files) {
  const authorized = { authorization: `Bearer ${caller.token}` };
  const address = `${origin}/api/filesets/bench/download?file=large.bin`;
  const down = () => transfers.download(address, authorized);
  const rounded = { rounds, turns };
  const range = (/** @type {number} */ turn) => {
    const start = (turn * 7_919 * 4_096) % (transferBytes - 4_096);
    return { range: `bytes=${start}-${start + 4_095}` };
  };
  const bareDownload = await compareInTurns(rounded, down, () => transfers.download(`${bareOrigin}/large.bin`));
  console.log("  downloads");
  const rawRead = await compareInTurns(rounded, down, () => readLarge(join(files, "large.bin")));
  const up = () => uploadThroughGateway(caller, transfers, origin);
  const bareUpload = await compareInTurns(rounded, up, () => transfers.upload(`${bareOrigin}/uploaded-bare.bin`));
  console.log("  uploads");
  const rawWrite = await compareInTurns(rounded, up, () => writeLarge(join(files, "raw.bin"), transferBytes));
  const ranges = await compareInTurns(
    { rounds, turns: turns * 50 },
    (turn) => transfers.download(address, { ...authorized, ...range(turn) }),
    (turn) => transfers.download(`${bareOrigin}/large.bin`, range(turn)),
  );
  console.log("  ranges");
  return [
    { what: "download from disk", baseline: "a bare Node.js server", bytes: transferBytes, minSpeed: 0.8, ...bareDownload },
    { what: "download from disk", baseline: "reading the file", bytes: transferBytes, minSpeed: undefined, ...rawRead },
    { what: "upload to disk", baseline: "a bare Node.js server", bytes: transferBytes, minSpeed: 0.8, ...bareUpload },
    { what: "upload to disk", baseline: "writing the file", bytes: transferBytes, minSpeed: undefined, ...rawWrite },
    { what: "range of 4 kB", baseline: "a bare Node.js server", bytes: 4_096, minSpeed: undefined, ...ranges },
  ];
}

/** @param {Ways} ways @param {S3Server} server */
async function measureS3(ways, server) {
  const { caller, transfers, origin, rounds, turns } = ways;
  const created = await caller.call("POST", "/admin/config", { name: "bench", s3URL: server.address.url, s3Region: server.address.region });
  if (created.status !== 201) throw new Error(`the configuration was refused: ${created.text}`);
  const Bucket = "bench";
  await server.client.send(new s3.CreateBucketCommand({ Bucket }));
  /** @type {(run: (index: number) => Promise<unknown>, count: number) => Promise<void>} */
  const inParallel = async (run, count) => {
    const waiting = Array.from({ length: count }, (_, index) => index).values();
    const next = async () => {
      for (const index of waiting) await run(index);
    };
    await Promise.all(Array.from({ length: 32 }, next));
  };
  await inParallel((index) => server.client.send(new s3.PutObjectCommand({ Bucket, Key: `many/${nameOf(index)}`, Body: "x" })), s3Files);
  console.log("  files on S3");
  /** @param {number} maxPages */
  const listBare = async (maxPages) => {
    let files = 0;
    /** @type {string | undefined} */
    let token;
    for (let page = 0; page < maxPages; page += 1) {
      const input = { Bucket, Prefix: "many/", Delimiter: "/", MaxKeys: pageEntries, ContinuationToken: token };
      const answer = await server.client.send(new s3.ListObjectsV2Command(input));
      files += answer.Contents?.length ?? 0;
      if (answer.IsTruncated !== true) break;
      token = answer.NextContinuationToken;
    }
    return files;
  };
  /** @type {ListingResult} */
  const listing = {
    what: "on S3 (versitygw)",
    baseline: "ListObjectsV2",
    files: s3Files,
    calls: s3Files / pageEntries,
    ...(await compareListings(ways, "many/", { first: () => listBare(1), all: () => listBare(Infinity) })),
  };
  console.log("  listing on S3");
  /** @param {InstanceType<typeof s3.GetObjectCommand> | InstanceType<typeof s3.PutObjectCommand>} command */
  const signed = (command) => s3.getSignedUrl(server.client, command, { expiresIn: 600 });
  const authorized = { authorization: `Bearer ${caller.token}` };
  const up = await compareInTurns(
    { rounds, turns },
    () => uploadThroughGateway(caller, transfers, origin),
    async () => transfers.upload(await signed(new s3.PutObjectCommand({ Bucket, Key: "bare.bin" }))),
  );
  const down = await compareInTurns(
    { rounds, turns },
    () => transfers.download(`${origin}/api/filesets/bench/download?file=uploaded.bin`, authorized),
    async () => transfers.download(await signed(new s3.GetObjectCommand({ Bucket, Key: "bare.bin" }))),
  );
  const baseline = "versitygw alone";
  /** @type {TransferResult[]} */
  const results = [
    { what: "download from S3", baseline, bytes: transferBytes, minSpeed: 0.5, ...down },
    { what: "upload to S3", baseline, bytes: transferBytes, minSpeed: 0.5, ...up },
  ];
  return { listing, transfers: results };
}

/** @param {Ways} ways @param {number} pid @param {string} folder @returns {Promise<FileMemory[]>} */
async function watchLargeFiles({ caller, transfers, origin }, pid, folder) {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Math.min(largeUploadBytes, Math.floor((bavail * bsize) / 4));
  /** @type {FileMemory[]} */
  const results = [];
  /** @param {string} what @param {number} size @param {() => Promise<unknown>} run */
  const watch = async (what, size, run) => {
    const started = performance.now();
    const before = await memoryOf(pid);
    const stopWatching = watchMemory(pid);
    await run();
    const peakMb = await stopWatching();
    const growthMb = before === undefined || peakMb === undefined ? undefined : Math.max(0, peakMb - before.gateway);
    results.push({ what, bytes: size, seconds: (performance.now() - started) / 1_000, growthMb });
    console.log(`  ${what}`);
  };
  await watch("an upload", bytes, () => uploadThroughGateway(caller, transfers, origin, bytes));
  expectStatus(await caller.call("DELETE", "/filesets/bench/file?file=uploaded.bin"), 204);
  await watch(`a zip of ${zippedFiles.toLocaleString("en-US")} files`, zippedFiles * smallFile.byteLength, async () => {
    const requested = await caller.call("POST", "/filesets/bench/zip", { paths: ["zipped/"] });
    const { zipUrl } = JSON.parse(expectStatus(requested, 201).text);
    await transfers.download(`${origin}/api${zipUrl}`, { authorization: `Bearer ${caller.token}` });
  });
  return results;
}

/** @param {import("./lib/caller.mjs").ApiResponse} response @param {number} status */
function expectStatus(response, status) {
  if (response.status !== status) throw new Error(`answered ${response.status}: ${response.text.slice(0, 500)}`);
  return response;
}

/** @param {Caller} caller @param {FileTransfers} transfers @param {string} origin @param {number} [bytes] */
async function uploadThroughGateway(caller, transfers, origin, bytes) {
  const { uploadUrl } = JSON.parse(expectOk(await caller.call("GET", "/filesets/bench/upload?file=uploaded.bin")).text);
  await transfers.upload(origin + uploadUrl, bytes);
}

/** @param {number} index */
const nameOf = (index) => `file-${String(index).padStart(6, "0")}.txt`;
const smallFile = Buffer.from("time,wind\n".repeat(100));

/** @param {string} folder @param {number} count */
async function fillFolder(folder, count) {
  await mkdir(folder, { recursive: true });
  const waiting = Array.from({ length: count }, (_, index) => nameOf(index)).values();
  const next = async () => {
    for (const name of waiting) await writeFile(join(folder, name), smallFile);
  };
  await Promise.all(Array.from({ length: 32 }, next));
}

/** @param {string} path @param {number} bytes */
async function writeLarge(path, bytes) {
  const chunk = randomBytes(mebibyte);
  const handle = await open(path, "w");
  for (let written = 0; written < bytes; written += chunk.byteLength) await handle.write(chunk);
  await handle.sync();
  await handle.close();
}

/** @param {string} path */
async function readLarge(path) {
  const buffer = Buffer.alloc(mebibyte);
  const handle = await open(path);
  while ((await handle.read(buffer)).bytesRead > 0);
  await handle.close();
}
