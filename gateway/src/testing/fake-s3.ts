import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { S3Address, S3Settings } from "#storage/s3-settings.ts";

/** A fault that replaces the answer to the next request; false = it is answered. */
export type Fault = (
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
  response: ServerResponse,
) => boolean;

interface StoredObject {
  readonly content: Buffer;
  readonly etag: string;
  readonly modified: Date;
}

/** Answers listings and downloads as S3 does, and fails as a test wishes: no real server can be made to. */
export class FakeS3 {
  readonly address: S3Address;
  readonly settings: S3Settings;
  /** `LIST prefix` and `GET key`, in order. */
  readonly requests: string[] = [];
  /** Keys per page of a listing. */
  pageKeys = 1_000;
  /** Asked before each request. */
  fault: Fault = () => false;
  /** Awaited before each download is answered. */
  gate: Promise<void> = Promise.resolve();
  /** Called while a download is being sent, after its first half. */
  onHalf: (key: string, response: ServerResponse) => void | Promise<void> = () => {};
  readonly #buckets = new Map<string, Map<string, StoredObject>>();
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: "us-east-1" };
    this.settings = {
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
      pathStyle: undefined,
      directUploads: false,
      limits: { storeConnectMs: 2_000, storeReadMs: 5_000 },
      addresses: new AddressPolicy(["127.0.0.1"]),
    };
  }

  static async start(): Promise<FakeS3> {
    const server = createServer((request, response) => {
      fake.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const fake: FakeS3 = new FakeS3(server);
    return fake;
  }

  put(bucket: string, key: string, content: string | Buffer, etag?: string, modified = new Date()): void {
    const objects = this.#buckets.get(bucket) ?? new Map<string, StoredObject>();
    const bytes = Buffer.from(content);
    objects.set(key, { content: bytes, etag: etag ?? `"${createHash("md5").update(bytes).digest("hex")}"`, modified });
    this.#buckets.set(bucket, objects);
  }

  remove(bucket: string, key: string): void {
    this.#buckets.get(bucket)?.delete(key);
  }

  /** How often each key was downloaded. */
  get downloads(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const request of this.requests) {
      if (request.startsWith("GET ")) counts[request.slice(4)] = (counts[request.slice(4)] ?? 0) + 1;
    }
    return counts;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.address.url);
    const [bucket = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const key = rest.join("/");
    if (this.fault({ method: request.method ?? "", path: `${bucket}/${key}`, query: url.searchParams }, response)) return;
    const objects = this.#buckets.get(bucket);
    if (objects === undefined) return fail(response, 404, "NoSuchBucket");
    if (key === "") return this.#list(objects, url.searchParams, response);
    return this.#send(objects, key, request, response);
  }

  #list(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get("prefix") ?? "";
    this.requests.push(`LIST ${prefix}`);
    const isOneLevel = query.get("delimiter") === "/";
    const after = query.get("continuation-token") ?? "";
    const byBytes = ([a]: [string, unknown], [b]: [string, unknown]) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const matching = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).toSorted(byBytes);
    const folders = new Set<string>();
    const listed = matching.filter(([key]) => {
      const slash = key.indexOf("/", prefix.length);
      if (!isOneLevel || slash < 0) return true;
      folders.add(key.slice(0, slash + 1));
      return false;
    });
    const page = listed.slice(0, this.pageKeys);
    const isCut = listed.length > page.length;
    const entries = page.map(
      ([key, { content, etag, modified }]) =>
        `<Contents><Key>${escape(key)}</Key><Size>${content.length}</Size>${etag === "" ? "" : `<ETag>${escape(etag)}</ETag>`}<LastModified>${modified.toISOString()}</LastModified></Contents>`,
    );
    const prefixes =
      after === "" ? [...folders].map((folder) => `<CommonPrefixes><Prefix>${escape(folder)}</Prefix></CommonPrefixes>`) : [];
    response.setHeader("content-type", "application/xml");
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${isCut ? `<NextContinuationToken>${escape(page.at(-1)?.[0] ?? "")}</NextContinuationToken>` : ""}${entries.join("")}${prefixes.join("")}</ListBucketResult>`,
    );
  }

  async #send(objects: ReadonlyMap<string, StoredObject>, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`GET ${key}`);
    await this.gate;
    const object = objects.get(key);
    if (object === undefined) return fail(response, 404, "NoSuchKey");
    const { content, etag, modified } = object;
    const condition = request.headers["if-match"];
    if (condition !== undefined && condition !== etag) return fail(response, 412, "PreconditionFailed");
    const unmodifiedSince = Date.parse(request.headers["if-unmodified-since"] ?? "");
    if (Math.floor(modified.getTime() / 1_000) * 1_000 > unmodifiedSince) return fail(response, 412, "PreconditionFailed");
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { "content-length": content.length - from, ...(etag === "" ? {} : { etag }) });
    const half = from + Math.floor((content.length - from) / 2);
    response.write(content.subarray(from, half));
    await this.onHalf(key, response);
    if (!response.destroyed) response.end(content.subarray(half));
  }
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`);
}
