import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  GetObjectCommand,
  GetObjectTaggingCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  DeleteObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { bucketName } from "@fairway/contract/bucket-globs";
import { reservedFolder } from "@fairway/contract/filesets";
import { type FileKey, UnsafeKey, fileKey, filePrefix, isFileKey } from "./key.ts";
import { readInTime } from "./read-in-time.ts";
import { type S3Clients, openS3Clients } from "./s3-client.ts";
import { type BucketUse, isStoreError, statusOf, storeFailed } from "./s3-failures.ts";
import { type TaggedInfo, s3Parts, tagOf } from "./s3-parts.ts";
import type { S3Address, S3Settings } from "./s3-settings.ts";
import {
  type ByteRange,
  type FileInfo,
  FileMissing,
  type FilePage,
  type FileStore,
  type FileStores,
  FileTooLarge,
  InvalidContinuationToken,
  StoreFailed,
} from "./storage.ts";

const pageEntries = 1_000;
/** Two parts of an upload are in memory at once. */
const partBytes = 8_388_608;
const partsAtOnce = 2;
const maxParts = 10_000;

export interface S3Stores extends FileStores {
  close(): void;
}

/** One store per bucket of a service. The buckets have to exist. Decision 0310. */
export function s3Stores(address: S3Address, settings: S3Settings, use: BucketUse = "fileset"): S3Stores {
  const clients = openS3Clients(address, settings);
  const opened = new Map<string, FileStore>();
  return {
    of(bucket) {
      if (fileKey(bucket).includes("/")) throw new UnsafeKey(bucket);
      const store = opened.get(bucket) ?? openBucket(bucket, clients, settings, use);
      opened.set(bucket, store);
      return Promise.resolve(store);
    },
    close: () => clients.close(),
  };
}

function openBucket(bucket: string, clients: S3Clients, { directUploads, limits }: S3Settings, use: BucketUse): FileStore {
  const { reader, writer } = clients;

  /** Turns failures of the service into StoreFailed. */
  const call = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (!bucketName.test(bucket)) throw storeFailed(Object.assign(new Error(bucket), { name: "InvalidBucketName" }), bucket, use);
    try {
      return await run();
    } catch (error) {
      throw isStoreError(error) ? storeFailed(error, bucket, use) : error;
    }
  };

  /** Rejects if the bucket is missing or refuses access: calls without a body do not say why they fail. */
  const requireBucket = (key: FileKey) => reader.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key, MaxKeys: 1 }));

  const headTagged = async (key: FileKey): Promise<TaggedInfo | undefined> => {
    try {
      const response = await reader.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      return { ...infoOf(key, response), tag: tagOf(response.ETag) };
    } catch (error) {
      const status = statusOf(error);
      if (status !== undefined && status >= 300 && status < 500) await requireBucket(key);
      if (status === 404) return undefined;
      throw error;
    }
  };

  const head = async (key: FileKey): Promise<FileInfo | undefined> => {
    const found = await headTagged(key);
    return found && { key, size: found.size, lastModified: found.lastModified };
  };

  const headStored = async (key: FileKey): Promise<FileInfo> => {
    const info = await head(key);
    if (info === undefined) throw new StoreFailed(`The file store lost the file '${key}' that it had accepted. Try again.`);
    return info;
  };

  const upload = async (key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo> => {
    const body = Readable.from(upTo(content, key, maxBytes), { objectMode: false });
    // Aborts its parts on every failure, also of the content.
    const finished = new Upload({
      client: writer,
      params: { Bucket: bucket, Key: key, Body: body },
      queueSize: partsAtOnce,
      partSize: Math.max(partBytes, Number.isFinite(maxBytes) ? Math.ceil(maxBytes / maxParts) : 0),
    });
    await finished.done();
    return headStored(key);
  };

  return {
    write: (key, content, maxBytes) => call(() => upload(key, content, maxBytes)),
    async moveIn(key, path) {
      const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      const info = await call(async () => {
        try {
          const { size } = await handle.stat();
          return await upload(
            key,
            handle.createReadStream({ autoClose: false, highWaterMark: 1_048_576 }) as AsyncIterable<Uint8Array>,
            size,
          );
        } finally {
          await handle.close();
        }
      });
      await rm(path);
      return info;
    },
    read: (key, range) =>
      call(async () => {
        const response = await get(reader, bucket, key, range);
        if (response === undefined) {
          const info = await head(key);
          if (info === undefined) throw new FileMissing(key);
          return { ...info, content: Readable.from([]) };
        }
        const content = readInTime(response.Body as Readable, limits.storeReadMs, (error) => storeFailed(error, bucket, use));
        return { ...infoOf(key, response), content };
      }),
    head: (key) => call(() => head(key)),
    remove: (key) => call(async () => void (await writer.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })))),
    list: (prefix, continuationToken) => call(() => list(reader, bucket, filePrefix(prefix), continuationToken)),
    hasFolder: (prefix) =>
      call(async () => {
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: filePrefix(prefix), MaxKeys: 1 });
        return ((await reader.send(command)).Contents ?? []).length > 0;
      }),
    tags: (key) =>
      call(async () => {
        const { TagSet = [] } = await reader.send(new GetObjectTaggingCommand({ Bucket: bucket, Key: key })).catch(throwMissing(key));
        return Object.fromEntries(TagSet.map(({ Key, Value }) => [Key ?? "", Value ?? ""]));
      }),
    setTags: (key, tags) =>
      call(async () => {
        const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
        await writer.send(new PutObjectTaggingCommand({ Bucket: bucket, Key: key, Tagging: { TagSet } })).catch(throwMissing(key));
      }),
    parts: s3Parts({ bucket, writer, call, head: headTagged, presigns: directUploads }),
  };
}

