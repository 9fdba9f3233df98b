// @ts-check
// An S3 server of its own: versitygw (decision 0310), which keeps a bucket as a folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AddressPolicy } from "@fairway/gateway/outbound/address-policy";
import { isFileKey } from "@fairway/gateway/storage/key";
import { localDiskStores, plainFolder } from "@fairway/gateway/storage/local-disk";
import { s3Stores } from "@fairway/gateway/storage/s3";
import { Failure } from "../lib/failure.mjs";
import { run } from "../lib/run.mjs";
import { answers, end, endWithThis, freePort, isRunning } from "../lib/processes.mjs";

const module = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
const credentials = { accessKeyId: "fairway-platform", secretAccessKey: "fairway-platform-secret" };
const region = "us-east-1";
const startMs = 30_000;
const copiesAtOnce = 8;
/** Values of tags on S3 have letters, digits, spaces and a few signs only. */
const unusableInTags = /[^\p{L}\p{Z}\p{N}_.:/=+\-@]/gu;

/** @typedef {Awaited<ReturnType<typeof startS3>>} S3Server */

/**
 * The path of the program, which Go builds in some minutes if it is not installed.
 * @param {(line: string) => void} log
 * @returns {Promise<string | undefined>} undefined without Go
 */
export async function installS3(log) {
  const { PATH = "", GOBIN = "", GOPATH = join(homedir(), "go") } = process.env;
  const folders = [...PATH.split(delimiter), GOBIN, ...GOPATH.split(delimiter).map((path) => join(path, "bin"))];
  const find = () => folders.map((folder) => join(folder, "versitygw")).find((path) => existsSync(path));
  const found = find();
  if (found !== undefined) return found;
  if (!PATH.split(delimiter).some((folder) => existsSync(join(folder, "go")))) return undefined;
  log("Building versitygw …");
  await run("Building versitygw", "go", ["install", module]);
  return find();
}

/**
 * @param {string} program
 * @param {string} folder
 */
export async function startS3(program, folder) {
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = () => {
    const child = spawn(program, ["--port", `127.0.0.1:${port}`, "--health", "/healthz", "--quiet", "posix", data], {
      env: { ...process.env, ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
      stdio: "ignore",
    });
    endWithThis(child, "SIGKILL");
    return child;
  };
  let server = start();
  const ready = async () => {
    for (const endMs = Date.now() + startMs; Date.now() < endMs;) {
      if (!isRunning(server)) server = start();
      if (await answers(`${url}/healthz`)) return;
      await Promise.race([sleep(50), once(server, "exit")]);
    }
    throw new Failure("The S3 server did not start.");
  };
  await ready();
  return {
    url,
    region,
    /** Settings with which a gateway signs in. */
    variables: { FAIRWAY_S3_ACCESS_KEY_ID: credentials.accessKeyId, FAIRWAY_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    /**
     * Copies the files of filesets from a folder: contents, tags and times.
     * @param {string} folderOfFilesets
     * @param {readonly { readonly s3Bucket: string, readonly s3Prefix: string }[]} filesets
     * @returns {Promise<number>} the number of files
     */
    async fill(folderOfFilesets, filesets) {
      const from = localDiskStores(folderOfFilesets, plainFolder);
      const limits = { storeConnectMs: 5_000, storeReadMs: 60_000 };
      const addresses = new AddressPolicy(["127.0.0.1"]);
      const to = s3Stores({ url, region }, { credentials, pathStyle: undefined, directUploads: false, limits, addresses });
      let count = 0;
      for (const { s3Bucket: bucket, s3Prefix } of filesets) {
        await mkdir(join(data, bucket), { recursive: true });
        const [source, target] = [await from.of(bucket), await to.of(bucket)];
        const files = filesBelow(source, `${s3Prefix}/`);
        const copyNext = async () => {
          for await (const { key, lastModified } of files) {
            if (!isFileKey(key)) continue;
            const { content, size } = await source.read(key);
            await target.write(key, content, size);
            const tags = Object.entries(await source.tags(key)).map(([name, value]) => [name, value.replaceAll(unusableInTags, " ")]);
            if (tags.length > 0) await target.setTags(key, Object.fromEntries(tags));
            await utimes(join(data, bucket, key), lastModified, lastModified);
            count += 1;
          }
        };
        await Promise.all(Array.from({ length: copiesAtOnce }, copyNext));
      }
      to.close();
      return count;
    },
    kill: () => end(server, "SIGKILL"),
    restart: async () => {
      server = start();
      await ready();
    },
    stop: () => end(server, "SIGTERM"),
  };
}

/**
 * @param {import("@fairway/gateway/storage/storage").FileStore} store
 * @param {string} prefix
 * @returns {AsyncGenerator<import("@fairway/gateway/storage/storage").FileInfo>}
 */
async function* filesBelow(store, prefix) {
  /** @type {string | undefined} */
  let token;
  do {
    const { files, commonPrefixes, nextContinuationToken } = await store.list(prefix, token);
    yield* files;
    for (const folder of commonPrefixes) yield* filesBelow(store, folder);
    token = nextContinuationToken ?? undefined;
  } while (token !== undefined);
}
