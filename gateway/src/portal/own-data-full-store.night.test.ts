import { execFile } from "node:child_process";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { OwnData } from "@fairway/contract/own-datasets";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type OwnDataGateway, ownDataGateways } from "#testing/own-data-gateways.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { temporaryFolder } from "#testing/portal-process.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const execute = promisify(execFile);
const megabyte = 1_048_576;

/** A folder on a small file system of its own; undefined where mounting is not allowed. */
async function smallFolder(onClose: (close: () => Promise<unknown>) => void): Promise<string | undefined> {
  const folder = await temporaryFolder((close) => onClose(async () => close()));
  const isMounted = await execute("mount", ["-t", "tmpfs", "-o", "size=160m,mode=700", "tmpfs", folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  onClose(() => execute("umount", ["--lazy", folder]));
  return folder;
}

const closing: (() => unknown)[] = [];
const onClose = (close: () => unknown) => void closing.push(close);
const home = await smallFolder(onClose);
if (home === undefined) noteNotRun("a store of own data that is full", "mounting a file system is not allowed here");

describe.skipIf(home === undefined)("a store that is full", () => {
  const folder = home ?? "";
  const filler = join(folder, "filler");
  let portal: Awaited<ReturnType<typeof ownDataGateways>>;
  let gateway: OwnDataGateway;

  beforeAll(async () => {
    portal = await ownDataGateways({ home: folder, onClose });
    gateway = portal.first;
  });

  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  /** Fills the file system but for so many bytes. */
  const fill = async (rest: number) => {
    const handle = await open(filler, "a");
    for (let left = await free(); left > rest; left = await free()) await handle.appendFile(Buffer.alloc(Math.min(megabyte, left - rest)));
    await handle.close();
  };
  const empty = () => rm(filler, { force: true });

  afterEach(() => rm(filler, { force: true }));

  const expectNothingLeft = async () => {
    await empty();
    const { body } = await gateway.call<OwnData>("ada", "GET", "/ownDatasets");
    for (const { id } of body.datasets) await gateway.call("ada", "DELETE", `/ownDatasets/${id}?now=true`);
    await portal.passADay();
    await gateway.process.stop();
    gateway = await portal.start();
    await portal.balanced(0);
    await portal.tidy();
    expect(await portal.problems()).toEqual([]);
  };

  /** Rows that no compression makes small. */
  const rows = Buffer.from(
    `name,size\n${Array.from({ length: 400_000 }, (_, index) => `${((index * 2_654_435_761) % 4_294_967_296).toString(36)}${((index * 40_503) % 65_537).toString(36)},${(index * 48_271) % 2_147_483_647}`).join("\n")}\n`,
  );

  it("refuses parts, and takes them once there is room", async () => {
    const started = await gateway.start("ada", { "things.csv": rows });
    await fill(megabyte);
    expect(await gateway.sendPart("ada", started, 1, 1, rows)).toBe(507);
    expect((await gateway.call("ada", "GET", `/imports/${started.id}`)).body).toMatchObject({ files: [{ received: [] }] });
    await empty();
    expect(await gateway.sendPart("ada", started, 1, 1, rows)).toBe(204);
    expect((await gateway.call("ada", "POST", `/imports/${started.id}/complete`)).status).toBe(202);
    expect(await gateway.settled("ada", started.id)).toMatchObject({ status: "ready", reading: { rows: 400_000 } });
    await expectNothingLeft();
  });

  it("keeps the parts when they cannot be joined", async () => {
    const content = Buffer.concat([rows, rows.subarray(rows.indexOf(10) + 1), rows.subarray(rows.indexOf(10) + 1)]);
    const { id, files } = await gateway.upload("ada", { "things.csv": content });
    expect(files[0]?.partBytes).toBeLessThan(content.length);
    await fill(megabyte);
    expect((await gateway.call("ada", "POST", `/imports/${id}/complete`)).status).toBe(507);
    await empty();
    expect((await gateway.call("ada", "POST", `/imports/${id}/complete`)).status).toBe(202);
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 1_200_000 } });
    await expectNothingLeft();
  });

  it("fails while files are unpacked, says why, and takes no room; later the files are read", async () => {
    const { id } = await gateway.upload("ada", { "things.csv.gz": gzipSync(rows) });
    await fill(megabyte);
    await gateway.call("ada", "POST", `/imports/${id}/complete`);
    expect(await gateway.settled("ada", id)).toMatchObject({
      status: "failed",
      failure: { message: expect.stringMatching(/full/) as string },
    });
    await portal.balanced();
    await portal.tidy();
    await empty();
    expect((await gateway.call("ada", "PUT", `/imports/${id}/choices`, {})).status).toBe(202);
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "ready", reading: { rows: 400_000 } });
    await expectNothingLeft();
  });

  it("fails while a dataset is created, shows nothing of it, and takes no room; later it is created", async () => {
    const { id } = await gateway.read("ada", { "things.csv": rows });
    await fill(megabyte);
    await gateway.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" });
    expect(await gateway.settled("ada", id)).toMatchObject({
      status: "failed",
      failure: { message: expect.stringMatching(/full/) as string },
    });
    expect((await gateway.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets).toEqual([]);
    await portal.balanced();
    await portal.tidy();
    await empty();
    expect((await gateway.call("ada", "POST", `/imports/${id}/dataset`, { name: "things" })).status).toBe(202);
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
    expect(await gateway.count("ada", "things")).toBe(400_000);
    await portal.balanced();
    await expectNothingLeft();
  });

  it("leaves a dataset as it was when rows cannot be appended", async () => {
    await gateway.dataset("ada", "things", Buffer.from("name,size\na,1\n"));
    const into = { datasetCategory: "~ada", datasetId: "things", mode: "append" as const };
    const { id } = await gateway.read("ada", { "more.csv": rows }, { into });
    await fill(megabyte);
    await gateway.call("ada", "POST", `/imports/${id}/dataset`, {});
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "failed" });
    expect(await gateway.count("ada", "things")).toBe(1);
    await portal.balanced();
    await empty();
    await gateway.call("ada", "POST", `/imports/${id}/dataset`, {});
    expect(await gateway.settled("ada", id)).toMatchObject({ status: "done" });
    await expect.poll(() => gateway.count("ada", "things")).toBe(400_001);
    await expectNothingLeft();
  });
});

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});
