import crc32c from "crc-32/crc32c.js";
import { PartDamaged } from "./storage.ts";

/** The checksum of content that arrives in chunks. */
export class Crc32c {
  #value = 0;

  add(chunk: Uint8Array): void {
    this.#value = crc32c.buf(chunk, this.#value);
  }

  /** Four bytes, most significant first, in base64, as S3 writes it. */
  toString(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(this.#value);
    return bytes.toString("base64");
  }
}

/** The content itself. It ends with PartDamaged if it does not have the expected checksum; undefined = any. */
export async function* withCrc32c(content: AsyncIterable<Uint8Array>, expected: string | undefined, checksum = new Crc32c()) {
  for await (const chunk of content) {
    checksum.add(chunk);
    yield chunk;
  }
  if (expected !== undefined && checksum.toString() !== expected) throw new PartDamaged(`the checksum is not ${expected}`);
}
