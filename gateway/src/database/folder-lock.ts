import { spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

/** Held until `release`, or until this process ends in whatever way. */
export interface FolderLock {
  release(): void;
}

/**
 * Makes this process the only one that runs a database in `home`. The lock is the kernel's, on an open file: a killed process
 * holds nothing, and no process id is ever taken for another. Throws StartFailure naming the other process.
 */
export async function lockFolder(
  home: string,
  lock: (descriptor: number) => Promise<FolderLock | undefined> = lockFile,
): Promise<FolderLock> {
  const file = join(home, "lock");
  const descriptor = openSync(file, "a+", 0o600);
  const held = await lock(descriptor);
  if (!held) {
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
      held.release();
      closeSync(descriptor);
    },
  };
}

/** `flock` locks the open file that it shares with us, and ends; the lock stays as long as ours is open. */
export async function lockFile(descriptor: number, program = "flock"): Promise<FolderLock | undefined> {
  const flock = spawn(program, ["--nonblock", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  const code = await new Promise<number | null>((resolve, reject) => {
    flock.once("error", reject);
    flock.once("close", resolve);
  }).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (code === undefined) return lockName(descriptor);
  return code === 0 ? { release: () => undefined } : undefined;
}

/** Where the program `flock` is missing: a name in the kernel that one process can hold, and that ends with it. */
export async function lockName(descriptor: number): Promise<FolderLock | undefined> {
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
