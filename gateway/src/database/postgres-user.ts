import { execFile } from "node:child_process";
import { chmod, lstat, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { StartFailure } from "#process/start-failure.ts";

const run = promisify(execFile);

/** The user that runs PostgreSQL's programs, which refuse root. */
export interface PostgresUser {
  /** Wrapper command, such as `unshare … --`. */
  readonly wrapper: readonly string[];
  /** Passed to spawn; undefined = the current user. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  /** Required owner of the data folder, outside of any namespace. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** Prevents PostgreSQL from reading variables such as PGPORT and PGDATA, and from localizing its log. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => ["PATH", "TZDIR", "TMPDIR", "LD_LIBRARY_PATH"].includes(name));
  return { ...Object.fromEntries(inherited), LC_ALL: "C", TZ: "UTC" };
}

/**
 * Finds a user other than root that can run `program` (tested with `--version` in `folder`), if possible so that it ends with
 * the portal. Throws StartFailure if there is none.
 */
export async function findPostgresUser(program: string, folder: string, users?: readonly PostgresUser[]): Promise<PostgresUser> {
  const failures: string[] = [];
  for (const user of users ?? (await possibleUsers())) {
    if (user.uid !== undefined) await allowTraversal(folder);
    for (const wrapper of [[...user.wrapper, "setpriv", "--pdeathsig", "INT", "--"], user.wrapper]) {
      const candidate = { ...user, wrapper };
      try {
        const line = commandLine(candidate, "sh", ["-c", 'cd "$1" && exec "$2" --version', "sh", folder, program]);
        await run(...line, { uid: user.uid, gid: user.gid, env: postgresEnvironment(), timeout: 20_000 });
        return candidate;
      } catch (error) {
        failures.push(`${[...wrapper, "postgres"].join(" ")}: ${error instanceof Error ? error.message.trim() : String(error)}`);
      }
    }
  }
  const reason = process.getuid?.() === 0 ? " as root or as an unprivileged user" : "";
  throw new StartFailure(
    `The PostgreSQL that comes with Fairway does not run here${reason}: set DATABASE_URL to a PostgreSQL 15 or newer, or start Fairway as another user.`,
    { cause: new AggregateError(failures.map((failure) => new Error(failure))) },
  );
}

/** The command that runs `program` as the user. */
export function commandLine(user: PostgresUser, program: string, args: readonly string[]): [command: string, args: string[]] {
  const [first, ...rest] = user.wrapper;
  return first === undefined ? [program, [...args]] : [first, [...rest, program, ...args]];
}

/** All possible users, in order of preference. */
export async function possibleUsers(): Promise<PostgresUser[]> {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const self: PostgresUser = { wrapper: [], uid: undefined, gid: undefined, owner: { uid, gid } };
  if (uid !== 0) return [self];
  // A user namespace is preferred, because files still belong to root and no other user can access them.
  const namespace = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];
  const nobody = await nobodyUser();
  return [
    { ...self, wrapper: namespace },
    { wrapper: [], ...nobody, owner: nobody },
  ];
}

/** Lets another user pass through the portal's folders to its own, without permission to list or read them. */
async function allowTraversal(folder: string): Promise<void> {
  for (const traversed of [dirname(folder), folder]) {
    const { uid, mode } = await lstat(traversed);
    if (uid === process.getuid?.()) await chmod(traversed, (mode & 0o777) | 0o011);
  }
}

async function nobodyUser(): Promise<{ uid: number; gid: number }> {
  const fallback = { uid: 65_534, gid: 65_534 };
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, , uid, gid] = /^nobody:.*$/m.exec(users)?.[0].split(":") ?? [];
  return uid === undefined || gid === undefined ? fallback : { uid: Number(uid), gid: Number(gid) };
}

/** Recursively changes the owner of a folder to the user that runs PostgreSQL. Only root can do so, and only root needs it. */
export async function giveFolder(folder: string, { owner }: PostgresUser, currentUid = process.getuid?.()): Promise<void> {
  const stats = await lstat(folder);
  if (stats.uid === owner.uid) return;
  if (currentUid !== 0) {
    throw new StartFailure(
      `The database folder ${folder} belongs to another user (uid ${stats.uid}): start Fairway as that user, or give the folder to this one (uid ${owner.uid}).`,
    );
  }
  await run("chown", ["-R", "-h", `${owner.uid}:${owner.gid}`, "--", folder]);
}
