import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { crc32cOf } from "#testing/crc32c-of.ts";
import { fileKey } from "./key.ts";
import { openLocalDisk } from "./local-disk.ts";
import { PartsFolder } from "./parts-folder.ts";
import { type PartContent, PartDamaged, type PartStore, type PartUploadId } from "./storage.ts";

const key = fileKey("a/f");

async function contentOf(path: string): Promise<string[]> {
  return (await readdir(path)).toSorted();
}

function sent(text: string, crc32c = crc32cOf(text)): PartContent {
  return { content: pieces(text), size: text.length, crc32c };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  for (const piece of text) yield Buffer.from(piece);
}

async function* brokenOff(text: string): AsyncGenerator<Uint8Array> {
  yield* pieces(text);
  throw new Error("the sender is gone");
}

async function setUp(check?: (path: string) => Promise<void>) {
  const home = await mkdtemp(join(tmpdir(), "fairway-parts-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const store = await openLocalDisk(join(home, "store"));
  const folder = new PartsFolder(join(home, "parts"), check);
  return { home, store, folder, parts: folder.of(store) };
}

const begin = async (parts: PartStore): Promise<PartUploadId> => ({ key, uploadId: await parts.begin(key), isChecked: true });

describe("parts in a folder", () => {
  it.each([1, 2])("stay when a file of %d parts could not be stored, so that it can be joined again", async (count) => {
    const { store, folder, home } = await setUp();
    const fails = { ...store, moveIn: () => Promise.reject(new Error("no such folder")) };
    const parts = folder.of(fails);
    const upload = await begin(parts);
    for (let part = 1; part <= count; part += 1) await parts.write(upload, part, sent(`part ${part}`));
    const list = await parts.list(upload);
    expect(list).toHaveLength(count);
    await expect(parts.join(upload, list)).rejects.toThrow("no such folder");
    expect(await parts.list(upload)).toEqual(list);
    await folder.of(store).join(upload, list);
    expect(await readFile(join(home, "store/kept/a/f"), "utf8")).toBe("part 1part 2".slice(0, 6 * count));
    expect(await contentOf(join(home, "parts"))).toEqual([]);
  });

  it("stay when the scanner could not run", async () => {
    let canScan = false;
    const { parts, home } = await setUp(async () => {
      if (!canScan) throw new Error("no scanner");
    });
    const upload = await begin(parts);
    await parts.write(upload, 1, sent("content"));
    await expect(parts.join(upload, await parts.list(upload))).rejects.toThrow("no scanner");
    canScan = true;
    await parts.join(upload, await parts.list(upload));
    expect(await readFile(join(home, "store/kept/a/f"), "utf8")).toBe("content");
  });

  it("are replaced only by a whole part with its checksum", async () => {
    const { parts, home } = await setUp();
    const upload = await begin(parts);
    await parts.write(upload, 1, sent("content"));
    await expect(parts.write(upload, 1, { ...sent("another"), content: brokenOff("ano") })).rejects.toThrow("the sender is gone");
    await expect(parts.write(upload, 1, sent("another", crc32cOf("content")))).rejects.toBeInstanceOf(PartDamaged);
    expect(await contentOf(join(home, "parts", upload.uploadId))).toEqual(["1"]);
    await parts.join(upload, await parts.list(upload));
    expect(await readFile(join(home, "store/kept/a/f"), "utf8")).toBe("content");
  });

  it("go to another store only whole, with their checksum", async () => {
    const { folder, parts, home } = await setUp();
    const received: [string, string | undefined][] = [];
    const whole = folder.wholeFirst({
      ...parts,
      write: async (_upload, _part, { content, crc32c }) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of content) chunks.push(chunk);
        received.push([Buffer.concat(chunks).toString(), crc32c]);
        return "tag";
      },
    });
    const upload = await begin(parts);
    await expect(whole.write(upload, 1, { ...sent("content"), content: brokenOff("cont") })).rejects.toThrow("the sender is gone");
    await expect(whole.write(upload, 1, sent("content", crc32cOf("other")))).rejects.toBeInstanceOf(PartDamaged);
    expect(received).toEqual([]);
    expect(await whole.write(upload, 1, { ...sent("content"), crc32c: undefined })).toBe("tag");
    expect(received).toEqual([["content", crc32cOf("content")]]);
    expect(await contentOf(join(home, "parts"))).toEqual([upload.uploadId]);
  });
});
