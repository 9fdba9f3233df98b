import { describe, expect, it } from "vitest";
import { Crc32c, withCrc32c } from "./crc32c.ts";
import { PartDamaged } from "./storage.ts";

const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

async function* inPieces(content: Buffer, bytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.length; start += bytes) yield content.subarray(start, start + bytes);
}

describe("the checksum of a part", () => {
  // The examples of RFC 3720, B.4, and the check value of the catalog of CRC algorithms.
  it.each([
    ["no bytes", Buffer.alloc(0), "00000000"],
    ["32 zeros", Buffer.alloc(32), "8a9136aa"],
    ["32 times 255", Buffer.alloc(32, 255), "62a8ab43"],
    ["0 to 31", Buffer.from(Array.from({ length: 32 }, (_, index) => index)), "46dd794e"],
    ["digits", Buffer.from("123456789"), "e3069283"],
  ])("is CRC32C, in whatever pieces it arrives: %s", async (_, content, expected) => {
    for (const bytes of [1, 5, 64]) {
      const checksum = new Crc32c();
      for await (const piece of inPieces(content, bytes)) checksum.add(piece);
      expect(checksum.toString()).toBe(base64(expected));
    }
  });

  it("lets content through that has it, and ends other content with an error", async () => {
    const read = async (expected: string | undefined): Promise<string> => {
      const pieces: Uint8Array[] = [];
      for await (const piece of withCrc32c(inPieces(Buffer.from("123456789"), 4), expected)) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    expect([await read(base64("e3069283")), await read(undefined)]).toEqual(["123456789", "123456789"]);
    await expect(read(base64("e3069284"))).rejects.toBeInstanceOf(PartDamaged);
  });
});
