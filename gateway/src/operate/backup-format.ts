import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform, type TransformCallback } from "node:stream";
import { z } from "zod";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import { wrappedKey } from "./wrapped-key.ts";

// A backup is a folder; decision 0491 describes it.
export const manifestFile = "manifest.json";
export const manifestSumFile = "manifest.sha256";
export const fileListFile = "files.jsonl";
export const filesFolder = "files";
export const tableFile = (name: string): string => join("tables", `${name}.copy`);

const count = z.int().min(0);
const sha256 = z.string().regex(/^[\da-f]{64}$/);
const name = z.string().regex(/^[a-z_][a-z\d_]*$/);

export const manifestSchema = z.object({
  format: z.literal("fairway-backup"),
  formatVersion: z.literal(1),
  /** The version of Fairway and of PostgreSQL that it was made with. */
  version: z.string(),
  postgres: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** The id of the master key, and the key itself if it was asked for, encrypted with a passphrase. */
  masterKey: z.object({ id: z.string(), wrapped: wrappedKey.nullable() }),
  tables: z.array(z.object({ name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  sequences: z.array(z.object({ name, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  files: z.object({ count, bytes: count, sha256 }),
  /** Buckets with files of own data, which are not in the backup. Earlier releases had none. */
  ownDataBuckets: z.array(z.object({ bucket: z.string(), files: count, bytes: count })).default([]),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A line of the list of files. */
export const listedFile = z.object({ path: z.string().min(1), bytes: count, modifiedMs: z.number(), sha256 });
export type ListedFile = z.infer<typeof listedFile>;

/** Counts, hashes and passes on. */
export class Meter extends Transform {
  readonly #hash = createHash("sha256");
  bytes = 0;
  #sum: string | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  get sha256(): string {
    return (this.#sum ??= this.#hash.digest("hex"));
  }
}

export const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Throws StartFailure for anything that is not a whole, unchanged manifest of a known version. */
export async function readManifest(folder: string): Promise<Manifest> {
  const [text, sum] = await Promise.all([manifestFile, manifestSumFile].map((file) => readFile(join(folder, file), "utf8"))).catch(
    (error: unknown) => {
      throw new StartFailure(`${folder} is not a backup of Fairway: ${manifestFile} cannot be read (${systemCode(error) ?? "unknown"}).`, {
        cause: error,
      });
    },
  );
  if (sumOf(text ?? "") !== sum?.trim()) throw new StartFailure(`The backup ${folder} is damaged: ${manifestFile} was changed.`);
  const parsed = manifestSchema.safeParse(JSON.parse(text ?? ""));
  if (parsed.success) return parsed.data;
  throw new StartFailure(`The backup ${folder} has a format that this version of Fairway does not know.`, { cause: parsed.error });
}

/** Reads everything once. Throws StartFailure that names the first part that is missing or was changed. */
export async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.tables) await checkFile(folder, tableFile(name), { bytes, sha256 });
  const list = await checkFile(folder, fileListFile, { sha256: manifest.files.sha256 });
  let found = 0;
  for await (const file of filesOf(folder)) {
    found += 1;
    await checkFile(folder, join(filesFolder, file.path), file);
  }
  if (found !== manifest.files.count) throw damaged(folder, list);
}

/** The files of a backup in the order of its list. Throws StartFailure for paths that lead out of it. */
export async function* filesOf(folder: string): AsyncGenerator<ListedFile> {
  let rest = "";
  const parse = (line: string): ListedFile => {
    const file = listedFile.parse(JSON.parse(line));
    const isInside = file.path.split("/").every((part) => !["", ".", ".."].includes(part)) && !file.path.includes("\0");
    if (!isInside) throw damaged(folder, fileListFile);
    return file;
  };
  for await (const chunk of createReadStream(join(folder, fileListFile), "utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parse(line);
  }
  if (rest !== "") throw damaged(folder, fileListFile);
}

async function checkFile(folder: string, file: string, expected: { sha256: string; bytes?: number }): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(join(folder, file)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new StartFailure(`The backup ${folder} is incomplete: ${file} cannot be read (${systemCode(error) ?? "unknown"}).`, {
      cause: error,
    });
  }
  if (hash.digest("hex") !== expected.sha256 || (expected.bytes !== undefined && expected.bytes !== bytes)) throw damaged(folder, file);
  return file;
}

const damaged = (folder: string, file: string): StartFailure => new StartFailure(`The backup ${folder} is damaged: ${file} was changed.`);
