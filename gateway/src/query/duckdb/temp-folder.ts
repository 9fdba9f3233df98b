import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { runEvery } from "#process/run-every.ts";
import { systemCode } from "#process/system-code.ts";

export interface TempFolder {
  readonly path: string;
  /** Removes it. */
  close(): Promise<void>;
}

interface Options {
  /** No other gateway uses the parent folder, so everything else in it is left over. */
  readonly alone: boolean;
  readonly log: { warn(details: object, message: string): void };
}

const touchIntervalMs = 600_000;
/** Leaves room for several failed touches. */
const staleAfterMs = 3_600_000;

/**
 * A folder below `parent` for one gateway: instances that share a temporary directory overwrite each other's files and crash. The
 * gateway touches its folder periodically; folders that are no longer touched are removed.
 */
export async function openTempFolder(parent: string, { alone, log }: Options): Promise<TempFolder> {
  const own = path.join(parent, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 });
  const upkeep = async () => {
    const now = new Date();
    await mkdir(own, { recursive: true, mode: 0o700 });
    await utimes(own, now, now);
    await removeLeftovers(parent, path.basename(own), alone ? Infinity : now.getTime() - staleAfterMs);
  };
  const job = runEvery(touchIntervalMs, upkeep, (error) =>
    log.warn({ err: error }, "temporary files of earlier gateways could not be removed"),
  );
  return {
    path: own,
    close: async () => {
      await job.close();
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function removeLeftovers(parent: string, own: string, untouchedSinceMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name === own) continue;
    const leftover = path.join(parent, name);
    if ((await modifiedMs(leftover)) < untouchedSinceMs) await rm(leftover, { recursive: true, force: true });
  }
}

/** A file that another gateway has removed meanwhile counts as old. */
async function modifiedMs(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
