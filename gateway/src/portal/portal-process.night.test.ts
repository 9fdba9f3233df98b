import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { PortalProcess } from "#testing/portal-process.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";

// Starting a whole portal is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe("a running portal", () => {
  let home: string;
  let portal: PortalProcess;
  let address: string;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "fairway-test-"));
    closers.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    for (const folder of ["exports", "files/kept", "datasets"]) await mkdir(join(home, folder), { recursive: true });
    for (const folder of ["", "exports", "files", "datasets"]) await chmod(join(home, folder), 0o755);
    const variables = { FAIRWAY_HOME: home, FAIRWAY_TEST_FILE: join(home, "written") };
    portal = await PortalProcess.start(variables, { onClose: (close) => closers.push(close) });
    address = await portal.address();
  });

  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it("restricts its private folders and files to their owner, and warns about shared folders that others may read", async () => {
    const rightsOf = async (path: string) => ((await stat(join(home, path))).mode & 0o777).toString(8);
    const closed = { exports: "700", files: "700", written: "600", "master.key": "600", lock: "600" };
    for (const [path, rights] of Object.entries(closed)) expect([path, await rightsOf(path)]).toEqual([path, rights]);
    for (const path of ["", "datasets"]) {
      expect(await rightsOf(path)).toBe("755");
      expect(portal.output).toContain(`"folder":"${join(home, path)}","msg":"other users of this machine may read or write this folder`);
    }
  });

  // The last test of this portal.
  it("finishes the running request on repeated signals, refuses new ones, and stops the database last", async () => {
    const slow = fetch(`${address}/slow`);
    await portal.says(/slow request began/);
    portal.child.kill("SIGINT");
    await portal.says(/stopping/);
    portal.child.kill("SIGINT");
    portal.child.kill("SIGTERM");
    const isRefused = () =>
      fetch(address).then(
        () => false,
        () => true,
      );
    await vi.waitUntil(isRefused, { timeout: 20_000 });
    expect(await (await slow).json()).toEqual({ done: true });
    expect(await portal.ended).toBe(0);
    expect(portal.errors).toBe("");
    // A database server that shut down cleanly removes its pid file.
    expect(await readdir(join(home, "postgres/data"))).not.toContain("postmaster.pid");
  });
});

it("exits with code 0 when stopped during the start", async () => {
  const portal = await PortalProcess.start({ FAIRWAY_HOME: await preparedHome(), LOG_LEVEL: "debug" });
  await portal.says(/database system is ready/);
  expect(await portal.stop()).toBe(0);
  expect(portal.errors).toBe("");
  expect(portal.output).not.toContain("Fairway is ready");
});

it("exits with code 1 and prints only the problems to stderr when it cannot start", async () => {
  const portal = await PortalProcess.start({ PORT: "http", LOG_LEVEL: "loud", DATABASE_URL: inject("testPostgres").url });
  expect(await portal.ended).toBe(1);
  expect(portal.errors).toBe(
    'PORT is "http": expected a whole number from 0 to 65535 (0 takes a free port).\n' +
      'LOG_LEVEL is "loud": expected debug, info, warn, error or silent.\n',
  );
});
