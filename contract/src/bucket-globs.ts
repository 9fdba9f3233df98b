/** Files of a dataset in a bucket: `s3://bucket/pattern`. */
export interface BucketGlob {
  readonly bucket: string;
  /** A key in which `*`, `?`, `[…]` and `**` stand for others, as in globs of the data folder. */
  readonly pattern: string;
}

const scheme = "s3://";

/** Names that AWS and the common servers accept. Also keeps out access points, whose names are addresses. */
export const bucketName = /^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/i;

export const isBucketGlob = (glob: string): boolean => glob.startsWith(scheme);

/** Undefined if it is not the address of files in a bucket. */
export function parseBucketGlob(glob: string): BucketGlob | undefined {
  if (!isBucketGlob(glob)) return undefined;
  const [bucket = "", ...segments] = glob.slice(scheme.length).split("/");
  const isPattern = segments.length > 0 && segments.every((segment) => !["", ".", ".."].includes(segment)) && !/\p{Cc}/u.test(glob);
  return isPattern && bucketName.test(bucket) ? { bucket, pattern: segments.join("/") } : undefined;
}

/** The folder of a pattern whose files it may match, as a prefix of keys: empty, or ending in a slash. */
export function folderOfPattern(pattern: string): string {
  const segments = pattern.split("/").slice(0, -1);
  const first = segments.findIndex((segment) => /[*?[]/.test(segment.replaceAll(escapedCharacter, "")));
  const fixed = first === -1 ? segments : segments.slice(0, first);
  return fixed.map((segment) => `${unescapePattern(segment)}/`).join("");
}

const escapedCharacter = /\[([*?[])\]/g;

/** The text of a pattern in which `[*]`, `[?]` and `[[]` stand for the characters themselves. */
export const unescapePattern = (pattern: string): string => pattern.replaceAll(escapedCharacter, "$1");

/** Whether a pattern matches one key only. */
export const isSingleKey = (pattern: string): boolean => !/[*?[]/.test(pattern.replaceAll(escapedCharacter, ""));
