import { randomBytes } from "node:crypto";
import { type FileHandle, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fileKey } from "./key.ts";
import { FileTooLarge } from "./storage.ts";
import { writeContent } from "./write-content.ts";

const key = fileKey("f");
let handle: FileHandle;
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fairway-write-"));
  path = join(folder, "f");
  handle = await open(path, "wx");
  onTestFinished(async () => {
    await handle.close();
    await rm(folder, { recursive: true });
  });
});

async function* inChunks(content: Buffer, bytes: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.byteLength; from += bytes) yield content.subarray(from, from + bytes);
  if (failure) throw failure;
}

const write = (content: AsyncIterable<Uint8Array>, maxBytes = Infinity) => writeContent(handle, key, content, maxBytes);

describe("writing the content of a file", () => {
  it.each([1, 65_536, 1_048_575, 3_000_000])("stores chunks of up to %i bytes in their order", async (bytes) => {
    const content = randomBytes(Math.min(5_000_000, bytes * 100) + 1);
    await write(inChunks(content, bytes));
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  it("writes the rest of a batch that the system wrote in part only", async () => {
    const content = randomBytes(3_000_000);
    const writev = handle.writev.bind(handle);
    vi.spyOn(handle, "writev").mockImplementationOnce(async (buffers) => {
      const [first] = buffers;
      return writev(first === undefined ? [] : [Buffer.from(first.buffer, first.byteOffset, 1_000)]) as never;
    });
    await write(inChunks(content, 65_536));
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  it("accepts exactly the limit, and rejects one byte more", async () => {
    await write(inChunks(randomBytes(2_000_000), 65_536), 2_000_000);
    await expect(write(inChunks(randomBytes(2_000_001), 65_536), 2_000_000)).rejects.toBeInstanceOf(FileTooLarge);
  });

  it.each(["writev", "datasync", "sync"] as const)("fails if %s fails, also in the background", async (method) => {
    const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
    vi.spyOn(handle, method).mockRejectedValueOnce(full);
    await expect(write(inChunks(Buffer.alloc(80_000_000), 1_048_576))).rejects.toBe(full);
  });

  it("does nothing any more when it has failed", async () => {
    let running = 0;
    for (const method of ["writev", "datasync"] as const) {
      const original = handle[method].bind(handle) as (...args: unknown[]) => Promise<unknown>;
      vi.spyOn(handle, method).mockImplementation(async (...args: unknown[]) => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return original(...args).finally(() => (running -= 1)) as never;
      });
    }
    await expect(write(inChunks(Buffer.alloc(8_000_000), 1_048_576, new Error("cut off")))).rejects.toThrow("cut off");
    expect(running).toBe(0);
  });
});
