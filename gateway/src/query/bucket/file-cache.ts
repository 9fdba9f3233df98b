import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import { EngineFailed } from "#query/engine.ts";
import { systemCode } from "#process/system-code.ts";
import { writeFileStream } from "#process/write-file.ts";
import { SharedWork } from "#turns/shared-work.ts";
import { Turns } from "#turns/turns.ts";

/** One state of a file elsewhere. */
export interface RemoteFile {
  /** Letters and digits; differs for every state of every file. */
  readonly id: string;
  /** Relative path of the copy below a folder of its own. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The absolute path of a file that is on this machine already, which is not copied. */
  readonly local?: string | undefined;
  /** The content from a byte on. */
  read(from: number, signal: AbortSignal): Promise<Readable>;
}

export interface HeldFiles {
  /** Absolute paths, in the order of the files. */
  readonly paths: readonly string[];
  /** Allows the cache to remove the copies again. */
  readonly release: () => void;
}

interface CacheOptions {
  /** No other process may use it. Created if missing. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly downloadsAtOnce: number;
  /** How long to wait for room that running queries occupy. */
  readonly waitMs: number;
}

interface Copy {
  readonly id: string;
  readonly folder: string;
  readonly size: number;
  /** Higher = used later. */
  use: number;
  touchedMs: number;
  /** When the file was last seen on the disk, which a removed one is not. */
  checkedMs: number;
}

interface Download {
  readonly work: SharedWork<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Copies side by side for one query, so that a large dataset leaves turns to others. */
const downloadsPerQuery = 4;
/** A body that breaks off is continued. */
const maxBreaks = 2;
/** How often the last use of a copy is written to the disk, where it survives a restart. */
const touchIntervalMs = 60_000;
const checkIntervalMs = 5_000;
const partsFolder = ".parts";

/**
 * Local copies of files elsewhere. A copy appears whole or not at all, is made once for all who wait for it, and is removed when
 * others need the room and nobody holds it, the least recently used first. Decision 0515.
 */
export class FileCache {
  readonly #options: CacheOptions;
  readonly #copies = new Map<string, Copy>();
  readonly #downloads = new Map<string, Download>();
  readonly #removals = new Map<string, Promise<void>>();
  /** Holders and sizes of files: a held file may not be there yet. */
  readonly #held = new Map<string, { holders: number; readonly size: number }>();
  readonly #turns: Turns;
  #uses = 0;
  #heldBytes = 0;
  #copiedBytes = 0;
  #reservedBytes = 0;
  #released: () => void = () => {};
  #nextRelease = new Promise<void>((resolve) => (this.#released = resolve));
  readonly #counts = { hits: 0, misses: 0, evictions: 0, downloadedBytes: 0, failures: 0 };
  #closed = false;

  private constructor(options: CacheOptions) {
    this.#options = options;
    const { downloadsAtOnce } = options;
    this.#turns = new Turns(
      {
        turns: downloadsAtOnce,
        perOwner: Math.ceil(downloadsAtOnce / 2),
        queue: Infinity,
        queuePerOwner: Infinity,
        waitMs: Infinity,
      },
      { subject: "Copying from S3", work: "copies" },
    );
  }

