/** The key of a file in a store: one or more segments joined by slashes. Created by `fileKey` only. */
export type FileKey = string & { readonly isFileKey: true };

const maxKeyBytes = 1_024;
/** File name limit of common file systems. */
const maxSegmentBytes = 255;

/** Validates a key; drivers do not check again. Throws UnsafeKey. */
export function fileKey(...segments: readonly string[]): FileKey {
  const key = segments.join("/");
  if (!isFileKey(key)) throw new UnsafeKey(key);
  return key;
}

/** Whether `fileKey` accepts it. */
export const isFileKey = (key: string): key is FileKey =>
  key !== "" && Buffer.byteLength(key) <= maxKeyBytes && key.split("/").every(isSafeSegment);

/** The prefix of a listing: empty, or a safe key followed by a slash. Throws UnsafeKey. */
export function filePrefix(prefix: string): string {
  if (prefix === "") return prefix;
  if (!prefix.endsWith("/")) throw new UnsafeKey(prefix);
  return `${fileKey(prefix.slice(0, -1))}/`;
}

const isSafeSegment = (segment: string): boolean =>
  segment !== "" &&
  segment !== "." &&
  segment !== ".." &&
  Buffer.byteLength(segment) <= maxSegmentBytes &&
  !/[\\\p{Cc}\p{Cs}]/u.test(segment);

export class UnsafeKey extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 200))} is not a safe name for a file`);
    this.name = "UnsafeKey";
  }
}
