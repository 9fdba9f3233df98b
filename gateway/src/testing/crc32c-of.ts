import { Crc32c } from "#storage/crc32c.ts";

/** The checksum that a sender names for this content. */
export function crc32cOf(content: string | Uint8Array): string {
  const checksum = new Crc32c();
  checksum.add(Buffer.from(content));
  return checksum.toString();
}
