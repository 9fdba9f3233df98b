import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/** Folders that only the portal uses. The folders of the database are restricted where it is started. */
const privateFolders = ["converted", "engine", "exported", "exports", "files", "logs", "own-data", "web-files"];

/** Folders that operators also use and may share with other users, so these are reported instead of restricted. */
const sharedFolders = ["", "datasets", "keystores"];

const accessByOthers = 0o077;
const readOrWriteByOthers = 0o066;

/**
 * Creates the portal's folder if it is missing, readable by its owner only, checks that it is writable, and restricts the
 * portal's private folders to their owner. Throws StartFailure.
 */
export async function openHome(home: string): Promise<void> {
  const probe = join(home, `.probe-${randomBytes(6).toString("hex")}`);
  try {
    await makeFolder(home);
    // Permissions are not enough: a read-only or full disk looks writable to root.
    await writeFile(probe, "fairway", { mode: 0o600 });
    await rm(probe);
    for (const folder of privateFolders) await restrict(join(home, folder));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || code === "ENOSPC" || code === "EDQUOT") throw error;
    throw new StartFailure(`The folder ${home} cannot be written (${code}): set FAIRWAY_HOME to a folder that this user may write to.`, {
      cause: error,
    });
  }
}

/** Folders of the portal that other users of the machine may read or write. Empty on systems without such permissions. */
export async function foldersOpenToOthers(home: string): Promise<string[]> {
  const open: string[] = [];
  if (process.getuid === undefined) return open;
  for (const folder of sharedFolders) {
    const path = join(home, folder);
    const stats = await lstat(path).catch(unlessMissing);
    if (stats?.isDirectory() === true && (stats.mode & readOrWriteByOthers) !== 0) open.push(path);
  }
  return open;
}

/** Earlier versions created these folders with the permissions of the process's umask. */
async function restrict(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(unlessMissing);
  if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) return;
  if ((stats.mode & accessByOthers) !== 0) await chmod(folder, 0o700);
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
  return undefined;
}

/** Like `mkdir -p`. Node's recursive mkdir never returns below a folder that allows no subfolders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
  try {
    await make();
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
