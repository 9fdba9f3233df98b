// @ts-check
import { gzipSync } from "node:zlib";

/** @typedef {{ path: string, content: Buffer, executable?: boolean }} PackedFile */

const blockBytes = 512;
/** 1985-10-26, as npm packs it: older times confuse some tools. */
const mtimeSeconds = 499_162_500;

/**
 * A gzipped tar of the files below `package/`, as npm installs it. The same files give the same bytes.
 * @param {readonly PackedFile[]} files
 */
export function npmPackage(files) {
  const entries = files.flatMap(({ path, content, executable }) => [
    header(`package/${path}`, content.length, executable === true ? 0o755 : 0o644),
    content,
    Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
  ]);
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)]), { level: 9 });
}

/**
 * @param {string} path
 * @param {number} size
 * @param {number} mode
 */
function header(path, size, mode) {
  if (Buffer.byteLength(path) > 100) throw new Error(`the path ${path} is too long for a tar header`);
  const block = Buffer.alloc(blockBytes);
  /** @type {(value: number, digits: number) => string} */
  const octal = (value, digits) => `${value.toString(8).padStart(digits, "0")}\0`;
  block.write(path, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(mtimeSeconds, 11), 136);
  block.write(" ".repeat(8), 148);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  let checksum = 0;
  for (const byte of block) checksum += byte;
  block.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
