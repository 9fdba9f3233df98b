import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { CopiedFiles, type ListedFile, type Listing, hashOf } from "#query/bucket/copied-files.ts";
import type { FileCache } from "#query/bucket/file-cache.ts";
import type { CopiedSource, ImportedSource } from "#query/engine.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";

/** Tells where files that users have brought are. */
export interface ImportLocations {
  /** The stores of those of the keys that are not on the shared disk; undefined if all are there. Rejects with StoreFailed. */
  elsewhere(keys: readonly string[]): Promise<ReadonlyMap<string, FileStore> | undefined>;
  /** Files are not where they were the last time. */
  forget(): void;
}

interface Options {
  /** The folder of the files on the shared disk. */
  readonly folder: string;
  readonly locations: ImportLocations;
  readonly cache: FileCache;
  readonly fetchMs: number;
}

/** Files of users that are not on the shared disk, or not all of them. */
export class RemoteImports extends CopiedFiles<ImportedSource> {
  readonly #folder: string;
  readonly #locations: ImportLocations;

  constructor({ folder, locations, cache, fetchMs }: Options) {
    super({ cache, fetchMs, footersFolder: "footers-imported" });
    this.#folder = folder;
    this.#locations = locations;
  }

  /** Whether any file of the source is not on the shared disk. */
  async hasAny(source: ImportedSource): Promise<boolean> {
    return (await this.#locations.elsewhere(keysOf(source))) !== undefined;
  }

  protected override async find(source: ImportedSource): Promise<Listing> {
    const stores = await this.#locations.elsewhere(keysOf(source));
    const files = source.files.map(({ key, bytes }): ListedFile => {
      const store = stores?.get(key);
      return store === undefined ? localFile(join(this.#folder, key), key, bytes) : remoteFile(store, fileKey(key), bytes);
    });
    return { files, partitions: [], state: keyOf(source) };
  }

  protected override copied(
    source: ImportedSource,
    { files: all }: Listing,
    files: readonly ListedFile[],
    paths: readonly string[],
  ): CopiedSource {
    return { ...copiesOf(source, paths), state: `${files.length < all.length ? "part" : "all"} ${hashOf(files)}` };
  }

  protected override forget(): void {
    this.#locations.forget();
  }
}

/** Tells ids of copies of users' files from those of other files, which are hexadecimal numbers. */
const copyPrefix = "own";

/** Files of a key never change, wherever they are, so that a copy is valid for ever. */
export const copyIdOf = (key: string): string => `${copyPrefix}${createHash("sha256").update(key).digest("hex").slice(0, 40)}`;

export const isOwnCopy = (id: string): boolean => id.startsWith(copyPrefix);

export function remoteFile(store: FileStore, key: FileKey, size: number): ListedFile {
  const [ending = ""] = /(?:\.[a-z\d]{1,10}){1,2}$/i.exec(key) ?? [];
  const read = async (from: number): Promise<Readable> => {
    const range = size === 0 ? undefined : { start: from, end: size - 1 };
    return (await store.read(key, range)).content;
  };
  return { id: copyIdOf(key), key, size, path: `data${ending}`, read };
}

function localFile(local: string, key: string, size: number): ListedFile {
  const id = createHash("sha256").update(`disk ${key}`).digest("hex").slice(0, 40);
  return { id, key, size, local, path: "", read: (from) => Promise.resolve(createReadStream(local, { start: from })) };
}

const keysOf = ({ files }: ImportedSource): string[] => files.map(({ key }) => key);

export const pathsBelow = (source: ImportedSource, root: string): string[] => keysOf(source).map((key) => join(root, key));

export const keyOf = ({ format, files }: Pick<ImportedSource, "format" | "files">): string =>
  JSON.stringify(["imported", format, files.map(({ key, renamed }) => (renamed === undefined ? key : [key, renamed]))]);

/** The source with its files at these paths. */
export function copiesOf(source: ImportedSource, paths: readonly string[]): CopiedSource {
  const { format, reading, choices, hints, checksAll } = source;
  return {
    kind: "copies",
    format,
    reading,
    choices,
    hints,
    checksAll,
    key: keyOf(source),
    // Files of a key never change.
    state: "",
    files: source.files.map(({ key: _key, ...file }, index) => ({ path: paths[index] ?? "", ...file })),
    partitions: [],
  };
}
