import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCacheFolder } from "./cache-folder.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "fairway-cache-folder-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const open = (alone = false) => openCacheFolder(parent, { alone, log: { warn: () => undefined } });
const long = new Date(Date.now() - 7_200_000);

const named = (digit: number): string => `gateway-${String(digit).repeat(8)}-0000-0000-0000-000000000000`;
const [crashed, elsewhere, running] = [named(1), named(2), named(3)] as const;

/** A folder that a gateway has left, with a copy in it. */
async function leave(name: string, owner?: { host: string; pid: number }): Promise<void> {
  await mkdir(path.join(parent, name));
  await writeFile(path.join(parent, name, "copy"), name);
  if (owner) await writeFile(path.join(parent, `${name}.json`), JSON.stringify(owner));
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the folder of a gateway", () => {
  it("is another one for each gateway, and goes to the next one with its copies", async () => {
    const [first, second] = [await open(), await open()];
    expect(first.path).not.toBe(second.path);
    await writeFile(path.join(first.path, "copy"), "first");
    await first.close();
    const third = await open();
    expect([third.path === second.path, await readdir(third.path)]).toEqual([false, ["copy"]]);
    await Promise.all([second.close(), third.close()]);
  });

  it("is taken over from a gateway that has crashed on this machine, or has been silent for long", async () => {
    await leave(crashed, { host: hostname(), pid: await deadPid() });
    await leave(elsewhere, { host: "another.example", pid: 1 });
    await leave(running, { host: hostname(), pid: process.ppid });
    const first = await open();
    expect(await readdir(first.path)).toEqual(["copy"]);
    const second = await open();
    expect(await readdir(second.path)).toEqual([]);
    await utimes(path.join(parent, `${elsewhere}.json`), long, long);
    const third = await open();
    expect(await readdir(third.path)).toEqual(["copy"]);
    expect((await readdir(parent)).filter((name) => [crashed, elsewhere, running].includes(name))).toEqual([running]);
    await Promise.all([first.close(), second.close(), third.close()]);
  });

  it("is the only one if there are no other gateways", async () => {
    await leave("of someone else");
    await leave(crashed);
    await leave(elsewhere, { host: "another.example", pid: 1 });
    const only = await open(true);
    expect(await readdir(only.path)).toEqual(["copy"]);
    await only.close();
    const name = path.basename(only.path);
    expect((await readdir(parent)).toSorted()).toEqual([name, `${name}.json`, "of someone else"]);
  });
});
