export interface ZipEntryFields {
  name: string | Uint8Array<ArrayBuffer>;
  size?: number;
  compressedSize?: number;
  /** Bit 11: the name is UTF-8. */
  flags?: number;
  date?: number;
  time?: number;
  extra?: Uint8Array<ArrayBuffer>;
}

interface ZipOptions {
  /** Added in place of the true number and place of the entries. */
  claimedEntries?: number;
  claimedOffset?: number;
  comment?: string;
  /** The list is described by the records for large archives only. */
  isZip64?: boolean;
}

/** A zip archive without contents: only the list that previews read. */
export function zipFile(entries: readonly ZipEntryFields[], options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const directory = entries.map(
    ({ name, size = 0, compressedSize = size, flags = 0, date = 0x333d, time = 0x4800, extra = new Uint8Array() }) => {
      const bytes = typeof name === "string" ? encoder.encode(name) : name;
      const head = new DataView(new ArrayBuffer(46));
      head.setUint32(0, 0x02014b50, true);
      head.setUint16(8, flags, true);
      head.setUint16(12, time, true);
      head.setUint16(14, date, true);
      head.setUint32(20, compressedSize, true);
      head.setUint32(24, size, true);
      head.setUint16(28, bytes.length, true);
      head.setUint16(30, extra.length, true);
      return [new Uint8Array(head.buffer), bytes, extra];
    },
  );
  const list = join(directory.flat());
  const prefix = encoder.encode("contents that nobody reads");
  const offset = options.claimedOffset ?? prefix.length;
  const claimed = options.claimedEntries ?? entries.length;
  const comment = encoder.encode(options.comment ?? "");
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, claimed, true);
  end.setUint16(10, claimed, true);
  end.setUint32(12, options.isZip64 ? 0xffffffff : list.length, true);
  end.setUint32(16, options.isZip64 ? 0xffffffff : offset, true);
  end.setUint16(20, comment.length, true);
  const large = options.isZip64 ? [recordOf(list.length, offset), locatorOf(prefix.length + list.length)] : [];
  return join([prefix, list, ...large, new Uint8Array(end.buffer), comment]);
}

function recordOf(size: number, offset: number): Uint8Array<ArrayBuffer> {
  const record = new DataView(new ArrayBuffer(56));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(40, BigInt(size), true);
  record.setBigUint64(48, BigInt(offset), true);
  return new Uint8Array(record.buffer);
}

function locatorOf(offset: number): Uint8Array<ArrayBuffer> {
  const locator = new DataView(new ArrayBuffer(20));
  locator.setUint32(0, 0x07064b50, true);
  locator.setBigUint64(8, BigInt(offset), true);
  return new Uint8Array(locator.buffer);
}

function join(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
