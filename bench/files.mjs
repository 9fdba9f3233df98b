// @ts-check
// Listing, downloads and uploads of a fileset on disk and on S3, compared with the bare operation, and the gateway's memory meanwhile.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { S3Server } from "@fairway/gateway/testing/s3-server";
import { Caller, expectOk } from "./lib/caller.mjs";
import { FileTransfers } from "./lib/file-transfers.mjs";
import { s3 } from "./lib/gateway-modules.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { watchGrowth } from "./lib/memory.mjs";
import { compared, mb, ms, range, ratio, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";

const mebibyte = 1_048_576;
const pageEntries = 1_000;
const zippedFiles = 10_000;
const Bucket = "bench";

/** @typedef {import("./run.mjs").Context["many"]} Many */
/** @typedef {{ caller: Caller, transfers: FileTransfers, bytes: number, origin: string, bareOrigin: string, pid: number, files: string, server: S3Server | undefined }} Ways `files`: the fileset's folder, `bytes`: of one file */
/** @typedef {{ folder: string, files: number, baseline: string, first: () => Promise<number>, all: () => Promise<number> }} Listing each resolves with how many files it listed */
/** @typedef {{ what: string, baseline: string, minSpeed?: number, bytes: number, turns: number, ours: (turn: number) => Promise<unknown>, theirs: (turn: number) => Promise<unknown> }} Transfer */

/** Both kinds of storage. @type {readonly { name: string, title: string, needs: readonly "s3"[], files: number, open: (ways: Ways, files: number) => Promise<{ listing: Listing, transfers: Transfer[] }> }[]} */
const stores = [
  { name: "diskFiles", title: "Files on disk", needs: [], files: 100_000, open: openDisk },
  { name: "s3Files", title: "Files on S3", needs: ["s3"], files: 20_000, open: openS3 },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  ...stores.map(({ name, title, needs, files, open: openStore }) => ({
    name,
    title,
    needs,
    run: (/** @type {import("./run.mjs").Context} */ { many, s3: program }) =>
      withFileset(many, needs.length === 0 ? undefined : program, async (ways) => {
        const { listing, transfers } = await openStore(ways, many(files, 2_000));
        return {
          text: `A folder of ${listing.files.toLocaleString("en-US")} files, listed to the first page and to the end, and downloads and uploads of one file of ${(ways.bytes / 1e6).toFixed(0)} MB. For transfers, a higher ratio of speeds is better. The bare server stores uploads as durably as the portal.`,
          head: ["", "compared with", "gateway", "bare", "ratio", "ratio by round", "target"],
          rows: [...(await compareListings(ways, many, listing)), ...(await compareTransfers(many, transfers))],
        };
      }),
  })),
  {
    name: "fileMemory",
    title: "Memory for files",
    needs: [],
    run: ({ many }) =>
      withFileset(many, undefined, async ({ caller, transfers, origin, pid, files }) => {
        await fillFolder(join(files, "zipped"), zippedFiles);
        const { bavail, bsize } = await statfs(files);
        const bytes = Math.min(many(5_000_000_000, 200_000_000), Math.floor((bavail * bsize) / 4));
        const zip = async () => {
          const { zipUrl } = JSON.parse(expectOk(await caller.call("POST", "/filesets/bench/zip", { paths: ["zipped/"] }), 201).text);
          await transfers.download(`${origin}/api${zipUrl}`, { authorization: `Bearer ${caller.token}` });
        };
        const rows = [];
        for (const { what, size, run } of [
          { what: "an upload", size: bytes, run: () => uploadThroughGateway({ caller, transfers, origin }, bytes) },
          { what: `a zip of ${zippedFiles.toLocaleString("en-US")} files`, size: zippedFiles * smallFile.byteLength, run: zip },
        ]) {
          const started = performance.now();
          const growthMb = await watchGrowth(pid, run);
          const seconds = ((performance.now() - started) / 1_000).toFixed(1);
          rows.push([what, mb(size / 1e6), seconds, mb(growthMb), growthMb === undefined ? "–" : verdict(growthMb < 100)]);
        }
        return {
          text: "Additional memory of the gateway meanwhile. Target: less than 100 MB.",
          head: ["", "size", "seconds", "memory", "target"],
          rows,
        };
      }),
  },
];

/**
 * Starts a portal with one fileset, on disk until a configuration names an S3 server, and a bare server of the same files.
 * @template Result
 * @param {Many} many
 * @param {string | undefined} s3Program
 * @param {(ways: Ways) => Promise<Result>} work
 */
async function withFileset(many, s3Program, work) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bench-files-"));
  const files = join(folder, "files/bench");
  /** @type {(() => Promise<unknown>)[]} */
  const closers = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  try {
    await mkdir(files, { recursive: true, mode: 0o700 });
    const server = s3Program === undefined ? undefined : await S3Server.start(s3Program);
    if (server) closers.push(() => server.stop());
    const { accessKeyId = "", secretAccessKey = "" } = server?.settings().credentials ?? {};
    const program = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
    const gateway = await startProgram([program("files-portal.mjs")], {
      FAIRWAY_HOME: folder,
      UV_THREADPOOL_SIZE: "16",
      FAIRWAY_S3_ACCESS_KEY_ID: accessKeyId,
      FAIRWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
    closers.push(() => gateway.stop());
    const bare = await startProgram([program("bare-files.mjs"), files]);
    closers.push(() => bare.stop());
    const bytes = many(256, 16) * mebibyte;
    const [caller, transfers] = [await Caller.signIn(gateway.origin, "viewer"), new FileTransfers(bytes)];
    closers.push(async () => (caller.close(), transfers.close()));
    return await work({ caller, transfers, bytes, origin: gateway.origin, bareOrigin: bare.origin, pid: gateway.pid, files, server });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** @param {Ways} ways @param {number} count */
async function openDisk({ caller, transfers, bytes, origin, bareOrigin, files }, count) {
  const many = join(files, "many");
  await fillFolder(many, count);
  await writeLarge(join(files, "large.bin"), bytes);
  const authorized = { authorization: `Bearer ${caller.token}` };
  const address = `${origin}/api/filesets/bench/download?file=large.bin`;
  const down = () => transfers.download(address, authorized);
  const up = () => uploadThroughGateway({ caller, transfers, origin });
  const part = (/** @type {number} */ turn) => {
    const start = (turn * 7_919 * 4_096) % (bytes - 4_096);
    return { range: `bytes=${start}-${start + 4_095}` };
  };
  const bare = "a bare Node.js server";
  return {
    listing: {
      folder: "many/",
      files: count,
      baseline: "readdir and stat",
      first: () => readFolder(many, pageEntries),
      all: () => readFolder(many, Infinity),
    },
    transfers: [
      {
        what: "download",
        baseline: bare,
        minSpeed: 0.8,
        bytes,
        turns: 2,
        ours: down,
        theirs: () => transfers.download(`${bareOrigin}/large.bin`),
      },
      { what: "download", baseline: "reading the file", bytes, turns: 2, ours: down, theirs: () => readLarge(join(files, "large.bin")) },
      {
        what: "upload",
        baseline: bare,
        minSpeed: 0.8,
        bytes,
        turns: 2,
        ours: up,
        theirs: () => transfers.upload(`${bareOrigin}/bare.bin`),
      },
      { what: "upload", baseline: "writing the file", bytes, turns: 2, ours: up, theirs: () => writeLarge(join(files, "raw.bin"), bytes) },
      {
        what: "range of 4 kB",
        baseline: bare,
        bytes: 4_096,
        turns: 100,
        ours: (/** @type {number} */ turn) => transfers.download(address, { ...authorized, ...part(turn) }),
        theirs: (/** @type {number} */ turn) => transfers.download(`${bareOrigin}/large.bin`, part(turn)),
      },
    ],
  };
}

/** @param {Ways} ways @param {number} count */
async function openS3({ caller, transfers, bytes, origin, server }, count) {
  if (server === undefined) throw new Error("there is no S3 server");
  const { client, address } = server;
  expectOk(await caller.call("POST", "/admin/config", { name: "bench", s3URL: address.url, s3Region: address.region }), 201);
  await client.send(new s3.CreateBucketCommand({ Bucket }));
  await inParallel(count, (index) => client.send(new s3.PutObjectCommand({ Bucket, Key: `many/${nameOf(index)}`, Body: "x" })));
  /** @param {number} maxPages */
  const listBare = async (maxPages) => {
    let files = 0;
    /** @type {string | undefined} */
    let token;
    for (let page = 0; page < maxPages; page += 1) {
      const input = { Bucket, Prefix: "many/", Delimiter: "/", MaxKeys: pageEntries, ContinuationToken: token };
      const answer = await client.send(new s3.ListObjectsV2Command(input));
      files += answer.Contents?.length ?? 0;
      if (answer.IsTruncated !== true) break;
      token = answer.NextContinuationToken;
    }
    return files;
  };
  /** @param {InstanceType<typeof s3.GetObjectCommand> | InstanceType<typeof s3.PutObjectCommand>} command */
  const signed = (command) => s3.getSignedUrl(client, command, { expiresIn: 600 });
  const common = { baseline: "versitygw alone", minSpeed: 0.5, bytes, turns: 2 };
  return {
    listing: { folder: "many/", files: count, baseline: "ListObjectsV2", first: () => listBare(1), all: () => listBare(Infinity) },
    transfers: [
      {
        ...common,
        what: "upload",
        ours: () => uploadThroughGateway({ caller, transfers, origin }),
        theirs: async () => transfers.upload(await signed(new s3.PutObjectCommand({ Bucket, Key: "bare.bin" }))),
      },
      {
        ...common,
        what: "download",
        ours: () =>
          transfers.download(`${origin}/api/filesets/bench/download?file=uploaded.bin`, { authorization: `Bearer ${caller.token}` }),
        theirs: async () => transfers.download(await signed(new s3.GetObjectCommand({ Bucket, Key: "bare.bin" }))),
      },
    ],
  };
}

/** @param {Ways} ways @param {Many} many @param {Listing} listing */
async function compareListings({ caller }, many, { folder, baseline, first, all }) {
  const listPage = async (/** @type {string | undefined} */ token) => {
    const query = new URLSearchParams({ listPrefix: folder, ...(token === undefined ? {} : { continuationToken: token }) });
    /** @type {import("@fairway/contract/filesets").FilesetListing} */
    const page = JSON.parse(expectOk(await caller.call("GET", `/filesets/bench/list?${query}`)).text);
    return page;
  };
  const listAll = async () => {
    let page = await listPage(undefined);
    let files = page.files.length;
    while (page.nextContinuationToken !== null) {
      page = await listPage(page.nextContinuationToken);
      files += page.files.length;
    }
    return files;
  };
  const [listed, expected] = [await listAll(), await all()];
  if (listed !== expected) throw new Error(`the gateway listed ${listed} files of ${expected}`);
  const toFirstPage = await compareInTurns({ rounds: many(3), turns: many(6) }, () => listPage(undefined), first);
  const toEnd = await compareInTurns({ rounds: many(3), turns: 1 }, listAll, all);
  return [
    ["listing, ms to the first page", baseline, ...compared(toFirstPage), "–"],
    ["listing, ms to the end", baseline, ...compared(toEnd), "–"],
  ];
}

/** @param {Many} many @param {readonly Transfer[]} transfers */
async function compareTransfers(many, transfers) {
  const rows = [];
  for (const { what, baseline, minSpeed, bytes, turns, ours, theirs } of transfers) {
    const times = await compareInTurns({ rounds: many(3), turns: many(turns) }, ours, theirs);
    const speed = (/** @type {number} */ milliseconds) =>
      bytes < mebibyte ? `${ms(milliseconds)} ms` : `${(bytes / 1_000 / milliseconds).toFixed(0)} MB/s`;
    const reached = minSpeed === undefined ? "–" : `${verdict(1 / times.ratio >= minSpeed)} (${minSpeed})`;
    const spread = range([1 / times.spread[1], 1 / times.spread[0]]);
    rows.push([what, baseline, speed(times.ours), speed(times.theirs), ratio(1 / times.ratio), spread, reached]);
    console.log(`  ${what}, ${baseline}`);
  }
  return rows;
}

/** @param {Pick<Ways, "caller" | "transfers" | "origin">} ways @param {number} [bytes] */
async function uploadThroughGateway({ caller, transfers, origin }, bytes) {
  const { uploadUrl } = JSON.parse(expectOk(await caller.call("GET", "/filesets/bench/upload?file=uploaded.bin")).text);
  await transfers.upload(origin + uploadUrl, bytes);
}

/** @param {number} index */
const nameOf = (index) => `file-${String(index).padStart(6, "0")}.txt`;
const smallFile = Buffer.from("time,wind\n".repeat(100));

/** @param {string} folder @param {number} count */
async function fillFolder(folder, count) {
  await mkdir(folder, { recursive: true });
  await inParallel(count, (index) => writeFile(join(folder, nameOf(index)), smallFile));
}

/** The bare listing: names in order, with size and time of the first ones. @param {string} folder @param {number} maxFiles */
async function readFolder(folder, maxFiles) {
  const names = (await readdir(folder)).toSorted().slice(0, maxFiles);
  let files = 0;
  await inParallel(names.length, async (index) => {
    const { size, mtime } = await stat(join(folder, names[index] ?? ""));
    if (size >= 0 && mtime.getTime() > 0) files += 1;
  });
  return files;
}

/** @param {number} count @param {(index: number) => Promise<unknown>} run */
async function inParallel(count, run) {
  let next = 0;
  const runNext = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: 64 }, runNext));
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
