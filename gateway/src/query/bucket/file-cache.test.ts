import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundledProgram } from "#testing/bundled-program.ts";
import { FileCache, type HeldFiles, type RemoteFile } from "./file-cache.ts";
import { cachedFiles } from "./test-bucket.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fairway-file-cache-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;

const open = (maxBytes = 1_000, waitMs = 100): Promise<FileCache> => FileCache.open({ folder, maxBytes, downloadsAtOnce: 4, waitMs });

/** A file of 100 bytes; counts how often it is read. */
function file(id: string, content = id.repeat(100).slice(0, 100)): RemoteFile & { reads: number } {
  const remote = {
    id,
    path: "data.csv",
    size: 100,
    reads: 0,
    read: (from: number) => {
      remote.reads += 1;
      return Promise.resolve(Readable.from([Buffer.from(content).subarray(from)]));
    },
  };
  return remote;
}

/** Sends half of the file, and never the rest. */
function endlessFile(id: string) {
  let ended: unknown;
  const remote = {
    ...file(id),
    read: (_: number, aborted: AbortSignal) => {
      const content = new PassThrough();
      content.write(Buffer.alloc(50, id));
      aborted.addEventListener("abort", () => {
        ended = aborted.reason;
        content.destroy(aborted.reason as Error);
      });
      return Promise.resolve(content);
    },
  };
  return { remote, reasonOfEnd: () => ended };
}

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "held",
    (error: Error & { reason?: string }) => error.reason ?? error.message,
  );

const contentOf = async ({ paths }: HeldFiles) =>
  (await Promise.all(paths.map((one) => readFile(one, "utf8")))).map((text) => text[0]).join("");

describe("copies", () => {
  it("are made once for all who wait, and again only after they have been removed", async () => {
    const cache = await open();
    const [a, b] = [file("a"), file("b")];
    const held = await Promise.all([cache.hold([a, b], signal), cache.hold([b, a], signal), cache.hold([a], signal)]);
    expect([a.reads, b.reads, await Promise.all(held.map(contentOf))]).toEqual([1, 1, ["ab", "ba", "a"]]);
    for (const { release } of held) release();
    const c = Array.from({ length: 10 }, (_, index) => file(`c${index}`));
    (await cache.hold(c, signal)).release();
    (await cache.hold([a], signal)).release();
    expect([a.reads, cache.metrics]).toEqual([2, expect.objectContaining({ bytes: 1_000, files: 10, heldBytes: 0, evictions: 3 })]);
  });

  it("make room for others by their last use, and never while they are held", async () => {
    const cache = await open(300);
    const [a, b, c, d] = [file("a"), file("b"), file("c"), file("d")];
    const held = await cache.hold([a], signal);
    (await cache.hold([b], signal)).release();
    (await cache.hold([c], signal)).release();
    (await cache.hold([b], signal)).release();
    (await cache.hold([d], signal)).release();
    (await cache.hold([b], signal)).release();
    expect([await contentOf(held), b.reads, (await cachedFiles(folder)).toSorted()]).toEqual([
      "a",
      1,
      ["a-100/data.csv", "b-100/data.csv", "d-100/data.csv"],
    ]);
  });

  it("wait for room that others hold, and are refused if it does not become free", async () => {
    const cache = await open(300, 60_000);
    const held = await cache.hold([file("a"), file("b")], signal);
    const waiting = cache.hold([file("c"), file("d")], signal);
    expect(await reasonOf(cache.hold([file("b"), file("c")], signal))).toBe("held");
    held.release();
    expect(await contentOf(await waiting)).toBe("cd");
    const busy = await FileCache.open({ folder: path.join(folder, "other"), maxBytes: 300, downloadsAtOnce: 1, waitMs: 50 });
    await busy.hold([file("a"), file("b")], signal);
    expect(await reasonOf(busy.hold([file("c"), file("d")], signal))).toBe("busy");
    expect(await reasonOf(busy.hold([file("a"), file("b"), file("c"), file("d")], signal))).toBe("not-ready");
  });

  it("end when nobody waits for them, and not before", async () => {
    const cache = await open();
    const { remote, reasonOfEnd } = endlessFile("s");
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [reasonOf(cache.hold([remote], first.signal)), reasonOf(cache.hold([remote], second.signal))];
    await expect.poll(() => cachedFiles(folder)).toHaveLength(1);
    first.abort(new Error("left"));
    expect([await waiting[0], reasonOfEnd()]).toEqual(["left", undefined]);
    second.abort(new Error("left, too"));
    expect(await waiting[1]).toBe("left, too");
    expect(reasonOfEnd()).toMatchObject({ message: "nobody waits for the file any more" });
    await expect.poll(() => cachedFiles(folder)).toEqual([]);
    expect(cache.metrics).toMatchObject({ bytes: 0, heldBytes: 0, files: 0 });
  });

  it("that do not have their length are not kept", async () => {
    const cache = await open();
    expect(await reasonOf(cache.hold([file("short", "x".repeat(99))], signal))).toBe("the file is shorter than its length");
    expect(await reasonOf(cache.hold([file("long", "x".repeat(101))], signal))).toBe("the file is longer than its length");
    expect([await cachedFiles(folder), cache.metrics.bytes]).toEqual([[], 0]);
  });

  it("that the disk has no room for are refused once others have made room in vain", async () => {
    const cache = await open();
    const full = (times: number): RemoteFile => {
      let left = times;
      const good = file("f");
      const read = (from: number, aborted: AbortSignal): Promise<Readable> => {
        left -= 1;
        return left >= 0 ? Promise.reject(Object.assign(new Error("write"), { code: "ENOSPC" })) : good.read(from, aborted);
      };
      return { ...good, read };
    };
    expect(await reasonOf(cache.hold([full(1)], signal))).toBe("not-ready");
    (await cache.hold([file("a"), file("b")], signal)).release();
    expect(await reasonOf(cache.hold([full(1)], signal))).toBe("held");
    expect((await cachedFiles(folder)).length).toBe(2);
    await expect(cache.hold([{ ...full(2), id: "g" }], signal)).rejects.toThrow("has no space for copies");
    // The disk may have had some room: a smaller copy is enough.
    const small = { ...file("s"), size: 50, read: () => Promise.resolve(Readable.from([Buffer.alloc(50, "s")])) };
    (await cache.hold([small], signal)).release();
    expect(await reasonOf(cache.hold([{ ...full(1), id: "h" }], signal))).toBe("held");
  });

  it("that somebody removed or cut are made again", async () => {
    const cache = await open();
    const a = file("a");
    const held = await cache.hold([a], signal);
    held.release();
    await truncate(held.paths[0] ?? "", 50);
    // A moment later than the last look at it.
    const later = await open();
    expect(await contentOf(await later.hold([a], signal))).toBe("a");
    expect([a.reads, (await stat(held.paths[0] ?? "")).size]).toEqual([2, 100]);
  });
});

