import { open, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import { writeContent } from "#storage/write-content.ts";
import type { CreationParts } from "./create-dataset.ts";
import { fileTooLarge } from "./refusals.ts";
import type { ImportFileRow, ImportRepository, ImportRow } from "./repository.ts";
import { scratchPath } from "./stored-files.ts";

/** A file of a fileset that the user may read. */
export interface FilesetContent {
  readonly size: number;
  /** Whoever opens it destroys it: the file stays open if nobody reads it. */
  readonly content: Readable;
}

export interface GatheringParts extends CreationParts {
  readonly repository: ImportRepository;
  /** Refuses with not-found. */
  readonly openFilesetFile: (user: SignedInUser, filesetId: string, path: string) => Promise<FilesetContent>;
}

/** Copies the files of an import from their fileset, as far as that is still to be done. */
export async function copyFromFileset(
  { repository, files: stored, openFilesetFile, scratchFolder, limits }: GatheringParts,
  row: ImportRow,
  user: SignedInUser,
  files: readonly ImportFileRow[],
): Promise<void> {
  for (const { number, file, key, size, is_complete: isComplete } of files) {
    if (isComplete || row.from_fileset === null) continue;
    const found = await openFilesetFile(user, row.from_fileset, file);
    try {
      if (found.size > limits.ownDataFileBytes) throw fileTooLarge(limits, "from.files");
      if (found.size !== Number(size))
        throw new Refusal("conflict", `'${file}' has changed in its fileset meanwhile. Start the import again.`);
      const path = await scratchPath(scratchFolder, row);
      try {
        await writeFile(path, fileKey(key), found.content as AsyncIterable<Uint8Array>, Number(size));
        await (await stored.of(row.bucket)).moveIn(fileKey(key), path);
      } finally {
        await rm(path, { force: true });
      }
    } finally {
      found.content.destroy();
    }
    await repository.fileArrived(row.id, number);
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
