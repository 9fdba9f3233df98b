import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

/** What the portal alone writes and reads below its folder. The database's folders are closed where it is started. */
const ownFolders = ["converted", "engine", "exported", "exports", "files", "logs"];

/** Where operators put files, too: theirs to open for others, so these are named rather than closed. */
const operatorsFolders = ["", "datasets", "keystores"];

const groupAndOthers = 0o077;
const groupAndOthersRead = 0o066;

/**
 * Makes the portal's folder where it is missing, readable by its owner only, sees that it can be written, and closes the
 * portal's own folders below it to other users. Throws StartFailure.
 */
export async function openHome(home: string): Promise<void> {
  const probe = join(home, `.probe-${randomBytes(6).toString("hex")}`);
  try {
    await makeFolder(home);
    // The rights say little: a read-only disk and a full one look writable to root.
    await writeFile(probe, "fairway", { mode: 0o600 });
    await rm(probe);
    for (const folder of ownFolders) await close(join(home, folder));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || code === "ENOSPC" || code === "EDQUOT") throw error;
    throw new StartFailure(`The folder ${home} cannot be written (${code}): set FAIRWAY_HOME to a folder that this user may write to.`, {
      cause: error,
    });
  }
}

/** Folders of this portal that other users of the machine may read or write. Where there are no such rights: none. */
export async function foldersOpenToOthers(home: string): Promise<string[]> {
  const open: string[] = [];
  if (process.getuid === undefined) return open;
  for (const folder of operatorsFolders) {
    const path = join(home, folder);
    const found = await lstat(path).catch(unlessMissing);
    if (found?.isDirectory() === true && (found.mode & groupAndOthersRead) !== 0) open.push(path);
  }
  return open;
}

/** Portals of earlier versions made them with the rights that the process happened to give. */
async function close(folder: string): Promise<void> {
  const found = await lstat(folder).catch(unlessMissing);
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return;
  if ((found.mode & groupAndOthers) !== 0) await chmod(folder, 0o700);
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
  return undefined;
}

/** Like `mkdir -p`. Node's own never ends where a folder that exists takes no other one, such as /proc. */
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
