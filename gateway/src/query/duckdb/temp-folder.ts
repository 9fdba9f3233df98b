import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { runEvery } from "#run-every.ts";
import { systemCode } from "#system-code.ts";

export interface TempFolder {
  readonly path: string;
  /** Removes it. */
  close(): Promise<void>;
}

interface Options {
  /** No other gateway uses the parent folder: whatever else lies in it is left over. */
  readonly alone: boolean;
  readonly log: { warn(details: object, message: string): void };
}

const touchEveryMs = 600_000;
/** Several touches may fail before a living gateway looks dead. */
const deadAfterMs = 3_600_000;

/**
 * A folder below `parent` for one gateway: instances that share a temporary directory overwrite each other's files, and crash. The gateway
 * shows that it lives by touching its folder; folders of dead ones are removed.
 */
export async function openTempFolder(parent: string, { alone, log }: Options): Promise<TempFolder> {
  const own = path.join(parent, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 });
  const upkeep = async () => {
    const now = new Date();
    await mkdir(own, { recursive: true, mode: 0o700 });
    await utimes(own, now, now);
    await removeLeftovers(parent, path.basename(own), alone ? Infinity : now.getTime() - deadAfterMs);
  };
  const job = runEvery(touchEveryMs, upkeep, (error) =>
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

/** What another gateway has removed meanwhile is as old as can be. */
async function modifiedMs(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
