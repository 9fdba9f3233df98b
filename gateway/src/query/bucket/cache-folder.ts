import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { runEvery } from "#process/run-every.ts";
import { systemCode } from "#process/system-code.ts";

export interface CacheFolder {
  /** For one gateway only. Its content survives restarts. */
  readonly path: string;
  /** Leaves it to the next gateway. */
  close(): Promise<void>;
}

interface Options {
  /** No other gateway uses the parent folder. */
  readonly alone: boolean;
  readonly log: { warn(details: object, message: string): void };
}

const touchIntervalMs = 600_000;
/** Leaves room for several failed touches. */
const staleAfterMs = 3_600_000;
/** Meanwhile, a gateway that starts takes over what another one has left. */
const removeAfterMs = 86_400_000;

/** Of gateways in this process, which have one process id. */
const inUse = new Set<string>();

/** Null = its gateway has stopped. */
const owner = z.object({ host: z.string(), pid: z.int() }).nullable();

/**
 * A folder below `parent` for this gateway: one that a former gateway has left, or a new one. A gateway that has crashed leaves its
 * folder at once if it ran on this machine, and otherwise when it has not touched it for an hour.
 */
export async function openCacheFolder(parent: string, { alone, log }: Options): Promise<CacheFolder> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = (await takeOver(parent, alone)) ?? path.join(parent, newName());
  inUse.add(folder);
  const ownerFile = `${folder}.json`;
  const claim = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(ownerFile, JSON.stringify({ host: hostname(), pid: process.pid }), { mode: 0o600 });
  };
  await claim();
  const upkeep = async () => {
    const now = new Date();
    // Somebody may have removed it.
    await utimes(ownerFile, now, now).catch(claim);
    await removeLeftovers(parent, path.basename(folder), alone ? 0 : removeAfterMs);
  };
  const job = runEvery(touchIntervalMs, upkeep, (error) => log.warn({ err: error }, "copies of files on S3 could not be tidied up"));
  return {
    path: folder,
    close: async () => {
      await job.close();
      inUse.delete(folder);
      await writeFile(ownerFile, "null", { mode: 0o600 });
    },
  };
}

/** Renaming succeeds for one gateway only. */
async function takeOver(parent: string, alone: boolean): Promise<string | undefined> {
  for (const name of await foldersIn(parent)) {
    const left = path.join(parent, name);
    if (!alone && !(await isLeft(left))) continue;
    const own = path.join(parent, newName());
    try {
      await rename(left, own);
      await rm(`${left}.json`, { force: true });
      return own;
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
  return undefined;
}

async function isLeft(folder: string): Promise<boolean> {
  if (inUse.has(folder)) return false;
  const ownerFile = `${folder}.json`;
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(ownerFile, "utf8"), stat(ownerFile)]);
    if (Date.now() - mtimeMs > staleAfterMs) return true;
    const gateway = owner.parse(JSON.parse(text));
    return gateway === null || (gateway.host === hostname() && !isRunning(gateway.pid));
  } catch (error) {
    // Its gateway may have only just made it.
    if (systemCode(error) === "ENOENT") return Date.now() - (await changedMs(folder)) > 10_000;
    if (error instanceof SyntaxError || error instanceof z.ZodError) return false;
    throw error;
  }
}

const changedMs = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ ctimeMs }) => ctimeMs,
    () => Date.now(),
  );

function isRunning(pid: number): boolean {
  // In containers, the former gateway had the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

/** Only what gateways have made: the operator may have named a folder in which other things are. */
async function foldersIn(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && ownName.test(entry.name)).map(({ name }) => name);
}

const ownName = /^gateway-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const newName = (): string => `gateway-${randomUUID()}`;

async function removeLeftovers(parent: string, own: string, unusedForMs: number): Promise<void> {
  for (const name of await foldersIn(parent)) {
    if (name === own) continue;
    const folder = path.join(parent, name);
    const touchedMs = await stat(`${folder}.json`).then(
      ({ mtimeMs }) => mtimeMs,
      () => changedMs(folder),
    );
    if (Date.now() - touchedMs < unusedForMs) continue;
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.json`, { force: true });
  }
}
