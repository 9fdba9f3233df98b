import { readFile, readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { BaseLogger } from "pino";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

/**
 * Ends what an earlier run left behind on this data folder. Only processes that work in it are touched: PostgreSQL's do, and a
 * process id read from a file may long belong to someone else. The caller holds the folder's lock.
 */
export async function endOrphans(data: string, log: BaseLogger): Promise<void> {
  const file = join(data, "postmaster.pid");
  const [line, started] = (await textOf(file)).split("\n");
  if (started === undefined) return;
  const main = Number(line);
  for (const [signal, patienceMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    const orphans = await processesIn(data);
    if (orphans.length === 0) break;
    log.warn({ orphans, signal }, "ending a database server left behind by an earlier run");
    // Its helpers end with the main process; without it each is told.
    for (const pid of orphans.includes(main) ? [main] : orphans) send(pid, signal);
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline && (await processesIn(data)).length > 0;) await wait(25);
  }
  const left = await processesIn(data);
  if (left.length > 0) {
    throw new StartFailure(`A database server of an earlier run (process ${left[0]}) holds ${data} and does not end: end it by hand.`);
  }
  // PostgreSQL removes its own stale file, except where its process id has meanwhile gone to another process.
  if (isAlive(main)) await rm(file, { force: true });
}

async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const at = await Promise.all(pids.map(async (pid) => ((await workingFolder(pid)) === folder ? [Number(pid)] : [])));
  return at.flat();
}

async function workingFolder(pid: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    const code = systemCode(error);
    // Gone meanwhile, or another user's.
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM") return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== "ESRCH") throw error;
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}
