import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CreateBucketCommand, DeleteObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { s3Stores } from "#storage/s3.ts";
import type { S3Address, S3Settings } from "#storage/s3-settings.ts";
import type { FileStores } from "#storage/storage.ts";

const program = "versitygw";

/** The path of a versitygw that is already on this machine; undefined = none. Decision 0310 says how to install it. */
export const s3Program: string | undefined = candidates().find(isExecutable);

function candidates(): string[] {
  const { PATH = "", GOBIN = "", GOPATH = join(homedir(), "go") } = process.env;
  const folders = [...PATH.split(delimiter), GOBIN, ...GOPATH.split(delimiter).map((path) => join(path, "bin"))];
  return folders.filter((folder) => folder !== "").map((folder) => join(folder, program));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    execFileSync(path, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const credentials = { accessKeyId: "fairway-test", secretAccessKey: "fairway-test-secret" };

/** A real S3 server on a folder. */
export class S3Server {
  readonly address: S3Address;
  readonly client: S3Client;
  readonly #folder: string;
  readonly #process: ChildProcess;
  #bucketCount = 0;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.address = { url, region: "us-east-1" };
    this.client = new S3Client({ endpoint: url, region: "us-east-1", forcePathStyle: true, credentials });
    this.#folder = folder;
    this.#process = child;
  }

  static async start(path: string): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), "fairway-s3-"));
    const data = join(folder, "data");
    await mkdir(data);
    const port = await freePort();
    const child = spawn(path, ["--port", `127.0.0.1:${port}`, "--health", "/healthz", "--quiet", "posix", data], {
      env: { ...process.env, ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
      stdio: "ignore",
    });
    const url = `http://127.0.0.1:${port}`;
    await ready(`${url}/healthz`, child);
    return new S3Server(url, folder, child);
  }

  /** Settings with which the portal reaches this server. */
  settings(changes: Partial<S3Settings> = {}): S3Settings {
    return {
      credentials,
      pathStyle: undefined,
      directUploads: true,
      limits: { storeConnectMs: 5_000, storeReadMs: 20_000 },
      addresses: new AddressPolicy(["127.0.0.1"]),
      ...changes,
    };
  }

  /** Creates an empty bucket, and returns its name. Default: a new name. */
  async createBucket(given?: string): Promise<string> {
    this.#bucketCount += 1;
    const name = given ?? `bucket-${this.#bucketCount}`;
    await this.client.send(new CreateBucketCommand({ Bucket: name }));
    return name;
  }

  /** Stores on this server in which every bucket exists and is empty. */
  freshStores(): FileStores {
    const stores = s3Stores(this.address, this.settings());
    const buckets = new Map<string, Promise<string>>();
    return {
      of: (bucket) => {
        if (!/^[a-z]+$/.test(bucket)) return stores.of(bucket);
        const created = buckets.get(bucket) ?? this.createBucket();
        buckets.set(bucket, created);
        return created.then((name) => stores.of(name));
      },
    };
  }

  /** The objects of a bucket with their sizes in bytes. */
  async objects(bucket: string): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    let next: string | undefined;
    do {
      const page = await this.client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: next }));
      for (const { Key = "", Size = 0 } of page.Contents ?? []) found.set(Key, Size);
      next = page.NextContinuationToken;
    } while (next !== undefined);
    return found;
  }

  async remove(bucket: string, key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }

  /** Environment variables of a portal that uses this server, whose address an administrator has to configure. */
  get env(): Record<string, string> {
    return {
      FAIRWAY_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      FAIRWAY_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
    };
  }

  /** Puts files of one byte into a bucket, beside the server: uploading a thousand takes seconds. */
  async fill(bucket: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const file = join(this.#folder, "data", bucket, key);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, ".");
    }
  }

  async stop(): Promise<void> {
    this.client.destroy();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, "exit");
      this.#process.kill();
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Suspends the server: connections stay open, but nothing responds. */
  pause(): void {
    this.#process.kill("SIGSTOP");
  }

  resume(): void {
    this.#process.kill("SIGCONT");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return address === null || typeof address === "string" ? 0 : address.port;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`the S3 server ended with ${child.exitCode}`);
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await wait(50);
  }
  throw new Error("the S3 server did not start");
}
