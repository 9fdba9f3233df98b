import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";
import { runOfFile } from "./export-record.ts";
import type { ExportRepository } from "./repository.ts";

interface CleaningParts {
  readonly repository: ExportRepository;
  readonly store: FileStore;
  readonly scratchFolder: string;
}

/**
 * Removes expired exports and orphaned files: those of deleted exports, of crashed gateways, and of versions that kept exports in
 * memory. Lists files before runs: a run is in the database before its file is created, so files of new runs are never removed.
 */
export async function cleanExports({ repository, store, scratchFolder }: CleaningParts): Promise<void> {
  await repository.removeExpired();
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
  const [scratch, kept] = [await readdir(scratchFolder), await keysOf(store)];
  const current = await repository.runsWithFile();
  for (const name of scratch.filter((name) => !current.has(runOfFile(name)))) {
    await rm(join(scratchFolder, name), { recursive: true, force: true });
  }
  for (const key of kept.filter((name) => !current.has(runOfFile(name)))) await store.remove(fileKey(key));
}

async function keysOf(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  let token: string | null | undefined;
  do {
    const page = await store.list("", token ?? undefined);
    keys.push(...page.files.map(({ key }) => key));
    token = page.nextContinuationToken;
  } while (token !== null);
  return keys;
}
