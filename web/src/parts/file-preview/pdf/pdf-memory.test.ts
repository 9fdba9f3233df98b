import { expect, it } from "vitest";
import { boundArrays } from "./pdf-memory.ts";

it("allows arrays and unpacked streams up to a limit", async () => {
  const scope = { Uint8Array, DecompressionStream };
  boundArrays(scope, 1_000);
  const bytes = new scope.Uint8Array(1_000);
  expect([bytes.length, bytes instanceof scope.Uint8Array, bytes instanceof Uint8Array]).toEqual([1_000, true, true]);
  expect(new scope.Uint8Array([1, 2]).subarray(1)).toEqual(new Uint8Array([2]));
  expect(() => new scope.Uint8Array(1_001)).toThrow(RangeError);
  const unpacked = async (length: number) => {
    const packed = new Blob([new Uint8Array(length)]).stream().pipeThrough(new CompressionStream("deflate"));
    return (await new Response(packed.pipeThrough(new scope.DecompressionStream("deflate"))).arrayBuffer()).byteLength;
  };
  expect(await unpacked(1_000)).toBe(1_000);
  await expect(unpacked(1_001)).rejects.toThrow("too large when it is unpacked");
});
