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
  /** Names and values that describe a file; empty if it has none. Rejects with FileMissing. */
  tags(key: FileKey): Promise<FileTags>;
  /** Replaces the tags of a file. Rejects with FileMissing. */
  setTags(key: FileKey, tags: FileTags): Promise<void>;
  /** An absolute address that stores the body of one PUT as this file for so long; undefined if the store has none. */
  presignPut?(key: FileKey, seconds: number): Promise<string>;
}

export type FileTags = Readonly<Record<string, string>>;

/** Stores by bucket name. */
export interface FileStores {
  /** Opens the bucket's store on first use; later calls return the same one. Throws UnsafeKey for a name that is not a file name. */
  of(bucket: string): Promise<FileStore>;
}

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
