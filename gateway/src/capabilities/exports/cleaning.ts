import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Limits } from "@fairway/contract/limits";
import { fileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";
import { systemCode } from "#process/system-code.ts";
import { isFileOfRun, runOfFile } from "./export-record.ts";
import type { ExportRepository } from "./repository.ts";

interface CleaningParts {
  readonly repository: ExportRepository;
  readonly store: FileStore;
  readonly scratchFolder: string;
  /** Whether no other gateway uses the folder. */
  readonly alone: boolean;
  readonly limits: Pick<Limits, "exportKeepMinutes" | "exportTimeoutMs">;
}

/**
 * Removes expired exports and orphaned files: those of deleted exports and of crashed gateways. Lists files before runs: a run is in
 * the database before its file is created, so files of new runs are never removed. Gateways of the first release, which may serve
 * from the same folder, keep their exports in memory: their files are removed once no such gateway can need them.
 */
export async function cleanExports({ repository, store, scratchFolder, alone, limits }: CleaningParts): Promise<void> {
  await repository.removeExpired();
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
  const [scratch, kept] = [await readdir(scratchFolder), await keysOf(store)];
  const current = await repository.runsWithFile();
  const maxAgeMs = limits.exportKeepMinutes * 60_000 + limits.exportTimeoutMs;
  for (const name of scratch) {
    const path = join(scratchFolder, name);
    const isOrphan = isFileOfRun(name) ? !current.has(runOfFile(name)) : alone || (await ageMs(path)) > maxAgeMs;
    if (isOrphan) await rm(path, { recursive: true, force: true });
  }
  for (const key of kept.filter((name) => !current.has(runOfFile(name)))) await store.remove(fileKey(key));
}

/** Another gateway may have removed it. */
async function ageMs(path: string): Promise<number> {
  const stats = await stat(path).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
  });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
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
