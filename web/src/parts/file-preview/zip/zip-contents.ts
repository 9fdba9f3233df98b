import { loadBytes } from "../load-file.ts";
import type { PreviewFile } from "../preview-type.ts";

export interface ZipEntry {
  /** As text only: never a path that anything is written to. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes, as the archive claims. */
  readonly size: number;
  readonly compressedSize: number;
  /** Local time of whoever packed it, as if it were UTC; NaN if it is none. */
  readonly modifiedMs: number;
}

export interface ZipContents {
  readonly entries: readonly ZipEntry[];
  /** There are more entries. */
  readonly isCut: boolean;
}

const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;
const entrySignature = 0x02014b50;
const endSize = 22;
const locator64Size = 20;
const entrySize = 46;
/** The end record is followed by a comment of up to 65,535 bytes. */
const tailBytes = endSize + 65_535;
const maxDirectoryBytes = 16_000_000;
const maxEntries = 200_000;
const in32Bits = 0xffffffff;

/** Reads the list at the end of a zip file. Nothing is unpacked. Throws if there is no list where the file says. */
export async function loadZip(file: PreviewFile, signal: AbortSignal): Promise<ZipContents> {
  const tailStart = Math.max(0, file.size - tailBytes);
  const tail = new DataView(await loadBytes(file, signal, { start: tailStart }));
  const end = endRecordOf(tail);
  if (end === undefined) throw new Error("The file is not a zip archive, or it is cut off.");
  const directory = await directoryOf(file, signal, tail, end);
  if (directory.offset + directory.size > file.size) throw new Error("The zip archive is cut off: its list of files is missing.");
  const stop = directory.offset + Math.min(directory.size, maxDirectoryBytes);
  const bytes =
    directory.offset >= tailStart
      ? tail.buffer.slice(directory.offset - tailStart, stop - tailStart)
      : await loadBytes(file, signal, { start: directory.offset, end: stop });
  return parseDirectory(bytes, directory.size > maxDirectoryBytes);
}

/** Offset of the end record in the last bytes: the last one whose comment reaches the end of the file. */
function endRecordOf(tail: DataView): number | undefined {
  for (let offset = tail.byteLength - endSize; offset >= 0; offset -= 1) {
    if (tail.getUint32(offset, true) === endSignature && offset + endSize + tail.getUint16(offset + 20, true) <= tail.byteLength)
      return offset;
  }
  return undefined;
}

async function directoryOf(file: PreviewFile, signal: AbortSignal, tail: DataView<ArrayBuffer>, end: number) {
  const size = tail.getUint32(end + 12, true);
  const offset = tail.getUint32(end + 16, true);
  const locator = end - locator64Size;
  if (locator < 0 || tail.getUint32(locator, true) !== locator64Signature) return { size, offset };
  const start = Number(tail.getBigUint64(locator + 8, true));
  if (start + 56 > file.size) throw new Error("The zip archive is cut off: its list of files is missing.");
  const record = new DataView(await loadBytes(file, signal, { start, end: start + 56 }));
  if (record.getUint32(0, true) !== end64Signature) throw new Error("The zip archive is damaged: its list of files is not where it says.");
  return { size: Number(record.getBigUint64(40, true)), offset: Number(record.getBigUint64(48, true)) };
}

/** Goes by what is there, whatever number of entries the archive claims. */
function parseDirectory(bytes: ArrayBuffer, isPart: boolean): ZipContents {
  const view = new DataView(bytes);
  const entries: ZipEntry[] = [];
  let offset = 0;
  while (offset + entrySize <= view.byteLength) {
    if (view.getUint32(offset, true) !== entrySignature) {
      if (entries.length === 0) throw new Error("The zip archive is damaged: its list of files is not where it says.");
      break;
    }
    const nameStart = offset + entrySize;
    const extraStart = nameStart + view.getUint16(offset + 28, true);
    const next = extraStart + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
    if (next > view.byteLength) {
      if (isPart) break;
      throw new Error("The zip archive is damaged: an entry is longer than the list of files.");
    }
    if (entries.length >= maxEntries) return { entries, isCut: true };
    const isUtf8 = (view.getUint16(offset + 8, true) & 0x800) !== 0;
    const name = nameOf(new Uint8Array(bytes, nameStart, extraStart - nameStart), isUtf8);
    entries.push({ name, isFolder: /[/\\]$/.test(name), modifiedMs: modifiedOf(view, offset), ...sizesOf(view, offset, extraStart) });
    offset = next;
  }
  return { entries, isCut: isPart };
}

function sizesOf(view: DataView, offset: number, extraStart: number): Pick<ZipEntry, "size" | "compressedSize"> {
  const sizes = { compressedSize: view.getUint32(offset + 20, true), size: view.getUint32(offset + 24, true) };
  if (sizes.size !== in32Bits && sizes.compressedSize !== in32Bits) return sizes;
  const extraEnd = extraStart + view.getUint16(offset + 30, true);
  for (let field = extraStart; field + 4 <= extraEnd; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let at = field + 4;
    const fieldEnd = Math.min(extraEnd, at + view.getUint16(field + 2, true));
    for (const name of ["size", "compressedSize"] as const) {
      if (sizes[name] !== in32Bits || at + 8 > fieldEnd) continue;
      sizes[name] = Number(view.getBigUint64(at, true));
      at += 8;
    }
    break;
  }
  return sizes;
}

function modifiedOf(view: DataView, offset: number): number {
  const [time, date] = [view.getUint16(offset + 12, true), view.getUint16(offset + 14, true)];
  const [month, day] = [(date >> 5) & 15, date & 31];
  if (month < 1 || month > 12 || day < 1) return Number.NaN;
  return Date.UTC(1980 + (date >> 9), month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

/** The upper half of the alphabet of the first PCs, in which names are that are not UTF-8. */
const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";
/** Characters that would hide or reorder others. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
  return decodeName(bytes, isUtf8).replaceAll(deceptive, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return new TextDecoder().decode(bytes);
  try {
    // Many programs write UTF-8 without saying so.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (codePage437[byte - 128] ?? "?"))).join("");
  }
}