describe("a cache that is opened again", () => {
  it("has its whole copies, knows their last use, and nothing else is left", async () => {
    const before = await open();
    const [a, b] = [file("a"), file("b")];
    const { paths, release } = await before.hold([a, b], signal);
    release();
    await utimes(path.dirname(paths[0] ?? ""), 1, 1);
    await before.close();
    await mkdir(path.join(folder, ".parts"), { recursive: true });
    await writeFile(path.join(folder, ".parts/half"), "half");
    await mkdir(path.join(folder, "empty-100"));
    await mkdir(path.join(folder, "cut-100"));
    await writeFile(path.join(folder, "cut-100/data.csv"), "cut");
    await writeFile(path.join(folder, "stray"), "stray");
    const again = await open(200);
    expect((await cachedFiles(folder)).toSorted()).toEqual(["a-100/data.csv", "b-100/data.csv"]);
    (await again.hold([b], signal)).release();
    expect([b.reads, again.metrics.bytes]).toEqual([1, 200]);
    (await again.hold([file("c")], signal)).release();
    expect((await cachedFiles(folder)).toSorted()).toEqual(["b-100/data.csv", "c-100/data.csv"]);
    const smaller = await open(100);
    expect([smaller.metrics.files, smaller.metrics.bytes]).toEqual([1, 100]);
  });

  it("has nothing of a copy during which its process was killed", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-length": 1_000_000 });
      response.write(Buffer.alloc(500_000, "k"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => server.closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const program = await bundledProgram(new URL("../../testing/file-cache-child.ts", import.meta.url));
    const child = spawn(process.execPath, [program, folder, url, "1000000"], { stdio: "ignore" });
    await expect
      .poll(
        async () =>
          (await Promise.all((await cachedFiles(folder)).map((one) => stat(path.join(folder, one))))).some(({ size }) => size > 0),
        {
          timeout: 20_000,
        },
      )
      .toBe(true);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    server.close();
    const cache = await open(1e9);
    expect([await cachedFiles(folder), cache.metrics.files, cache.metrics.bytes]).toEqual([[], 0, 0]);
  });
});
