import { execFile } from "node:child_process";
import { copyFile, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { type MasterKey, decodeMasterKey, masterKeyOf } from "#secrets/master-key.ts";
import { PortalProcess, temporaryFolder } from "#testing/portal-process.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";
import { operatorCommand as run } from "#testing/run-command.ts";

// The commands on portals that run, with databases of their own: each start takes seconds.
vi.setConfig({ testTimeout: 120_000 });

const password = "a brand new password";

const keyIn = async (file: string): Promise<MasterKey> => masterKeyOf(decodeMasterKey(await readFile(file, "utf8")) ?? Buffer.alloc(0));

/** As if the command had been killed between its commit and the renaming of the key. */
async function interrupted(home: string, key: MasterKey): Promise<void> {
  await rename(join(home, "master.key"), join(home, "master.key.new"));
  await rename(join(home, `master.key.replaced-${key.id}`), join(home, "master.key"));
}

it("backup: saves a running portal, without the key unless it is asked for", async () => {
  const home = await preparedHome();
  const env = { FAIRWAY_HOME: home };
  const portal = await PortalProcess.start(env, { program: "gateway" });
  await portal.address();
  const backup = join(await temporaryFolder(), "backup");
  const done = await run(["backup", backup], env);
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("WARNING: the master key") as string });
  const key = (await readFile(join(home, "master.key"), "utf8")).trim();
  const { stdout } = await promisify(execFile)("grep", ["-rlF", key, backup]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");

  const folder = await temporaryFolder();
  expect(await run(["restore", backup], { FAIRWAY_HOME: folder })).toMatchObject({
    code: 0,
    out: expect.stringContaining("put the master key") as string,
  });
  // The running portal's own folder is refused.
  expect(await run(["restore", backup], env)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is not the backup's|is using the folder/) as string,
  });
});

it("rotate-master-key: works on a portal with its own database, which then starts, also after an interruption, and whose backup needs the new key", async () => {
  const home = await preparedHome();
  const env = { FAIRWAY_HOME: home };
  const started = async () => {
    const portal = await PortalProcess.start(env, { program: "gateway" });
    await portal.address();
    return portal;
  };
  const first = await started();
  expect(await run(["rotate-master-key"], env)).toMatchObject({ code: 1, err: expect.stringContaining("stop every gateway") as string });
  await first.stop();
  const old = await keyIn(join(home, "master.key"));
  await copyFile(join(home, "master.key"), join(home, "old"));
  expect(await run(["rotate-master-key"], env)).toMatchObject({ code: 0, err: "" });
  await interrupted(home, old);
  await (await started()).stop();
  const next = await keyIn(join(home, "master.key"));
  expect(next.id).not.toBe(old.id);

  const backup = join(await temporaryFolder(), "backup");
  expect((await run(["backup", backup], env)).code).toBe(0);
  const folder = { FAIRWAY_HOME: await temporaryFolder() };
  await copyFile(join(home, "old"), join(folder.FAIRWAY_HOME, "master.key"));
  expect(await run(["restore", backup], folder)).toMatchObject({ code: 1, err: expect.stringContaining("is not the backup's") as string });

  await copyFile(join(home, "old"), join(home, "master.key"));
  const refused = await PortalProcess.start(env, { program: "gateway" });
  expect(await refused.ended).toBe(1);
  expect(refused.errors).toContain(`does not fit the database, which is encrypted with ${next.id}`);
});

it("reset-admin: creates an account in a portal with its own database, running or stopped", async () => {
  const home = await preparedHome();
  const env = { FAIRWAY_HOME: home };
  const portal = await PortalProcess.start(env, { program: "gateway" });
  const address = await portal.address();
  const statusOfSignIn = async (origin: string, username: string) =>
    (
      await fetch(`${origin}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password }),
      })
    ).status;
  expect(await run(["reset-admin", "rescue"], env, password)).toMatchObject({
    code: 0,
    out: expect.stringContaining("rescue is created") as string,
  });
  expect(await statusOfSignIn(address, "rescue")).toBe(200);
  await portal.stop();
  expect(await run(["reset-admin", "second"], env, password)).toMatchObject({
    code: 0,
    out: expect.stringContaining("second is created") as string,
  });
});
