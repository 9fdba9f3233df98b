import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import { access, chmod, mkdir, open, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { type PostgresUser, commandLine, giveFolder, postgresEnvironment } from "./postgres-user.ts";

const run = promisify(execFile);

export const superuser = "fairway";
const unfinished = "unfinished-";
const passwordFile = "fairway-password";

/**
 * Creates the data folder below `folder` if it does not exist. Atomic: it is built under another name and then renamed.
 * Returns its path and the password of its only account, which is stored inside so that they are always kept together.
 */
export async function prepareCluster(
  folder: string,
  binaries: PostgresBinaries,
  user: PostgresUser,
): Promise<{ data: string; password: string }> {
  const data = join(folder, "data");
  await removeUnfinished(folder);
  if (!(await exists(join(data, "PG_VERSION")))) {
    await refuseForeignFolder(data);
    await initialize(folder, data, binaries, user);
  }
  await giveFolder(data, user);
  return { data, password: await passwordOf(data) };
}

async function refuseForeignFolder(data: string): Promise<void> {
  if (!(await exists(data)) || (await readdir(data)).length === 0) return;
  throw new StartFailure(
    `The folder ${data} contains something that is not a Fairway database: move it away, or choose another FAIRWAY_HOME.`,
  );
}

async function initialize(folder: string, data: string, binaries: PostgresBinaries, user: PostgresUser): Promise<void> {
  const temporary = join(folder, `${unfinished}${process.pid}`);
  const temporaryData = join(temporary, "data");
  try {
    await mkdir(temporaryData, { recursive: true, mode: 0o700 });
    await writeFile(join(temporary, passwordFile), randomBytes(32).toString("hex"), { mode: 0o600 });
    await giveFolder(temporary, user);
    const files = ["--pgdata", temporaryData, "--username", superuser, "--pwfile", join(temporary, passwordFile)];
    // PostgreSQL's builtin C.UTF-8: the order of texts does not depend on the operating system's collations.
    const locale = ["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"];
    const line = commandLine(user, binaries.initdb, [...files, ...locale, "--auth", "scram-sha-256"]);
    await run(...line, { cwd: folder, uid: user.uid, gid: user.gid, env: postgresEnvironment() });
    await rename(join(temporary, passwordFile), join(temporaryData, passwordFile));
    await rename(temporaryData, data);
    await flushFolder(folder);
  } catch (error) {
    throw initializationFailure(data, error);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function initializationFailure(data: string, error: unknown): unknown {
  const code = systemCode(error);
  const output = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  if (code === "ENOSPC" || /no space left on device/i.test(output)) {
    return new StartFailure(`There is no space left on the disk that holds ${data}.`, { cause: error });
  }
  const [, message] = /^(?:initdb: error|\S* ?FATAL): *(\S.*)$/im.exec(output) ?? [];
  return new StartFailure(`The database in ${data} could not be created${message === undefined ? "" : ` (${message})`}.`, { cause: error });
}

/** A rename survives a power failure only after its folder has been flushed to disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}

async function removeUnfinished(folder: string): Promise<void> {
  const stale = (await readdir(folder)).filter((name) => name.startsWith(unfinished));
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** The password of the database's only account. Throws StartFailure if Fairway did not create the folder. */
export async function passwordOf(data: string): Promise<string> {
  const file = join(data, passwordFile);
  try {
    await chmod(file, 0o600);
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new StartFailure(`The folder ${data} is a PostgreSQL database, but not one made by Fairway: ${passwordFile} is missing.`, {
      cause: error,
    });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
