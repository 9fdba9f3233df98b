import { randomUUID } from "node:crypto";
import { copyFile, mkdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessMissing } from "./file-errors.ts";
import type { FileKey } from "./key.ts";
import { plainFolder } from "./local-disk.ts";
import type { FileTags } from "./storage.ts";
import { TagFiles } from "./tag-files.ts";

export interface SuppliedFile {
  readonly key: FileKey;
  readonly content: string | { readonly copyOf: string };
  /** Time of the last change; omitted = now. */
  readonly modified?: Date;
  readonly tags: FileTags;
}

const filesAtOnce = 32;

/**
 * Puts many files into a bucket's folder. Unlike `FileStore.write`, does not wait for the disk after each one, so the caller has
 * to be able to supply them again after a crash. Keeps existing files that changed after `keptAfterMs` (epoch milliseconds).
 */
export async function fillFolder(folder: string, files: readonly SuppliedFile[], keptAfterMs: number, signal: AbortSignal): Promise<void> {
  const unfinished = join(folder, plainFolder.unfinished);
  const tagFiles = new TagFiles(join(folder, plainFolder.tags));
  const pathOf = (key: FileKey) => join(folder, key);
  for (const parent of new Set([unfinished, ...files.map(({ key }) => dirname(pathOf(key)))])) {
    await mkdir(parent, { recursive: true, mode: 0o700 });
  }

  const supply = async ({ key, content, modified, tags }: SuppliedFile): Promise<void> => {
    const path = pathOf(key);
    const existing = await stat(path).catch(unlessMissing);
    if (existing !== undefined && existing.mtimeMs > keptAfterMs) return;
    const temporary = join(unfinished, randomUUID());
    try {
      if (typeof content === "string") await writeFile(temporary, content, { mode: 0o600 });
      else await copyFile(content.copyOf, temporary);
      if (modified !== undefined) await utimes(temporary, modified, modified);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    if (Object.keys(tags).length > 0) await tagFiles.write(key, tags);
    else await tagFiles.remove(key);
  };

  const waiting = files.values();
  const supplyNext = async (): Promise<void> => {
    for (const file of waiting) {
      signal.throwIfAborted();
      await supply(file);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, supplyNext));
}
