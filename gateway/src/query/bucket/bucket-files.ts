import { createHash } from "node:crypto";
import { type BucketGlob, folderOfPattern, isSingleKey, parseBucketGlob, unescapePattern } from "@fairway/contract/bucket-globs";
import { type CopiedSource, type DatasetSource, EngineFailed, SourceNotReady } from "#query/engine.ts";
import { isReserved } from "#storage/storage.ts";
import { type BucketReader, type ObjectPage, type ObjectState, noService } from "#storage/bucket-reader.ts";
import { CopiedFiles, type ListedFile, type Listing, type Pick, engineFailed, hashOf, throwIfCanceled } from "./copied-files.ts";
import { type FileCache, unlessAborted } from "./file-cache.ts";
import { keyMatcher } from "./key-pattern.ts";
import { mayHoldRows, partitionSegments, partitionsOf } from "./partitions.ts";

export type FileSource = Extract<DatasetSource, { kind: "files" }>;

export interface BucketFilesOptions {
  readonly cache: FileCache;
  /** The service of the enabled configuration; undefined = it names none. */
  readonly service: () => Promise<BucketReader | undefined>;
  /** Buckets and folders of buckets that datasets may read, such as `lake` and `lake/open`. */
  readonly allowed: readonly string[];
  /** Buckets that datasets must not read, whatever is allowed. Default: none. */
  readonly reserved?: () => Promise<ReadonlySet<string>>;
  readonly limits: { readonly s3DatasetFiles: number; readonly s3FetchMs: number };
}

/** How long a listing is used for further queries. */
const listingMs = 5_000;
const maxListings = 500;
/** Keys that are looked at for one dataset. */
const maxKeys = 200_000;
/** Of one listing. A page may be empty, but a service that always names a next one would never end. */
const maxPages = 1_000;

/** The files of datasets in buckets, copied to this machine when a query needs them. Decision 0515. */
export class BucketFiles extends CopiedFiles<FileSource> {
  readonly #options: BucketFilesOptions;
  readonly #listings = new Map<string, { readonly listing: Promise<Listing>; readonly readAtMs: number }>();

  constructor(options: BucketFilesOptions) {
    super({ cache: options.cache, fetchMs: options.limits.s3FetchMs, footersFolder: "footers" });
    this.#options = options;
  }

  /** The buckets and folders of buckets that datasets may read, such as `lake` and `lake/open`. */
  get locations(): readonly string[] {
    return this.#options.allowed;
  }

  /** A page of one folder of a bucket: `folder` is empty or ends in a slash. Rejects with EngineFailed. */
  async browse(bucket: string, folder: string, next: string | undefined, signal: AbortSignal): Promise<ObjectPage> {
    try {
      if (!isAllowedLocation(`${bucket}/${folder}`, this.#options.allowed)) throw notAllowed(bucket, this.#options.allowed);
      await this.#requireFree(bucket);
      const reader = await this.#options.service();
      if (reader === undefined) throw noService();
      return await reader.list(bucket, { prefix: folder, oneLevel: true, next }, signal);
    } catch (error) {
      throwIfCanceled(signal);
      throw engineFailed(error);
    }
  }

  async #requireFree(bucket: string): Promise<void> {
    const reserved = (await this.#options.reserved?.()) ?? [];
    if (isReserved(bucket, reserved)) throw notReady(`the bucket '${bucket}' holds the own data of users`);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.cache.close();
  }

  protected override copied(
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

  protected override forget(): void {
    this.#listings.clear();
  }

  protected override async find(source: FileSource, signal: AbortSignal): Promise<Listing> {
    const { bucket, pattern } = requireAllowed(source.glob, this.#options.allowed);
    await this.#requireFree(bucket);
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
    const signal = this.closing;
    const folder = folderOfPattern(pattern);
    const matches = keyMatcher(pattern);
    const rest = pattern.slice(patternFolderLength(pattern));
    const isOneLevel = !rest.includes("/") && rest !== "**";
    const prefix = isSingleKey(pattern) ? unescapePattern(pattern) : folder;
    const found: ObjectState[] = [];
    let [next, seen, pages]: [string | undefined, number, number] = [undefined, 0, 0];
    do {
      pages += 1;
      if (pages > maxPages) throw tooMany(`a listing of more than ${maxPages.toLocaleString("en-US")} pages`);
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

/** The files that may hold rows of a search; one if there is none, so that the engine finds nothing in it. */
export const filesFor =
  (query: Parameters<typeof mayHoldRows>[2]): Pick =>
  ({ files, partitions }) => {
    if (partitions.length === 0) return files;
    const chosen = files.filter(({ key }) => mayHoldRows(key, partitions, query));
    return chosen.length > 0 ? chosen : files.toSorted((a, b) => a.size - b.size).slice(0, 1);
  };
