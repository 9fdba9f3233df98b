import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { fileTypeOf } from "@fairway/contract/file-types";
import type { ByteRange, FileInfo } from "#storage/storage.ts";
import { attachment } from "./attachment.ts";
import { matchesEtag } from "./etags.ts";
import { exactLength } from "./exact-length.ts";
import type { FileHeaders, StreamedAnswer } from "./handlers.ts";
import { Refusal } from "./refusal.ts";

/** Files come from many hands: a browser that opens one directly must not run anything, and must not take it for a page of the portal. */
export const filePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; frame-ancestors 'none'";

/** A file that changes more often than it can be opened is not answered. */
const maxAttempts = 5;

interface ServedFile extends FileInfo {
  /** Name for saving, without folders. */
  readonly name: string;
}

/**
 * Answers a file, a range of it, or 304 if the caller has it already. `open` is called only if content is sent, and again if the
 * file has changed, so that headers and content are of one version. Several ranges at once are answered with the whole file
 * (RFC 9110, 14.2). Refuses a range beyond the end.
 */
export async function answerFile(
  file: ServedFile,
  headers: FileHeaders,
  open: (range: ByteRange) => Promise<FileInfo & { readonly content: Readable }>,
  attempt = 1,
): Promise<StreamedAnswer> {
  const etag = etagOf(file);
  const common = {
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": attachment(file.name),
    "content-security-policy": filePolicy,
    etag,
    "last-modified": file.lastModified.toUTCString(),
  };
  const contentType = fileTypeOf(file.name).mediaType;
  if (matchesEtag(headers.ifNoneMatch, etag)) return { contentType, status: 304, headers: common, chunks: [] };
  const range = isCurrent(headers.ifRange, file, etag) ? rangeOf(headers.range, file.size) : undefined;
  const length = range === undefined ? file.size : range.end - range.start + 1;
  const answer = {
    contentType,
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      "content-length": String(length),
      ...(range === undefined ? {} : { "content-range": `bytes ${range.start}-${range.end}/${file.size}` }),
    },
  } as const;
  if (headers.isHead || length === 0) return { ...answer, chunks: [] };
  const { content, size, lastModified } = await open(range ?? { start: 0, end: file.size - 1 });
  if (size === file.size && lastModified.getTime() === file.lastModified.getTime()) {
    return { ...answer, chunks: exactLength(content, length) };
  }
  content.destroy();
  if (attempt === maxAttempts) throw new Refusal("not-ready", "The file keeps changing. Try again later.", { retryAfterSeconds: 5 });
  return answerFile({ ...file, size, lastModified }, headers, open, attempt + 1);
}

const etagOf = ({ key, size, lastModified }: FileInfo): string =>
  `"${createHash("sha256").update(`${key}\n${size}\n${lastModified.getTime()}`).digest("base64url").slice(0, 22)}"`;

function isCurrent(ifRange: string | undefined, { lastModified }: FileInfo, etag: string): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified.toUTCString();
}

/** Undefined for a header that is missing, of another unit, malformed or of several ranges. */
function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(size - 1, Number(last));
  if (start >= size || (first === "" && Number(last) === 0))
    throw new Refusal("range-not-satisfiable", `The file ends after ${size} bytes.`);
  return end < start ? undefined : { start, end };
}