/** Undefined for a range beyond the end of the file. */
async function get(
  client: S3Client,
  bucket: string,
  key: FileKey,
  range: ByteRange | undefined,
): Promise<GetObjectCommandOutput | undefined> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  try {
    return await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
  } catch (error) {
    if (statusOf(error) === 416) return undefined;
    return throwMissing(key)(error);
  }
}

async function list(client: S3Client, bucket: string, prefix: string, continuationToken: string | undefined): Promise<FilePage> {
  const command = new ListObjectsV2Command({
    Bucket: bucket,
    Prefix: prefix,
    Delimiter: "/",
    MaxKeys: pageEntries,
    ContinuationToken: continuationToken,
  });
  const page = await client.send(command).catch((error: unknown) => {
    const isRefused = statusOf(error) === 400 && error instanceof Error && error.name === "InvalidArgument";
    throw isRefused && continuationToken !== undefined ? new InvalidContinuationToken() : error;
  });
  // Tools mark folders by keys that end in a slash.
  const isHidden = (key: string): boolean => key === prefix || key.slice(prefix.length).toLowerCase() === reservedFolder;
  const files = (page.Contents ?? []).filter(({ Key = "" }) => !isHidden(Key));
  const folders = (page.CommonPrefixes ?? []).map(({ Prefix = "" }) => Prefix).filter((one) => !isHidden(one.slice(0, -1)));
  // The portal cannot pass on every name that S3 takes.
  return {
    files: files.filter(({ Key = "" }) => isFileKey(Key)).map((object) => infoOf(object.Key ?? "", object)),
    commonPrefixes: folders.filter((one) => isFileKey(one.slice(0, -1))),
    leftOut: [
      ...files.map(({ Key = "" }) => Key).filter((key) => !isFileKey(key)),
      ...folders.filter((one) => !isFileKey(one.slice(0, -1))),
    ],
    nextContinuationToken: page.IsTruncated === true ? (page.NextContinuationToken ?? null) : null,
  };
}

interface ObjectFields {
  readonly Size?: number | undefined;
  readonly ContentLength?: number | undefined;
  readonly ContentRange?: string | undefined;
  readonly LastModified?: Date | undefined;
}

function infoOf(key: string, { Size, ContentLength, ContentRange, LastModified }: ObjectFields): FileInfo {
  const total = /\/(\d+)$/.exec(ContentRange ?? "")?.[1];
  return { key, size: Size ?? (total === undefined ? (ContentLength ?? 0) : Number(total)), lastModified: LastModified ?? new Date(0) };
}

/** For `catch`. A missing bucket is another failure. */
const throwMissing =
  (key: FileKey) =>
  (error: unknown): never => {
    const name = error instanceof Error ? error.name : "";
    throw name === "NoSuchKey" || name === "NotFound" ? new FileMissing(key, { cause: error }) : error;
  };

async function* upTo(content: AsyncIterable<Uint8Array>, key: FileKey, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new FileTooLarge(key, maxBytes);
    yield chunk;
  }
}
