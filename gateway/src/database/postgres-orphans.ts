import { readFile, readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { BaseLogger } from "pino";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/**
 * Ends database processes that an earlier run left behind on this data folder. Selects processes by their working directory,
 * because the process id in the pid file may have been reused. The caller holds the folder's lock.
 */
export async function endOrphans(data: string, log: BaseLogger): Promise<void> {
  const file = join(data, "postmaster.pid");
  const [pidLine, dataLine] = (await readText(file)).split("\n");
  if (dataLine === undefined) return;
  const main = Number(pidLine);
  for (const [signal, timeoutMs] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    const orphans = await processesIn(data);
    if (orphans.length === 0) break;
    log.warn({ orphans, signal }, "ending a database server left behind by an earlier run");
    // The other processes end with the main one. Without it, each is signaled.
    for (const pid of orphans.includes(main) ? [main] : orphans) send(pid, signal);
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && (await processesIn(data)).length > 0;) await wait(25);
  }
  const remaining = await processesIn(data);
  if (remaining.length > 0) {
    throw new StartFailure(`A database server of an earlier run (process ${remaining[0]}) holds ${data} and does not end: end it by hand.`);
  }
  // PostgreSQL removes its own stale file unless the process id has been reused.
  if (isAlive(main)) await rm(file, { force: true });
}

async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(pids.map(async (pid) => ((await workingFolder(pid)) === folder ? [Number(pid)] : [])));
  return matches.flat();
}

async function workingFolder(pid: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    const code = systemCode(error);
    // The process has ended or belongs to another user.
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

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}
