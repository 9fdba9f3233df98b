import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { formatCount } from "@fairway/contract/counts";
import { type DataFileFormat, detectFormat, detectedBytes } from "@fairway/contract/data-file-formats";
import { EngineFailed } from "#query/engine.ts";
import { namingFullDisk } from "#query/full-disk.ts";
import { systemCode } from "#process/system-code.ts";
import { writeFileStream } from "#process/write-file.ts";
import { type Entry, type ZipFile, openPromise } from "yauzl";
import { headerOf } from "./file-header.ts";

/** A container, or a file in it, that cannot be read. The message is a sentence for users. */
export class ContainerRefused extends Error {
  override readonly name = "ContainerRefused";
}

export interface UnpackedFile {
  /** The path within the container, or the name of the file itself. */
  readonly name: string;
  /** Of the unpacked file: a number and an extension below the given folder. A file that is no container is left where it is. */
  readonly path: string;
  readonly bytes: number;
  readonly format: Exclude<DataFileFormat, "zip" | "gzip">;
}

/** Files with the same header, which may be one dataset. */
export interface OfferedFiles {
  readonly names: readonly string[];
  readonly format: UnpackedFile["format"];
  readonly bytes: number;
}

export interface Unpacked {
  readonly files: readonly UnpackedFile[];
  /** Other files that could be taken instead. */
  readonly others: readonly OfferedFiles[];
  /** Files that hold no data, with the reason. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
}

interface UnpackOptions {
  /** Files may have at most so many bytes together. */
  readonly maxBytes: number;
  /** The name of one of the files to take, with those of the same header. Default: the files with the most bytes. */
  readonly take?: string | undefined;
  readonly signal: AbortSignal;
}

export const maxEntries = 10_000;
/** A container may unpack to so many times its size. Small files of repeated values do, too. */
const [maxRatio, ratioFromBytes] = [100, 10_000_000];

/**
 * Unpacks a ZIP or gzip file below a folder, which the caller removes. Files of other formats are answered as they are. Rejects with
 * ContainerRefused, and with EngineFailed if the disk is full.
 */
export async function unpack(
  file: { readonly path: string; readonly name: string },
  folder: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  const { size } = await stat(file.path);
  const { format, refused } = { refused: undefined, format: undefined, ...detectFormat(file.name, await firstBytes(file.path)) };
  if (refused !== undefined) throw new ContainerRefused(refused);
  if (format !== "zip" && format !== "gzip" && format !== undefined)
    return { files: [{ ...file, bytes: size, format }], others: [], ignored: [] };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const budget = new Budget(file.name, size, options.maxBytes);
  try {
    return await namingFullDisk(() =>
      format === "gzip" ? unpackGzip(file, folder, budget, options.signal) : unpackZip(file, folder, budget, options),
    );
  } catch (error) {
    if (options.signal.aborted || error instanceof ContainerRefused || !isDamage(error)) throw error;
    throw new ContainerRefused(`'${baseName(file.name)}' cannot be unpacked: it is damaged.`, { cause: error });
  }
}

/** Failures of the system are no fault of the file. */
const isDamage = (error: unknown): boolean => {
  const code = systemCode(error);
  return error instanceof Error && !(error instanceof EngineFailed) && (code === undefined || code.startsWith("Z_"));
};

async function unpackGzip(file: { readonly path: string; readonly name: string }, folder: string, budget: Budget, signal: AbortSignal) {
  const target = path.join(folder, "0");
  const name = baseName(file.name).replace(/\.(?:gz|gzip)$/i, "");
  const bytes = await save(gunzipped(file.path), target, budget, signal);
  const format = formatIn(file.name, name, await firstBytes(target));
  const named = `${target}.${format}`;
  await rename(target, named);
  return { files: [{ name, path: named, bytes, format }], others: [], ignored: [] };
}

function gunzipped(file: string): Readable {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  // pipe() does not forward errors.
  source.on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => source.destroy());
  return source.pipe(gunzip);
}

interface FoundEntry {
  readonly entry: Entry;
  readonly format: UnpackedFile["format"];
  readonly header: string;
}

