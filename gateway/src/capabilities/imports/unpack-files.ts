import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { extname } from "node:path";
import type { ArchivedFiles, ImportChoices } from "@fairway/contract/imports";
import { Refusal } from "#http/refusal.ts";
import { ContainerRefused, type Unpacked, unpack } from "#query/containers/unpack.ts";
import { fileKey } from "#storage/key.ts";
import type { GatheringParts } from "./gather-files.ts";
import type { ImportFileRow, ImportRow } from "./repository.ts";
import { dropFiles, scratchPath, storeFile } from "./stored-files.ts";
import type { ArchiveContents } from "./tables.ts";

/** More files than a container may hold. */
const unpackedPerFile = 100_000;
/** Names of files that are kept of an archive. */
const maxNames = 20;

/** The files to read: those that were given, or that ZIP and gzip files among them hold, as chosen. */
export async function unpackFiles(
  parts: GatheringParts,
  row: ImportRow,
  files: readonly ImportFileRow[],
  signal: AbortSignal,
): Promise<ImportFileRow[]> {
  for (const file of files) {
    if (file.container !== null) continue;
    const entry = chosenEntry(row.choices, file);
    const unpacked = files.filter(({ container }) => container === file.number);
    if (!file.is_container || !isTaken(entry, file.contents, unpacked)) await unpackOne(parts, row, file, entry, signal);
  }
  return (await parts.repository.files(row.id)).filter((file) => !file.is_container);
}

/** The file to take from an archive; null: the rules decide. */
export function chosenEntry({ files }: ImportChoices, { number, entry }: Pick<ImportFileRow, "number" | "entry">): string | null {
  const chosen = files?.[String(number)]?.entry;
  return chosen === undefined ? entry : chosen;
}

const isTaken = (entry: string | null, contents: ArchiveContents | null, unpacked: readonly ImportFileRow[]): boolean =>
  contents === null || entry === contents.entry || (entry !== null && unpacked.some(({ file }) => file === entry));

async function unpackOne(
  parts: GatheringParts,
  row: ImportRow,
  { number, file, key, size, renamed }: ImportFileRow,
  entry: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { db, files: stored, scratchFolder, limits } = parts;
  const folder = await scratchPath(scratchFolder, row);
  // Files that an interrupted run, or one with another choice, has unpacked.
  await dropFiles(db, row, `${row.id}/${number}-%`);
  try {
    const take = entry ?? undefined;
    const found = await stored.use(key, Number(size), signal, async (path) => {
      const { files, others } = await unpack({ path, name: file }, folder, { maxBytes: limits.ownDataFileBytes, take, signal });
      return files.every((one) => one.path === path) ? undefined : { files, others };
    });
    if (found === undefined) return;
    if (found.files.length === 0) throw new Refusal("not-supported", `'${file}' holds no file of a known format.`);
    await db.deleteFrom("import_files").where("import_id", "=", row.id).where("container", "=", number).execute();
    for (const [index, unpacked] of found.files.entries()) {
      const own = fileKey(row.id, `${number}-${index + 1}-${randomUUID()}${extname(unpacked.path)}`);
      const { name, bytes } = unpacked;
      await storeFile(parts, { key: own, import: row, bytes, name }, (store) => store.moveIn(own, unpacked.path));
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
    await db
      .updateTable("import_files")
      .set({ is_container: true, contents: JSON.stringify(contentsOf(entry, found)) })
      .where("import_id", "=", row.id)
      .where("number", "=", number)
      .execute();
  } catch (error) {
    throw error instanceof ContainerRefused ? new Refusal("not-supported", error.message, { cause: error }) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function contentsOf(entry: string | null, { files, others }: Pick<Unpacked, "files" | "others">): ArchiveContents {
  const group = (names: readonly string[], format: string, bytes: number): ArchivedFiles => ({
    names: names.slice(0, maxNames),
    count: names.length,
    format,
    bytes,
  });
  const taken = group(
    files.map(({ name }) => name),
    files[0]?.format ?? "csv",
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  return { entry, taken, others: others.map(({ names, format, bytes }) => group(names, format, bytes)) };
}
