import { createHash } from "node:crypto";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type BucketGlob, folderOfPattern, isSingleKey, parseBucketGlob, unescapePattern } from "@fairway/contract/bucket-globs";
import { type CopiedSource, type DatasetSource, EngineFailed, SourceNotReady } from "#query/engine.ts";
import { type BucketReader, ObjectChanged, type ObjectPage, type ObjectState, noService } from "#storage/bucket-reader.ts";
import { StoreFailed } from "#storage/storage.ts";
import { type FileCache, type RemoteFile, unlessAborted } from "./file-cache.ts";
import { Footers } from "./footers.ts";
import { keyMatcher } from "./key-pattern.ts";
import { type Partition, mayHoldRows, partitionSegments, partitionsOf } from "./partitions.ts";

export type FileSource = Extract<DatasetSource, { kind: "files" }>;

export interface BucketFilesOptions {
  readonly cache: FileCache;
  /** The service of the enabled configuration; undefined = it names none. */
  readonly service: () => Promise<BucketReader | undefined>;
  /** Buckets and folders of buckets that datasets may read, such as `lake` and `lake/open`. */
  readonly allowed: readonly string[];
  readonly limits: { readonly s3DatasetFiles: number; readonly s3FetchMs: number };
}

/** The files of a dataset as they are in the bucket now. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Of Parquet only: the engine takes no columns of text files from their paths. */
  readonly partitions: readonly Partition[];
  /** Changes when the files do. */
  readonly state: string;
}

export interface ListedFile extends RemoteFile {
  readonly key: string;
}

/** Selects the files that a query needs. */
export type Pick = (listing: Listing) => readonly ListedFile[];

/** How long a listing is used for further queries. */
const listingMs = 5_000;
const maxListings = 500;
/** Keys that are looked at for one dataset. */
const maxKeys = 200_000;
const attempts = 3;

/** The files of datasets in buckets, copied to this machine when a query needs them. Decision 0515. */
export class BucketFiles {
  readonly #options: BucketFilesOptions;
  readonly #listings = new Map<string, { readonly listing: Promise<Listing>; readonly readAtMs: number }>();
  readonly #footers: Footers;
  readonly #closing = new AbortController();

  constructor(options: BucketFilesOptions) {
    this.#options = options;
    this.#footers = new Footers(path.join(options.cache.scratchFolder, "footers"));
  }

  get cache(): FileCache {
    return this.#options.cache;
  }

  /**
   * Runs `work` on local copies of the files that `pick` chooses, which stay until it has settled. Rejects with EngineFailed. Without
   * `waits`, the files have to be there within the limit.
   */
  async use<T>(
    source: FileSource,
    pick: Pick,
    { signal, waits = false }: { readonly signal: AbortSignal; readonly waits?: boolean },
    work: (source: CopiedSource, listing: Listing) => Promise<T>,
  ): Promise<T> {
    const timeout = waits ? undefined : AbortSignal.timeout(this.#options.limits.s3FetchMs);
    const either = AbortSignal.any([signal, this.#closing.signal, ...(timeout ? [timeout] : [])]);
    const { copied, listing, release } = await this.#hold(source, pick, either).catch((error: unknown) => {
      throwIfCanceled(signal);
      if (timeout?.aborted) throw tooSlow(this.#options.limits.s3FetchMs);
      throw engineFailed(error);
    });
    try {
      return await work(copied, listing);
    } finally {
      release();
    }
  }

  /** Like `use`, with files that hold only what Parquet files say of themselves: names and types of columns, but no rows. */
  async useFooters<T>(
    source: FileSource,
    pick: Pick,
    signal: AbortSignal,
    work: (source: CopiedSource, listing: Listing) => Promise<T>,
  ): Promise<T> {
    const listing = await this.list(source, signal);
    const files = pick(listing);
    if (this.cache.has(files)) return this.use(source, pick, { signal }, work);
    const paths = await this.#footers.get(files, AbortSignal.any([signal, this.#closing.signal])).catch((error: unknown) => {
      throwIfCanceled(signal);
      if (error instanceof ObjectChanged) this.#listings.clear();
      throw engineFailed(error);
    });
    const copied = copiedSource(source, listing, files, paths);
    return work({ ...copied, key: `${copied.key} footers` }, listing);
  }

  /** The files of a source as they are now. Rejects with EngineFailed. */
  async list(source: FileSource, signal: AbortSignal): Promise<Listing> {
    try {
      return await this.#list(source, signal);
    } catch (error) {
      throwIfCanceled(signal);
      throw engineFailed(error);
    }
  }

  /** The buckets and folders of buckets that datasets may read, such as `lake` and `lake/open`. */
  get locations(): readonly string[] {
    return this.#options.allowed;
  }