async function unpackZip(
  file: { readonly path: string; readonly name: string },
  folder: string,
  budget: Budget,
  { take, signal }: UnpackOptions,
): Promise<Unpacked> {
  const zip = await openPromise(file.path, { autoClose: false, lazyEntries: true });
  try {
    const { found, ignored } = await dataEntries(zip, file.name, budget, signal);
    const groups = new Map<string, FoundEntry[]>();
    for (const one of found) {
      const key = JSON.stringify([one.format, one.header]);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const size = (group: readonly FoundEntry[]) => group.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
    const sorted = [...groups.values()].toSorted((a, b) => size(b) - size(a));
    const taken = take === undefined ? sorted[0] : sorted.find((group) => group.some(({ entry }) => entry.fileName === take));
    if (taken === undefined) throw new ContainerRefused(nothingIn(baseName(file.name), take, ignored));
    const files: UnpackedFile[] = [];
    for (const [index, { entry, format }] of taken.entries()) {
      const target = path.join(folder, `${index}.${format}`);
      const bytes = await save(await zip.openReadStreamPromise(entry), target, budget, signal);
      files.push({ name: entry.fileName, path: target, bytes, format });
    }
    const others = sorted
      .filter((group) => group !== taken)
      .map((group): OfferedFiles => ({
        names: group.map(({ entry }) => entry.fileName),
        format: group[0]?.format ?? "csv",
        bytes: size(group),
      }));
    return { files, others, ignored };
  } finally {
    zip.close();
  }
}

function nothingIn(name: string, take: string | undefined, ignored: Unpacked["ignored"]): string {
  if (take !== undefined) return `'${name}' has no file '${take}'.`;
  return ignored[0]?.reason ?? `'${name}' holds no file of data: no CSV, .xlsx, JSON, GeoJSON or Parquet.`;
}

/** Entries that hold data, by their first bytes. */
async function dataEntries(zip: ZipFile, name: string, budget: Budget, signal: AbortSignal) {
  const archive = baseName(name);
  if (zip.entryCount > maxEntries)
    throw new ContainerRefused(`'${archive}' holds ${formatCount(zip.entryCount)} files; an archive may hold ${formatCount(maxEntries)}.`);
  const found: FoundEntry[] = [];
  const ignored: { name: string; reason: string }[] = [];
  let promised = 0;
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted();
    const { fileName } = entry;
    // Folders, and what systems add to archives.
    if (fileName.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(fileName)) continue;
    if (entry.isEncrypted()) throw new ContainerRefused(`'${archive}' is encrypted; pack it without a password.`);
    promised += entry.uncompressedSize;
    budget.require(promised);
    const bytes = await headOf(await zip.openReadStreamPromise(entry));
    const detected = detectFormat(fileName, bytes);
    if (detected.refused !== undefined) {
      ignored.push({ name: fileName, reason: detected.refused });
      continue;
    }
    const { format } = detected;
    if (format === "zip" || format === "gzip") throw nested(archive, fileName);
    if (!isNotice(fileName)) found.push({ entry, format, header: await headerOf(format, bytes) });
  }
  return { found, ignored };
}

/** Texts that come with data. */
const isNotice = (name: string): boolean =>
  /(?:^|\/)(?:read[-_ ]?me|licen[cs]e|copying|notice|changelog|citation)(?:[-_.][^/]*)?$/i.test(name) && !/\.(?:csv|tsv)$/i.test(name);

function formatIn(container: string, name: string, bytes: Uint8Array): UnpackedFile["format"] {
  const detected = detectFormat(name, bytes);
  if (detected.refused !== undefined) throw new ContainerRefused(detected.refused);
  if (detected.format === "zip" || detected.format === "gzip") throw nested(baseName(container), name);
  return detected.format;
}

const nested = (container: string, name: string): ContainerRefused =>
  new ContainerRefused(`'${container}' holds the archive '${baseName(name)}'; unpack it first.`);

/** Counts what is unpacked, whatever the container says of it. */
class Budget {
  readonly #name: string;
  readonly #packed: number;
  readonly #maxBytes: number;
  #used = 0;

  constructor(name: string, packed: number, maxBytes: number) {
    this.#name = baseName(name);
    this.#packed = packed;
    this.#maxBytes = maxBytes;
  }

  add(bytes: number): void {
    this.#used += bytes;
    this.require(this.#used);
  }

  require(bytes: number): void {
    if (bytes > ratioFromBytes && bytes > this.#packed * maxRatio)
      throw new ContainerRefused(`'${this.#name}' unpacks to more than ${maxRatio} times its size; bring its files unpacked.`);
    if (bytes > this.#maxBytes) throw new ContainerRefused(`'${this.#name}' unpacks to more than ${sizeText(this.#maxBytes)}.`);
  }
}

const sizeText = (bytes: number): string => (bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e6)} MB`);

async function save(content: Readable, target: string, budget: Budget, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  async function* counted(parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      bytes += part.length;
      budget.add(part.length);
      yield part;
    }
  }
  try {
    await writeFileStream(target, { flags: "wx", mode: 0o600 }, (output) => pipeline(content, counted, output, { signal }));
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return bytes;
}

async function headOf(content: Readable): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    // Leaving the loop destroys the stream.
    if (length >= detectedBytes) break;
  }
  return Buffer.concat(parts).subarray(0, detectedBytes);
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(detectedBytes), 0, detectedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
