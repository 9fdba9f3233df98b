import { createReadStream } from "node:fs";
import { type Fairway, FairwayError, type FileEntry } from "../client/index.ts";
import { UsageError, exitCodeOf, messageOf } from "./failures.ts";
import { type LocalFile, localFiles, localPath, writeLocalFile } from "./local-files.ts";
import { type Format, tableText, writeRows } from "./rows.ts";
import { type Terminal, printable } from "./terminal.ts";

interface CopyFlags {
  /** The folder to copy to. */
  readonly to?: string | undefined;
  readonly recursive: boolean;
  readonly force: boolean;
}

const listColumns = ["path", "size", "lastModified"];

export async function listFiles(
  fairway: Fairway,
  terminal: Terminal,
  [fileset, folder = ""]: readonly [fileset: string, folder?: string],
  { recursive, format }: { recursive: boolean; format: Format },
): Promise<void> {
  const entries: FileEntry[] = [];
  for await (const entry of fairway.files.list(fileset, folder, { recursive, signal: terminal.signal })) {
    entries.push(entry);
    terminal.progress(`${entries.length} entries`);
  }
  const rows = entries.map((entry) =>
    entry.kind === "folder"
      ? { path: entry.path, size: null, lastModified: null }
      : { path: entry.path, size: entry.size, lastModified: entry.lastModified },
  );
  if (format === "table") {
    // Paths are never cut: they are arguments of the next command.
    const texts = rows.map(({ path, size, lastModified }) => [printable(path), String(size ?? ""), lastModified ?? ""]);
    return terminal.write(tableText(listColumns, texts));
  }
  async function* page() {
    yield rows;
  }
  await writeRows(terminal, format, listColumns, page());
}

/** Copies files of a fileset here. Returns the exit code. */
export async function getFiles(
  fairway: Fairway,
  terminal: Terminal,
  fileset: string,
  paths: readonly string[],
  flags: CopyFlags,
): Promise<number> {
  const { signal } = terminal;
  const { to = ".", recursive, force } = flags;
  if (to === "-") {
    for (const path of paths) {
      const { body } = await fairway.files.get(fileset, path, { signal });
      if (body !== null) for await (const chunk of body) await terminal.write(chunk);
    }
    return 0;
  }
  const found: { path: string; name: string; size: number | undefined }[] = [];
  for (const path of paths) {
    if (!recursive && path !== "." && !path.endsWith("/")) {
      found.push({ path, name: path.slice(path.lastIndexOf("/") + 1), size: undefined });
      continue;
    }
    if (!recursive) throw new UsageError(`${path} is a folder: use --recursive to copy it.`);
    const folder = path === "." ? "" : path.replace(/\/+$/, "");
    const parent = folder.slice(0, folder.lastIndexOf("/") + 1);
    const before = found.length;
    for await (const entry of fairway.files.list(fileset, folder, { recursive: true, signal })) {
      if (entry.kind === "file") found.push({ path: entry.path, name: entry.path.slice(parent.length), size: entry.size });
    }
    // A file, or nothing at all, which the download says.
    if (found.length === before && folder !== "") found.push({ path: folder, name: folder.slice(parent.length), size: undefined });
  }
  return eachFile(terminal, found, async ({ path, name, size }, onBytes) => {
    const target = localPath(to, name);
    const response = await fairway.files.get(fileset, path, { signal });
    const total = size ?? Number(response.headers.get("content-length") ?? NaN);
    await writeLocalFile(target, response.body, { force, signal, onBytes: (bytes) => onBytes(bytes, total) });
  });
}

/** Copies local files to a fileset. Returns the exit code. */
export async function putFiles(
  fairway: Fairway,
  terminal: Terminal,
  fileset: string,
  paths: readonly string[],
  flags: CopyFlags,
): Promise<number> {
  const { to = "", recursive, force } = flags;
  const folder = to === "" || to.endsWith("/") ? to : `${to}/`;
  const found: LocalFile[] = [];
  for (const path of paths) for await (const file of localFiles(path, recursive)) found.push(file);
  return eachFile(terminal, found, async ({ path, name, size }, onBytes) => {
    const content = () => readInChunks(path, (bytes) => onBytes(bytes, size));
    try {
      await fairway.files.put(fileset, `${folder}${name}`, content, { size, overwrite: force, signal: terminal.signal });
    } catch (error) {
      if (!(error instanceof FairwayError) || error.code !== "exists") throw error;
      throw new FairwayError({ code: "exists", message: `${error.message.slice(0, -1)}: use --force to replace it.` });
    }
  });
}

async function* readInChunks(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
}

/** Deletes files. Returns the exit code. */
export async function removeFiles(fairway: Fairway, terminal: Terminal, fileset: string, paths: readonly string[]): Promise<number> {
  const files = paths.map((path) => ({ path, name: path }));
  return eachFile(terminal, files, ({ path }) => fairway.files.delete(fileset, path, { signal: terminal.signal }));
}

/** One file after the other. A failure is reported, and the first one decides the exit code. */
async function eachFile<File extends { readonly path: string; readonly name: string }>(
  terminal: Terminal,
  files: readonly File[],
  copy: (file: File, onBytes: (bytes: number, total: number) => void) => Promise<void>,
): Promise<number> {
  let exitCode = 0;
  for (const [index, file] of files.entries()) {
    let done = 0;
    const title = `${index + 1}/${files.length} ${file.name}`;
    try {
      await copy(file, (bytes, total) => {
        done += bytes;
        terminal.progress(
          Number.isFinite(total) && total > 0 ? `${title} ${Math.floor((done / total) * 100)} %` : `${title} ${done} bytes`,
        );
      });
      await terminal.write(`${printable(file.name)}\n`);
    } catch (error) {
      if (terminal.signal.aborted) throw error;
      terminal.note(`${printable(file.path)}: ${printable(messageOf(error))}`);
      exitCode ||= exitCodeOf(error);
      // No other file would fare better.
      if (error instanceof FairwayError && (error.code === "unreachable" || error.status === 401)) break;
    }
  }
  return exitCode;
}