  /** A page of one folder of a bucket: `folder` is empty or ends in a slash. Rejects with EngineFailed. */
  async browse(bucket: string, folder: string, next: string | undefined, signal: AbortSignal): Promise<ObjectPage> {
    try {
      if (!isAllowedLocation(`${bucket}/${folder}`, this.#options.allowed)) throw notAllowed(bucket, this.#options.allowed);
      const reader = await this.#options.service();
      if (reader === undefined) throw noService();
      return await reader.list(bucket, { prefix: folder, oneLevel: true, next }, signal);
    } catch (error) {
      throwIfCanceled(signal);
      throw engineFailed(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the gateway is stopping"));
    await this.cache.close();
  }

  async #hold(source: FileSource, pick: Pick, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      const listing = await this.#list(source, signal);
      const files = pick(listing);
      try {
        const { paths, release } = await this.cache.hold(files, signal);
        return { copied: copiedSource(source, listing, files, paths), listing, release };
      } catch (error) {
        // An object that has changed since it was listed is listed anew.
        if (!(error instanceof ObjectChanged) || attempt === attempts) throw error;
        this.#listings.clear();
        await delay(attempt * 100, undefined, { signal });
      }
    }
  }

  async #list(source: FileSource, signal: AbortSignal): Promise<Listing> {
    const { bucket, pattern } = requireAllowed(source.glob, this.#options.allowed);
    const reader = await this.#options.service();
    if (reader === undefined) throw noService();
    const isPartitioned = source.format === "parquet";
    const key = JSON.stringify([reader.address, bucket, pattern, isPartitioned]);
    const known = this.#listings.get(key);
    if (known !== undefined && Date.now() - known.readAtMs < listingMs) return unlessAborted(known.listing, signal);
    // Shared by all who ask meanwhile, so it does not end when one of them leaves.
    const listing = this.#read(reader, { bucket, pattern }, isPartitioned);
    this.#listings.delete(key);
    this.#listings.set(key, { listing, readAtMs: Date.now() });
    const [oldest = ""] = this.#listings.keys();
    if (this.#listings.size > maxListings) this.#listings.delete(oldest);
    listing.catch(() => this.#listings.delete(key));
    return unlessAborted(listing, signal);
  }

  async #read(reader: BucketReader, { bucket, pattern }: BucketGlob, isPartitioned: boolean): Promise<Listing> {
    const { s3DatasetFiles } = this.#options.limits;
    const { signal } = this.#closing;
    const folder = folderOfPattern(pattern);
    const matches = keyMatcher(pattern);
    const rest = pattern.slice(patternFolderLength(pattern));
    const isOneLevel = !rest.includes("/") && rest !== "**";
    const prefix = isSingleKey(pattern) ? unescapePattern(pattern) : folder;
    const found: ObjectState[] = [];
    let [next, seen]: [string | undefined, number] = [undefined, 0];
    do {
      const page = await reader.list(bucket, { prefix, oneLevel: isOneLevel, next }, signal);
      seen += page.objects.length;
      // Markers of folders end in a slash.
      found.push(...page.objects.filter(({ key, size }) => !key.endsWith("/") && (size > 0 || !isMarker(key)) && matches(key)));
      if (found.length > s3DatasetFiles) throw tooMany(`more than ${s3DatasetFiles.toLocaleString("en-US")} files (limits.s3DatasetFiles)`);
      if (seen > maxKeys) throw tooMany(`more than ${maxKeys.toLocaleString("en-US")} files to choose from`);
      ({ next } = page);
      if (isSingleKey(pattern) && found.length > 0) next = undefined;
    } while (next !== undefined);
    const unusable = found.find(({ key }) => !isUsable(key));
    if (unusable !== undefined) throw notReady(`the portal cannot read a file with the name '${unusable.key.slice(0, 200)}'`);
    if (found.length === 0) throw new SourceNotReady([{ code: "data-missing", reason: "its data files are missing" }]);
    const files = found.map((object) => remoteFile(bucket, object, reader));
    const state = createHash("sha256");
    for (const { id } of files) state.update(id);
    return { files, partitions: isPartitioned ? partitionsOf(found.map(({ key }) => key)) : [], state: state.digest("hex").slice(0, 32) };
  }
}

/** Services and libraries take such keys for others. */
const isUsable = (key: string): boolean => !key.split("/").some((segment) => ["", ".", ".."].includes(segment));

/** Such as `_SUCCESS`, which writers leave beside the data. */
const isMarker = (key: string): boolean => /(?:^|\/)[_.][^/]*$/.test(key);

const patternFolderLength = (pattern: string): number => {
  const depth = folderOfPattern(pattern).split("/").length - 1;
  return pattern.split("/").slice(0, depth).join("/").length + (depth > 0 ? 1 : 0);
};

/** Refuses addresses that the operator has not allowed: the credentials of the portal may read much more. */
function requireAllowed(glob: string, allowed: readonly string[]): BucketGlob {
  const parsed = parseBucketGlob(glob);
  if (parsed === undefined) throw new EngineFailed("failed", "The source of the dataset is not an address of files in a bucket.");
  if (!allowsPattern(parsed, allowed)) throw notAllowed(parsed.bucket, allowed);
  return parsed;
}

/** Whether everything that a pattern may match is in one of these buckets or folders. */
export const allowsPattern = ({ bucket, pattern }: BucketGlob, allowed: readonly string[]): boolean =>
  isAllowedLocation(`${bucket}/${folderOfPattern(pattern)}`, allowed);

function notAllowed(bucket: string, allowed: readonly string[]): SourceNotReady {
  const where = allowed.some((one) => one.startsWith(`${bucket}/`)) ? " in this folder" : "";
  return notReady(`the operator has not allowed datasets of the bucket '${bucket}'${where} (FAIRWAY_S3_DATASET_BUCKETS)`);
}

/** `location` is a bucket with a folder, ending in a slash. */
const isAllowedLocation = (location: string, allowed: readonly string[]): boolean => allowed.some((one) => location.startsWith(`${one}/`));

const notReady = (reason: string): SourceNotReady => new SourceNotReady([{ code: "data-unreadable", reason, detail: `${reason}.` }]);

const tooMany = (what: string): SourceNotReady => notReady(`its source has ${what}`);

const tooSlow = (ms: number): EngineFailed =>
  new EngineFailed(
    "timed-out",
    `The files of the dataset could not be copied from S3 within ${ms / 1_000} s (limits.s3FetchMs). What has been copied is kept, so try again. A narrower search may need fewer files.`,
  );

function engineFailed(error: unknown): EngineFailed {
  if (error instanceof EngineFailed) return error;
  if (error instanceof StoreFailed) return new EngineFailed("upstream", error.message, { cause: error });
  if (error instanceof ObjectChanged) {
    return new EngineFailed("busy", "The files of the dataset keep changing on S3. Try again in a few seconds.", { cause: error });
  }
  return new EngineFailed("failed", "The files of the dataset could not be copied from S3.", { cause: error });
}

function remoteFile(bucket: string, object: ObjectState, reader: BucketReader): ListedFile {
  const { key, size, etag, modifiedMs } = object;
  // Services without tags of contents have at least times.
  const id = createHash("sha256")
    .update(JSON.stringify([reader.address, bucket, key, etag === "" ? modifiedMs : etag, size]))
    .digest("hex")
    .slice(0, 40);
  return { id, key, size, path: localPath(key), read: (from, signal) => reader.read(bucket, object, from, signal) };
}

/**
 * The path of a copy below its own folder: nothing of the key but what the engine reads from it, the partitions and the ending. They
 * cannot lead out of the folder, because a partition's segment holds an equals sign.
 */
function localPath(key: string): string {
  const partitions = partitionSegments(key).map(safeSegment);
  const [ending = ""] = /(?:\.[a-z\d]{1,10}){1,2}$/i.exec(key.split("/").at(-1) ?? "") ?? [];
  return [...partitions, `data${ending}`].join("/");
}

/** The engine decodes what is encoded here. */
function safeSegment(segment: string): string {
  const encoded = segment.replaceAll(/[\\\p{Cc}]/gu, encodeURIComponent);
  if (Buffer.byteLength(encoded) > 255) throw notReady("the name of one of its folders is too long");
  return encoded;
}

function copiedSource(
  { glob, format, reading, choices, hints, checksAll }: FileSource,
  { state, partitions, files: all }: Listing,
  files: readonly ListedFile[],
  paths: readonly string[],
): CopiedSource {
  const bucket = parseBucketGlob(glob)?.bucket ?? "";
  const part = files.length === all.length ? "" : hashOf(files);
  return {
    kind: "copies",
    key: JSON.stringify([glob, format, part]),
    state: `${state} ${part}`,
    format,
    files: files.map(({ key, size }, index) => ({ path: paths[index] ?? "", name: `s3://${bucket}/${key}`, bytes: size })),
    partitions,
    reading,
    choices,
    hints,
    checksAll,
  };
}

function hashOf(files: readonly ListedFile[]): string {
  const hash = createHash("sha256");
  for (const { id } of files) hash.update(id);
  return hash.digest("hex").slice(0, 32);
}

/** The files that may hold rows of a search; one if there is none, so that the engine finds nothing in it. */
export const filesFor =
  (query: Parameters<typeof mayHoldRows>[2]): Pick =>
  ({ files, partitions }) => {
    if (partitions.length === 0) return files;
    const chosen = files.filter(({ key }) => mayHoldRows(key, partitions, query));
    return chosen.length > 0 ? chosen : files.toSorted((a, b) => a.size - b.size).slice(0, 1);
  };

/** The failure of a caller who left, whatever else has failed because of it. */
function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineFailed("abandoned", "The query was canceled.", { cause: signal.reason });
}
