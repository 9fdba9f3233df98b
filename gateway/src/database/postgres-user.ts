import { execFile } from "node:child_process";
import { chmod, lstat, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { StartFailure } from "#start-failure.ts";

const run = promisify(execFile);

/** How PostgreSQL's programs are run: it refuses root. */
export interface PostgresUser {
  /** Programs to go through, such as `unshare … --`. */
  readonly through: readonly string[];
  /** Passed to spawn; undefined: the user we are. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  /** Whom the data folder has to belong to, outside of any namespace. */
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** PostgreSQL would otherwise read PGPORT, PGDATA and the like, and speak the operator's language in its log. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ["PATH", "TZDIR", "TMPDIR", "LD_LIBRARY_PATH"].includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", TZ: "UTC" };
}

/**
 * Finds a way to run `program` (tried with `--version`, within `folder`) as someone who is not root and, where the system can,
 * so that it ends when we do. Throws StartFailure where there is none.
 */
export async function findPostgresUser(program: string, folder: string, users?: readonly PostgresUser[]): Promise<PostgresUser> {
  const failures: string[] = [];
  for (const user of users ?? (await possibleUsers())) {
    if (user.uid !== undefined) await openTheWay(folder);
    for (const through of [[...user.through, "setpriv", "--pdeathsig", "INT", "--"], user.through]) {
      const tried = { ...user, through };
      try {
        const line = commandLine(tried, "sh", ["-c", 'cd "$1" && exec "$2" --version', "sh", folder, program]);
        await run(...line, { uid: user.uid, gid: user.gid, env: postgresEnvironment(), timeout: 20_000 });
        return tried;
      } catch (error) {
        failures.push(`${[...through, "postgres"].join(" ")}: ${error instanceof Error ? error.message.trim() : String(error)}`);
      }
    }
  }
  const reason = process.getuid?.() === 0 ? " as root or as an unprivileged user" : "";
  throw new StartFailure(
    `The PostgreSQL that comes with Fairway does not run here${reason}: set DATABASE_URL to a PostgreSQL 15 or newer, or start Fairway as another user.`,
    { cause: new AggregateError(failures.map((failure) => new Error(failure))) },
  );
}

/** What to spawn so that `program` runs as the user. */
export function commandLine(user: PostgresUser, program: string, args: readonly string[]): [command: string, args: string[]] {
  const [first, ...rest] = user.through;
  return first === undefined ? [program, [...args]] : [first, [...rest, program, ...args]];
}

/** Every way there may be, the best first. */
export async function possibleUsers(): Promise<PostgresUser[]> {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const self: PostgresUser = { through: [], uid: undefined, gid: undefined, owner: { uid, gid } };
  if (uid !== 0) return [self];
  // A user namespace first: files stay root's and no other user of the machine comes near them.
  const namespace = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];
  const nobody = await nobodyUser();
  return [
    { ...self, through: namespace },
    { through: [], ...nobody, owner: nobody },
  ];
}

/** Another user has to get through our folders to its own; what is in them stays unreadable and cannot be listed. */
async function openTheWay(folder: string): Promise<void> {
  for (const passed of [dirname(folder), folder]) {
    const { uid, mode } = await lstat(passed);
    if (uid === process.getuid?.()) await chmod(passed, (mode & 0o777) | 0o011);
  }
}

async function nobodyUser(): Promise<{ uid: number; gid: number }> {
  const fallback = { uid: 65_534, gid: 65_534 };
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, , uid, gid] = /^nobody:.*$/m.exec(users)?.[0].split(":") ?? [];
  return uid === undefined || gid === undefined ? fallback : { uid: Number(uid), gid: Number(gid) };
}

/** Makes a folder and all below it belong to the user PostgreSQL runs as; only root can, and only root needs it. */
export async function giveFolder(folder: string, { owner }: PostgresUser, weAre = process.getuid?.()): Promise<void> {
  const now = await lstat(folder);
  if (now.uid === owner.uid) return;
  if (weAre !== 0) {
    throw new StartFailure(
      `The database folder ${folder} belongs to another user (uid ${now.uid}): start Fairway as that user, or give the folder to this one (uid ${owner.uid}).`,
    );
  }
  await run("chown", ["-R", "-h", `${owner.uid}:${owner.gid}`, "--", folder]);
}
