import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FairwayError } from "../client/index.ts";
import { UsageError } from "./failures.ts";

/** Throws unless nothing is at this path. */
export async function requireFree(path: string): Promise<void> {
  if (await exists(path)) throw wouldReplace(path);
}

const wouldReplace = (path: string): FairwayError =>
  new FairwayError({ code: "exists", message: `${path} already exists: use --force to replace it.` });

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Local path of a file of the portal. Never outside the folder, whatever the portal calls the file. */
export function localPath(folder: string, path: string): string {
  const parts = path.split("/");
  const root = resolve(folder);
  const target = resolve(root, ...parts);
  const isPlain = parts.every(
    (part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0") && !(sep === "\\" && /[\\:]/.test(part)),
  );
  if (!isPlain || !target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new FairwayError({
      code: "unexpected-answer",
      message: `The portal has a file that cannot be stored here: ${JSON.stringify(path)}.`,
    });
  }
  return target;
}

interface WriteOptions {
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Writes a file whole or not at all. Without `force`, replaces none. */
export async function writeLocalFile(path: string, body: ReadableStream<Uint8Array> | null, options: WriteOptions): Promise<void> {
  const { force, signal, onBytes } = options;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = force ? join(dirname(path), `.${basename(path)}.${process.pid}.part`) : path;
  const file = await open(unfinished, "wx").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? wouldReplace(path) : error;
  });
  // Not before the file is open: nothing would handle the error of a body that breaks off meanwhile.
  const source = body === null ? Readable.from([]) : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await pipeline(source, countingTransform(onBytes), file.createWriteStream(), { signal });
    if (force) await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    // As fetch calls a body that ends too early.
    if (error instanceof TypeError) throw new FairwayError({ code: "unreachable", message: "The connection was lost.", cause: error });
    throw error;
  }
}

const countingTransform = (onBytes: (bytes: number) => void): Transform =>
  new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      onBytes(chunk.byteLength);
      done(null, chunk);
    },
  });

export interface LocalFile {
  readonly path: string;
  /** Path in the fileset, below the folder that is uploaded to. */
  readonly name: string;
  readonly size: number;
}

/** The files that an argument names. Links below a folder are left out. */
export async function* localFiles(path: string, isRecursive: boolean): AsyncGenerator<LocalFile, void, undefined> {
  const info = await stat(path);
  if (info.isFile()) {
    yield { path, name: basename(path), size: info.size };
    return;
  }
  if (!info.isDirectory()) throw new UsageError(`${path} is neither a file nor a folder.`);
  if (!isRecursive) throw new UsageError(`${path} is a folder: use --recursive to upload it.`);
  const folderName = basename(resolve(path));
  for (const entry of (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const { size } = await stat(file);
    const below = resolve(file).slice(resolve(path).length + 1);
    yield { path: file, name: [folderName, ...below.split(sep)].join("/"), size };
  }
}
