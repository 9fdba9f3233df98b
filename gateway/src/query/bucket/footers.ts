import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { EngineFailed } from "#query/engine.ts";
import { Turns } from "#turns/turns.ts";
import { type RemoteFile, unlessAborted } from "./file-cache.ts";

const filesAtOnce = 8;
/** Holds the footers of most files. */
const tailBytes = 65_536;
const maxFooterBytes = 64_000_000;
/** All footers together; those that a query may be reading stay. */
const maxBytes = 500_000_000;
const inUseMs = 600_000;

const magic = Buffer.from("PAR1");

interface Footer {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  usedMs: number;
}

/**
 * The footers of Parquet files: files that say which columns there are, but whose rows are missing. They are small, and read with one or
 * two requests each.
 */
export class Footers {
  readonly #folder: string;
  readonly #footers = new Map<string, Promise<Footer>>();
  readonly #turns = new Turns(
    { turns: filesAtOnce, perOwner: filesAtOnce / 2, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
    { subject: "Reading footers", work: "footers" },
  );
  #bytes = 0;

  /** The folder is for files of a moment. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Paths in the order of the files. What is not Parquet is there as well, so that the engine says so. */
  async get(files: readonly RemoteFile[], signal: AbortSignal): Promise<string[]> {
    await this.#makeRoom();
    const footers = files.map((file) => this.#get(file, signal));
    return unlessAborted(Promise.all(footers), signal);
  }

  async #get(file: RemoteFile, signal: AbortSignal): Promise<string> {
    const known = this.#footers.get(file.id);
    // Whoever started it may leave.
    const footer = await (known?.catch(() => this.#start(file, signal)) ?? this.#start(file, signal));
    footer.usedMs = Date.now();
    return footer.path;
  }

  #start(file: RemoteFile, signal: AbortSignal): Promise<Footer> {
    const footer = this.#turns.run(() => this.#write(file, signal));
    this.#footers.set(file.id, footer);
    footer.catch(() => {
      if (this.#footers.get(file.id) === footer) this.#footers.delete(file.id);
    });
    return footer;
  }

  async #write(file: RemoteFile, signal: AbortSignal): Promise<Footer> {
    signal.throwIfAborted();
    const content = Buffer.concat([magic, await readFooter(file, signal)]);
    const folder = path.join(this.#folder, file.id);
    const target = path.join(folder, file.path);
    const part = path.join(this.#folder, randomUUID());
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(part, content, { mode: 0o600 });
    await rename(part, target);
    this.#bytes += content.length;
    return { folder, path: target, bytes: content.length, usedMs: Date.now() };
  }

  async #makeRoom(): Promise<void> {
    if (this.#bytes <= maxBytes) return;
    const settled = await Promise.all([...this.#footers].map(([id, footer]) => footer.then((one) => [{ id, ...one }]).catch(() => [])));
    for (const { id, folder, bytes } of settled.flat().filter(({ usedMs }) => Date.now() - usedMs > inUseMs)) {
      this.#footers.delete(id);
      this.#bytes -= bytes;
      await rm(folder, { recursive: true, force: true });
    }
    if (this.#bytes > maxBytes) throw new EngineFailed("busy", "Too many datasets on S3 are being read. Try again in a few minutes.");
  }
}

/** The end of a file: what it says of itself, the length of that, and the letters by which Parquet is recognized. */
async function readFooter(file: RemoteFile, signal: AbortSignal): Promise<Buffer> {
  const tail = await readFrom(file, Math.max(0, file.size - tailBytes), signal);
  if (tail.length < 12 || !tail.subarray(-4).equals(magic)) return tail.subarray(-8);
  const length = tail.readUInt32LE(tail.length - 8) + 8;
  if (length > file.size || length > maxFooterBytes) return tail.subarray(-8);
  return length <= tail.length ? tail.subarray(-length) : readFrom(file, file.size - length, signal);
}

async function readFrom(file: RemoteFile, from: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of (await file.read(from, signal)) as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}
