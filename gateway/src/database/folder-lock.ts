import { spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

/** Held until `release`, or until this process ends for any reason. */
export interface FolderLock {
  release(): void;
}

/**
 * Makes this process the only one that runs a database in `home`. Uses a kernel lock on an open file, so a killed process
 * releases it and reused process ids do not matter. Throws StartFailure that names the process holding the lock.
 */
export async function lockFolder(
  home: string,
  lock: (descriptor: number) => Promise<FolderLock | undefined> = lockFile,
): Promise<FolderLock> {
  const file = join(home, "lock");
  const descriptor = openSync(file, "a+", 0o600);
  const folderLock = await lock(descriptor);
  if (!folderLock) {
    const pid = readFileSync(file, "utf8").trim();
    closeSync(descriptor);
    throw new StartFailure(
      `Another Fairway (process ${pid || "unknown"}) is using the folder ${home}: stop it, or choose another FAIRWAY_HOME.`,
    );
  }
  ftruncateSync(descriptor);
  writeSync(descriptor, `${process.pid}\n`);
  return {
    release() {
      folderLock.release();
      closeSync(descriptor);
    },
  };
}

/** The program `flock` locks the inherited open file and exits; the lock lasts as long as this process keeps the file open. */
export async function lockFile(descriptor: number, program = "flock"): Promise<FolderLock | undefined> {
  const flock = spawn(program, ["--nonblock", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  const code = await new Promise<number | null>((resolve, reject) => {
    flock.once("error", reject);
    flock.once("close", resolve);
  }).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (code === undefined) return lockSocket(descriptor);
  return code === 0 ? { release: () => undefined } : undefined;
}

/** Fallback without `flock`: an abstract Unix socket, which only one process can bind and which ends with it. */
export async function lockSocket(descriptor: number): Promise<FolderLock | undefined> {
  const { dev, ino } = fstatSync(descriptor);
  const holder = createServer();
  return new Promise((resolve, reject) => {
    holder.once("error", (error) => {
      if (systemCode(error) === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    holder.listen(`\0fairway-${dev}-${ino}`, () => {
      holder.unref();
      resolve({ release: () => holder.close() });
    });
  });
}
