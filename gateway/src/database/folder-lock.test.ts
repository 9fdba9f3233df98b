import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StartFailure } from "#process/start-failure.ts";
import { bundledProgram } from "#testing/bundled-program.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { lockFile, lockFolder, lockSocket } from "./folder-lock.ts";

const lockMethods = [
  ["flock", lockFile],
  ["an abstract socket", lockSocket],
] as const;

describe.each(lockMethods)("a folder locked by %s", (_name, lock) => {
  it("refuses a second holder, naming the first, until it is released", async () => {
    const home = await temporaryFolder();
    const first = await lockFolder(home, lock);
    await expect(lockFolder(home, lock)).rejects.toThrow(
      new StartFailure(`Another Fairway (process ${process.pid}) is using the folder ${home}: stop it, or choose another FAIRWAY_HOME.`),
    );
    first.release();
    (await lockFolder(home, lock)).release();
  });

  it("is free regardless of the process id that an earlier run left in the file, even a running one's", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "lock"), `${process.ppid}\n`);
    const folderLock = await lockFolder(home, lock);
    expect(await readFile(join(home, "lock"), "utf8")).toBe(`${process.pid}\n`);
    folderLock.release();
  });

  it("is released when the process that holds it is killed", async () => {
    const home = await temporaryFolder();
    const holder = spawn(process.execPath, ["--eval", await lockScript(home, lock.name)], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    await expect(lockFolder(home, lock)).rejects.toThrow(`Another Fairway (process ${holder.pid})`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    (await lockFolder(home, lock)).release();
  });
});

it("falls back to an abstract socket if flock is not installed", async () => {
  const home = await temporaryFolder();
  const descriptor = openSync(join(home, "lock"), "a+");
  onTestFinished(() => closeSync(descriptor));
  const fallbackLock = await lockFile(descriptor, "flock-that-is-not-installed");
  expect(fallbackLock).toBeDefined();
  expect(await lockSocket(descriptor)).toBeUndefined();
  fallbackLock?.release();
});

async function lockScript(home: string, lock: string): Promise<string> {
  const program = await bundledProgram(new URL("folder-lock.ts", import.meta.url));
  return `
    import(${JSON.stringify(program)}).then(async (module) => {
      await module.lockFolder(${JSON.stringify(home)}, module[${JSON.stringify(lock)}]);
      console.log("held");
      setInterval(() => {}, 1_000);
    });`;
}
