import type { Readable } from "node:stream";
import type { FileKey } from "./key.ts";

export interface FileFacts {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** Bytes from `start` to `end`, both included, counted from 0; what lies beyond the end of the file is left out. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One level below a prefix. */
export interface FilePage {
  readonly files: readonly FileFacts[];
  /** Prefixes that go on below this one, each ending in a slash. */
  readonly commonPrefixes: readonly string[];
  /** Gives the next page; null: this was the last. */
  readonly nextContinuationToken: string | null;
}

/** Keeps files by their keys. A file is there whole or not at all; one that is written again is replaced in one step. Decision 0079. */
export interface FileStore {
  /** Rejects with FileTooLarge when more than `maxBytes` come, and with whatever `content` throws; nothing is kept then. */
  write(key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileFacts>;
  /**
   * Keeps a finished file of this machine, which is gone from its path then; where it fails, the file stays. Moves it instead of
   * copying where the store can. Nothing may be writing to the file any more.
   */
  moveIn(key: FileKey, path: string): Promise<FileFacts>;
  /** Rejects with FileMissing before the first byte. The content is to be read or destroyed. */
  read(key: FileKey, range?: ByteRange): Promise<FileFacts & { readonly content: Readable }>;
  /** Undefined where there is no such file. */
  head(key: FileKey): Promise<FileFacts | undefined>;
  /** Removes a file, or nothing where there is none. */
  remove(key: FileKey): Promise<void>;
  /** By name, files and prefixes together; `prefix` is empty or ends in a slash. An unknown one has nothing below it. */
  list(prefix: string, continuationToken?: string): Promise<FilePage>;
}

/** Stores by the name of their bucket. */
export interface FileStores {
  /** Opens the bucket's store at its first use; later callers get the same one. Throws UnsafeKey for a name that is no file's name. */
  of(bucket: string): Promise<FileStore>;
}

export class FileMissing extends Error {
  constructor(key: FileKey, options?: ErrorOptions) {
    super(`there is no file '${key}'`, options);
    this.name = "FileMissing";
  }
}

export class FileTooLarge extends Error {
  constructor(key: FileKey, maxBytes: number) {
    super(`the file '${key}' is larger than ${maxBytes} bytes`);
    this.name = "FileTooLarge";
  }
}