  /** Keeps the whole copies that are in the folder, and removes everything else. */
  static async open(options: CacheOptions): Promise<FileCache> {
    const cache = new FileCache(options);
    await cache.#readFolder();
    return cache;
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** For files of a moment, which are gone after a restart. */
  get scratchFolder(): string {
    return path.join(this.#options.folder, partsFolder);
  }

  get metrics() {
    return {
      ...this.#counts,
      files: this.#copies.size,
      bytes: this.#copiedBytes,
      heldBytes: this.#heldBytes,
      downloads: this.#downloads.size,
    };
  }

  /** Whether all of them are there already. */
  has(files: readonly RemoteFile[]): boolean {
    return files.every(({ id, local }) => local !== undefined || this.#copies.has(id));
  }

  /**
   * Copies what is missing, and keeps the files until they are released. Rejects with EngineFailed if there is no room, with the
   * failures of `read`, and with the signal's reason.
   */
  async hold(wanted: readonly RemoteFile[], signal: AbortSignal): Promise<HeldFiles> {
    const files = wanted.filter(({ local }) => local === undefined);
    await this.#admit(files, signal);
    const limit = pLimit(downloadsPerQuery);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const fetches = files.filter((file) => !this.#isFresh(file)).map((file) => limit(() => this.#fetch(file, either)));
    try {
      await Promise.all(fetches);
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled(fetches);
      this.#release(files);
      throw error;
    }
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#release(files);
      isReleased = true;
    };
    return { paths: wanted.map((file) => file.local ?? this.#pathOf(file)), release };
  }

  /** Removes the copies that are meant by their ids, unless something holds them. */
  async removeCopies(isMeant: (id: string) => boolean): Promise<void> {
    const meant = [...this.#copies.values()].filter(({ id }) => isMeant(id) && !this.#held.has(id));
    await Promise.all(meant.map((copy) => this.#remove(copy)));
  }

  /** Ends all downloads. Copies stay for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    const downloads = [...this.#downloads.values()];
    for (const { controller } of downloads) controller.abort(new Error("the gateway is stopping"));
    await Promise.allSettled([...downloads.map(({ work }) => work.done), ...this.#removals.values()]);
  }

  #nextUse = (): number => (this.#uses += 1);
  #folderOf = ({ id, size }: Pick<RemoteFile, "id" | "size">): string => path.join(this.#options.folder, `${id}-${size}`);
  #pathOf = (file: RemoteFile): string => path.join(this.#folderOf(file), file.path);

  /** Waits until the files fit beside those that others hold, and counts them as held. */
  async #admit(files: readonly RemoteFile[], signal: AbortSignal): Promise<void> {
    const { maxBytes, waitMs } = this.#options;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (total > maxBytes) throw tooLarge(total, maxBytes);
    const timeout = AbortSignal.timeout(waitMs);
    for (;;) {
      signal.throwIfAborted();
      const missing = files.reduce((sum, { id, size }) => sum + (this.#held.has(id) ? 0 : size), 0);
      if (this.#heldBytes + missing <= maxBytes) break;
      if (timeout.aborted) {
        throw new EngineFailed(
          "busy",
          "Other queries are using all the space for copies of files on S3. Try again in a minute. An administrator can raise LIMIT_S3_CACHE_BYTES.",
          { retryAfterSeconds: 60 },
        );
      }
      await Promise.race([unlessAborted(this.#nextRelease, signal), unlessAborted(this.#nextRelease, timeout).catch(() => undefined)]);
    }
    for (const { id, size } of files) {
      const held = this.#held.get(id);
      if (held === undefined) this.#heldBytes += size;
      this.#held.set(id, { holders: (held?.holders ?? 0) + 1, size });
    }
  }

  #release(files: readonly RemoteFile[]): void {
    for (const { id } of files) {
      const held = this.#held.get(id);
      if (held === undefined) continue;
      held.holders -= 1;
      if (held.holders > 0) continue;
      this.#held.delete(id);
      this.#heldBytes -= held.size;
    }
    const released = this.#released;
    this.#nextRelease = new Promise<void>((resolve) => (this.#released = resolve));
    released();
  }

  /** Whether the copy is there and was looked at a moment ago. Records its use. */
  #isFresh({ id }: RemoteFile): boolean {
    const copy = this.#copies.get(id);
    if (copy === undefined) return false;
    const now = Date.now();
    // Written to the disk now and then: after a restart, the copy may count as older than it is.
    if (now - copy.touchedMs > touchIntervalMs) {
      utimes(copy.folder, now / 1_000, now / 1_000).catch(() => undefined);
      copy.touchedMs = now;
    }
    copy.use = this.#nextUse();
    const isFresh = now - copy.checkedMs <= checkIntervalMs;
    if (isFresh) this.#counts.hits += 1;
    return isFresh;
  }

  async #fetch(file: RemoteFile, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (await this.#isThere(file)) {
      this.#counts.hits += 1;
      return;
    }
    this.#counts.misses += 1;
    const download = this.#downloads.get(file.id) ?? this.#start(file);
    download.waiting += 1;
    try {
      await unlessAborted(download.work.join(), signal);
    } finally {
      download.waiting -= 1;
      if (download.waiting === 0) {
        download.controller.abort(new Error("nobody waits for the file any more"));
        // Whoever comes next starts again.
        if (this.#downloads.get(file.id) === download) this.#downloads.delete(file.id);
      }
    }
  }

  /** Somebody may have removed or cut the file on the disk. */
  async #isThere(file: RemoteFile): Promise<boolean> {
    const copy = this.#copies.get(file.id);
    if (copy === undefined) return false;
    const found = await stat(this.#pathOf(file)).catch(() => undefined);
    if (found?.size !== file.size) {
      await this.#remove(copy);
      return false;
    }
    copy.checkedMs = Date.now();
    return this.#copies.get(file.id) === copy;
  }

  #start(file: RemoteFile): Download {
    const controller = new AbortController();
    const work = new SharedWork(this.#turns, () => this.#download(file, controller.signal), controller.signal);
    const download: Download = { work, controller, waiting: 0 };
    this.#downloads.set(file.id, download);
    const forget = () => {
      if (this.#downloads.get(file.id) === download) this.#downloads.delete(file.id);
    };
    work.done.then(forget, forget);
    return download;
  }

  async #download(file: RemoteFile, signal: AbortSignal): Promise<void> {
    if (this.#closed) throw new Error("the gateway is stopping");
    signal.throwIfAborted();
    try {
      await this.#removals.get(file.id);
      await this.#makeRoom(file.size);
      this.#reservedBytes += file.size;
      try {
        await this.#copy(file, signal);
      } catch (error) {
        // Something else fills the disk: copies that nobody needs make room, once.
        if (!isFullDisk(error) || !(await this.#free(file.size))) throw error;
        await this.#copy(file, signal);
      } finally {
        this.#reservedBytes -= file.size;
      }
    } catch (error) {
      if (!signal.aborted) this.#counts.failures += 1;
      throw isFullDisk(error) ? noDiskRoom(error) : error;
    }
    this.#copiedBytes += file.size;
    const now = Date.now();
    this.#copies.set(file.id, {
      id: file.id,
      folder: this.#folderOf(file),
      size: file.size,
      use: this.#nextUse(),
      touchedMs: now,
      checkedMs: now,
    });
  }

  async #copy(file: RemoteFile, signal: AbortSignal): Promise<void> {
    const target = this.#pathOf(file);
    const part = path.join(this.scratchFolder, randomUUID());
    try {
      await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
      await this.#write(file, part, signal);
      signal.throwIfAborted();
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async #write(file: RemoteFile, part: string, signal: AbortSignal): Promise<void> {
    let written = 0;
    const counted = async function* (this: FileCache, content: Readable): AsyncGenerator<Uint8Array> {
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        written += chunk.byteLength;
        this.#counts.downloadedBytes += chunk.byteLength;
        if (written > file.size) throw new Error("the file is longer than its length");
        yield chunk;
      }
    }.bind(this);
    for (let breaks = 0; ; breaks += 1) {
      const before = written;
      try {
        const content = await file.read(written, signal);
        const options = { flags: before === 0 ? "w" : "a", mode: 0o600, flush: true };
        await writeFileStream(part, options, (output) => pipeline(content, counted, output, { signal }));
        if (written === file.size) return;
        throw new Error("the file is shorter than its length");
      } catch (error) {
        signal.throwIfAborted();
        const isSafe = written < file.size && written > before && systemCode(error) !== "ENOSPC";
        if (!isSafe || breaks >= maxBreaks) throw error;
        // Fewer bytes may have been written than have arrived.
        written = (await stat(part)).size;
      }
    }
  }

  /** Removes copies until so many bytes fit. What is held fits beside them, see `#admit`. */
  async #makeRoom(bytes: number): Promise<void> {
    while (this.#copiedBytes + this.#reservedBytes + bytes > this.#options.maxBytes) {
      const oldest = this.#leastUsed();
      if (oldest === undefined) return;
      this.#counts.evictions += 1;
      await this.#remove(oldest);
    }
  }

  /** Removes copies of so many bytes, or all that nobody needs. Resolves to whether there were any: the disk may have had some room. */
  async #free(bytes: number): Promise<boolean> {
    let freed = 0;
    while (freed < bytes) {
      const oldest = this.#leastUsed();
      if (oldest === undefined) return freed > 0;
      this.#counts.evictions += 1;
      freed += oldest.size;
      await this.#remove(oldest);
    }
    return true;
  }

  #leastUsed(): Copy | undefined {
    let oldest: Copy | undefined;
    for (const copy of this.#copies.values()) {
      if (!this.#held.has(copy.id) && (oldest === undefined || copy.use < oldest.use)) oldest = copy;
    }
    return oldest;
  }

  async #remove(copy: Copy): Promise<void> {
    if (this.#copies.get(copy.id) !== copy) return;
    this.#copies.delete(copy.id);
    this.#copiedBytes -= copy.size;
    const removal = rm(copy.folder, { recursive: true, force: true }).finally(() => this.#removals.delete(copy.id));
    this.#removals.set(copy.id, removal);
    await removal;
  }

  async #readFolder(): Promise<void> {
    const { folder } = this.#options;
    const found: Copy[] = [];
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const own = path.join(folder, name);
      const [, id, size] = /^([a-z\d]+)-(\d+)$/.exec(name) ?? [];
      const files = id === undefined ? [] : await filesIn(own);
      const [file] = files;
      if (id === undefined || file === undefined || files.length > 1 || file.size !== Number(size)) {
        await rm(own, { recursive: true, force: true });
        continue;
      }
      found.push({ id, folder: own, size: file.size, use: 0, touchedMs: (await stat(own)).mtimeMs, checkedMs: 0 });
      this.#copiedBytes += file.size;
    }
    for (const copy of found.toSorted((a, b) => a.touchedMs - b.touchedMs)) this.#copies.set(copy.id, { ...copy, use: this.#nextUse() });
    // The limit may be smaller than before.
    await this.#makeRoom(0);
  }
}

async function filesIn(folder: string): Promise<{ readonly size: number }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name))));
}

/** The promise's result, or the signal's reason once it is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = () => {};
  const left = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

const isFullDisk = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(systemCode(error) ?? "");

const noDiskRoom = (cause: unknown): EngineFailed =>
  new EngineFailed(
    "not-ready",
    "The server's disk has no space for copies of the dataset's files. An administrator has to free up space.",
    { cause, retryAfterSeconds: 60 },
  );

const inGigabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${bytes} bytes`;

export const tooLarge = (bytes: number, maxBytes: number): EngineFailed =>
  new EngineFailed(
    "not-ready",
    `The files that this needs have ${inGigabytes(bytes)}, and copies of files on S3 may have ${inGigabytes(maxBytes)} (LIMIT_S3_CACHE_BYTES).`,
  );
