import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { extname } from "node:path";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { ContainerRefused, unpack } from "#query/containers/unpack.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import { writeContent } from "#storage/write-content.ts";
import type { CreationParts } from "./create-dataset.ts";
import { fileTooLarge } from "./refusals.ts";
import type { ImportFileRow, ImportRepository, ImportRow } from "./repository.ts";
import { dropFiles, scratchPath, storeFile } from "./stored-files.ts";

/** A file of a fileset that the user may read. */
export interface FilesetContent {
  readonly size: number;
  readonly content: AsyncIterable<unknown>;
}

export interface GatheringParts extends CreationParts {
  readonly repository: ImportRepository;
  /** The path at which this gateway has a file of the store. */
  readonly localPath: (key: string) => string;
  /** Refuses with not-found. */
  readonly openFilesetFile: (user: SignedInUser, filesetId: string, path: string) => Promise<FilesetContent>;
}

/** Copies the files of an import from their fileset, as far as that is still to be done. */
export async function copyFromFileset(
  { repository, store, openFilesetFile, scratchFolder, limits }: GatheringParts,
  row: ImportRow,
  user: SignedInUser,
  files: readonly ImportFileRow[],
): Promise<void> {
  for (const { number, file, key, size, is_complete: isComplete } of files) {
    if (isComplete || row.from_fileset === null) continue;
    const found = await openFilesetFile(user, row.from_fileset, file);
    if (found.size > limits.ownDataFileBytes) throw fileTooLarge(limits, "from.files");
    if (found.size !== Number(size))
      throw new Refusal("conflict", `'${file}' has changed in its fileset meanwhile. Start the import again.`);
    const path = await scratchPath(scratchFolder, row);
    try {
      await writeFile(path, fileKey(key), found.content as AsyncIterable<Uint8Array>, Number(size));
      await store.moveIn(fileKey(key), path);
    } finally {
      await rm(path, { force: true });
    }
    await repository.fileArrived(row.id, number);
  }
}

/** The files to read: those that were given, or that ZIP and gzip files among them hold. */
export async function unpackFiles(
  parts: GatheringParts,
  row: ImportRow,
  files: readonly ImportFileRow[],
  signal: AbortSignal,
): Promise<ImportFileRow[]> {
  for (const file of files) if (file.container === null && !file.is_container) await unpackOne(parts, row, file, signal);
  return (await parts.repository.files(row.id)).filter((file) => !file.is_container);
}

async function unpackOne(
  parts: GatheringParts,
  row: ImportRow,
  { number, file, key, renamed }: ImportFileRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, store, scratchFolder, limits, localPath } = parts;
  const folder = await scratchPath(scratchFolder, row);
  // What an interrupted run has unpacked.
  await dropFiles(db, row, `${row.id}/${number}-%`);
  try {
    const source = localPath(key);
    const { files } = await unpack({ path: source, name: file }, folder, { maxBytes: limits.ownDataFileBytes, signal });
    if (files.every(({ path }) => path === source)) return;
    if (files.length === 0) throw new Refusal("not-supported", `'${file}' holds no file of a known format.`);
    for (const [index, unpacked] of files.entries()) {
      const own = fileKey(row.id, `${number}-${index + 1}-${randomUUID()}${extname(unpacked.path)}`);
      const { name, bytes } = unpacked;
      await storeFile(parts, { key: own, import: row, bytes, name }, () => store.moveIn(own, unpacked.path));
      await db
        .insertInto("import_files")
        .values({
          import_id: row.id,
          number: number * unpackedPerFile + index + 1,
          file: name,
          size: bytes,
          key: own,
          part_bytes: 0,
          is_complete: true,
          container: number,
          renamed: renamed === null ? null : JSON.stringify(renamed),
        })
        .onConflict((conflict) => conflict.columns(["import_id", "number"]).doUpdateSet({ key: own, size: bytes }))
        .execute();
    }
    await db.updateTable("import_files").set({ is_container: true }).where("import_id", "=", row.id).where("number", "=", number).execute();
  } catch (error) {
    throw error instanceof ContainerRefused ? new Refusal("not-supported", error.message, { cause: error }) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFile(path: string, key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await writeContent(handle, key, content, maxBytes);
  } finally {
    await handle.close();
  }
}

/** More files than a container may hold. */
const unpackedPerFile = 100_000;
