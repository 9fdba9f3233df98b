import type { Readable } from "node:stream";
import type { FileKey } from "./key.ts";

export interface FileInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** Zero-based range of bytes; both ends are inclusive. The part beyond the end of the file is ignored. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One level below a prefix. */
export interface FilePage {
  readonly files: readonly FileInfo[];
  /** Prefixes one level below, each ending in a slash. */
  readonly commonPrefixes: readonly string[];
  /** Keys and prefixes that are left out because no call could name them. */
  readonly leftOut: readonly string[];
  /** Token of the next page; null = last page. */
  readonly nextContinuationToken: string | null;
}

/** Stores files by key. Writes are atomic: a file is complete or missing, and replaced in one step. Decision 0079. */
export interface FileStore {
  /**
   * Rejects with FileTooLarge if the content exceeds `maxBytes`, with NameTaken, and with errors of `content`; nothing is stored
   * then.
   */
  write(key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo>;
  /**
   * Moves a finished local file into the store, without copying if possible. If it fails, the file stays at its path. Nothing
   * may write to the file any more.
   */
  moveIn(key: FileKey, path: string): Promise<FileInfo>;
  /** Rejects with FileMissing before the first byte. The content has to be read or destroyed. */
  read(key: FileKey, range?: ByteRange): Promise<FileInfo & { readonly content: Readable }>;
  /** Undefined if the file does not exist. */
  head(key: FileKey): Promise<FileInfo | undefined>;
  /** Removes a file if it exists. */
  remove(key: FileKey): Promise<void>;
  /**
   * Lists files and prefixes sorted by name. `prefix` is empty or ends in a slash. An unknown prefix has no entries. May reject
   * with InvalidContinuationToken.
   */
  list(prefix: string, continuationToken?: string): Promise<FilePage>;
  /** Whether there is a folder: a file below this prefix, which ends in a slash. A disk has empty ones, too. */
  hasFolder(prefix: string): Promise<boolean>;
  /** Names and values that describe a file; empty if it has none. Rejects with FileMissing. */
  tags(key: FileKey): Promise<FileTags>;
  /** Replaces the tags of a file. Rejects with FileMissing. */
  setTags(key: FileKey, tags: FileTags): Promise<void>;
  /** Uploads in parts that the store itself keeps; undefined if it keeps none. */
  readonly parts?: PartStore;
}

/** An upload in parts, by the id that `PartStore.begin` returned. */
export interface PartUploadId {
  readonly key: FileKey;
  readonly uploadId: string;
  /** Whether the store takes each part with its checksum. Uploads that r2 began have none. */
  readonly isChecked: boolean;
}

export interface StoredPart {
  /** From 1. */
  readonly part: number;
  /** Bytes. */
  readonly size: number;
  /** The store's name for this content of the part; empty if it has no names for contents. */
  readonly tag: string;
  /** CRC32C in base64, as far as the store keeps it. */
  readonly crc32c?: string | undefined;
}

/** The content of one part. */
export interface PartContent {
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes. */
  readonly size: number;
  /** CRC32C in base64; undefined = not known. */
  readonly crc32c: string | undefined;
}

/** Keeps the parts of unfinished files. All calls but `begin` and `abort` reject with UploadMissing if the upload is not known. */
export interface PartStore {
  /** All parts but the last need at least so many bytes. */
  readonly minBytes: number;
  begin(key: FileKey): Promise<string>;
  /**
   * Stores a part in place of an earlier one of its number, and returns its tag. Rejects with PartDamaged if the content does not
   * have the checksum; the earlier part stays then.
   */
  write(upload: PartUploadId, part: number, content: PartContent): Promise<string>;
  /** By number. */
  list(upload: PartUploadId): Promise<readonly StoredPart[]>;
  /** Joins exactly these parts to the file, which appears whole. Rejects with NameTaken, and with PartReplaced if a tag has changed. */
  join(upload: PartUploadId, parts: readonly StoredPart[]): Promise<FileInfo>;
  /** The first bytes of a stored part; undefined if they cannot be read before the parts are joined. */
  beginning?(upload: PartUploadId, part: number, bytes: number): Promise<Buffer | undefined>;
  /** Discards the parts; does nothing if there are none. */
  abort(upload: PartUploadId): Promise<void>;
  /**
   * An absolute address that stores the body of one PUT of this size and checksum as this part, sent with the header of the checksum;
   * undefined if parts go through the portal.
   */
  presign?(upload: PartUploadId, part: number, content: { size: number; crc32c: string }, seconds: number): Promise<string>;
}

export type FileTags = Readonly<Record<string, string>>;

/** Stores by bucket name. */
export interface FileStores {
  /** Opens the bucket's store on first use; later calls return the same one. Throws UnsafeKey for a name that is not a file name. */
  of(bucket: string): Promise<FileStore>;
}

/** Whether a name is one of these buckets. Some services take names without regard to case. */
export const isReserved = (bucket: string, reserved: Iterable<string>): boolean =>
  [...reserved].some((one) => one.toLowerCase() === bucket.toLowerCase());

/** The store is unreachable, refuses access or is not set up. The message is shown to users: it tells an administrator what to do. */
export class StoreFailed extends Error {
  override readonly name = "StoreFailed";
}

/** The store did not return this token, or does not accept it any more. */
export class InvalidContinuationToken extends Error {
  override readonly name = "InvalidContinuationToken";
}

export class FileMissing extends Error {
  constructor(key: FileKey, options?: ErrorOptions) {
    super(`there is no file '${key}'`, options);
    this.name = "FileMissing";
  }
}

/** The store does not know an upload in parts, or does not know it any more. */
export class UploadMissing extends Error {
  override readonly name = "UploadMissing";
}

/** A part is no longer the one that was to be joined. */
export class PartReplaced extends Error {
  override readonly name = "PartReplaced";
}

/** A part does not have the checksum that was named for it. */
export class PartDamaged extends Error {
  override readonly name = "PartDamaged";
}

/** Some stores cannot have a file and a folder of one name. */
export class NameTaken extends Error {
  constructor(key: FileKey, options?: ErrorOptions) {
    super(`a folder has the name '${key}', or a file has the name of one of its folders`, options);
    this.name = "NameTaken";
  }
}

export class FileTooLarge extends Error {
  constructor(key: FileKey, maxBytes: number) {
    super(`the file '${key}' is larger than ${maxBytes} bytes`);
    this.name = "FileTooLarge";
  }
}
