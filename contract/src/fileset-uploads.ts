import { z } from "zod";
import { filesetFile } from "./filesets.ts";
import { route } from "./route.ts";
import { recordOf } from "./records.ts";

const filesetParams = z.object({ id: z.string() });
const uploadParams = filesetParams.extend({ uploadId: z.string() });
const partParams = uploadParams.extend({ part: z.string() });

export const partUpload = z
  .object({
    uploadId: z.string(),
    /** Bytes of every part but the last, which has the rest. */
    partBytes: z.int(),
    /** Numbers of the parts that are stored, from 1. */
    received: z.array(z.int()),
  })
  .meta({ id: "PartUpload" });
export type PartUpload = z.infer<typeof partUpload>;

/** Number of parts of a file; an empty file has one, too. */
export const partCount = (size: number, partBytes: number): number => Math.max(1, Math.ceil(size / partBytes));

/** Byte range of a part in its file. `end` is exclusive. */
export function partRange(part: number, size: number, partBytes: number): { start: number; end: number } {
  const start = (part - 1) * partBytes;
  return { start, end: Math.min(size, start + partBytes) };
}

/** Header that a PUT to an address of the store has to send besides the content. */
export const checksumHeader = "x-amz-checksum-crc32c";

/** CRC32C (Castagnoli) of a content: four bytes, most significant first, in base64. */
export const crc32c = z.string().regex(/^[A-Za-z\d+/]{5}[AQgw]==$/, "is not a CRC32C: four bytes in base64");

/** Query of the call for the address of a part, of any upload in parts. */
export const partUrlQuery = z.object({
  /** Content with another checksum is refused where it arrives. Without it, the part goes through the portal. */
  crc32c: crc32c.optional(),
});

export const partUrl = z.object({
  uploadUrl: z.string(),
  /** Headers that the PUT has to send; missing = none. */
  headers: recordOf(z.string(), z.string()).optional(),
});

/** Query of the PUT of a part to the portal. */
export const partSignature = z.object({ signature: z.string().max(4_000) });

export const partConfirmation = z
  .object({
    /** The header ETag of the answer to the PUT, if the caller can read it. The file is joined only from this content of the part. */
    etag: z.string().max(200).optional(),
  })
  .optional();

/** Uploads of one file in parts, for large files: a lost connection costs one part. The file appears when all parts are joined. */
export const filesetUploads = {
  start: route({
    method: "POST",
    path: "/filesets/:id/uploads",
    access: "signed-in",
    summary: "Starts the upload of a file in parts, or continues the caller's unfinished upload of the same file.",
    params: filesetParams,
    body: z.object({
      file: z.string(),
      /** Bytes. */
      size: z.int().min(0),
      /** Tells versions of the file apart, such as by the time of its last change: an upload continues only with the same text. */
      version: z.string().max(200).default(""),
    }),
    response: partUpload,
    status: 201,
    apiKey: true,
  }),
  partUrl: route({
    method: "GET",
    path: "/filesets/:id/uploads/:uploadId/parts/:part",
    access: "signed-in",
    summary:
      "An address for one part, valid for a short time: PUT its bytes there, with the headers. Relative to the origin of this call unless it is absolute. A part that is stored already is replaced once the new one is whole.",
    params: partParams,
    query: partUrlQuery,
    response: partUrl,
    apiKey: true,
  }),
  part: route({
    method: "PUT",
    path: "/filesets/:id/uploads/:uploadId/parts/:part",
    access: "public",
    summary: "Stores one part, whole or not at all. Its address comes from the call with GET.",
    params: partParams,
    query: partSignature,
    rawBody: true,
    response: z.undefined(),
  }),
  confirmPart: route({
    method: "POST",
    path: "/filesets/:id/uploads/:uploadId/parts/:part",
    access: "signed-in",
    summary:
      "Confirms that the PUT of a part to an absolute address succeeded: the portal has not seen it. Other parts need no confirmation.",
    params: partParams,
    body: partConfirmation,
    response: z.undefined(),
    apiKey: true,
  }),
  complete: route({
    method: "POST",
    path: "/filesets/:id/uploads/:uploadId/complete",
    access: "signed-in",
    summary: "Joins the parts to the file, which replaces an existing one. May be repeated if its answer was lost.",
    params: uploadParams,
    response: filesetFile,
    status: 201,
    apiKey: true,
    audit: "security",
  }),
  abort: route({
    method: "DELETE",
    path: "/filesets/:id/uploads/:uploadId",
    access: "signed-in",
    summary: "Discards an unfinished upload and its parts.",
    params: uploadParams,
    response: z.undefined(),
    apiKey: true,
  }),
};
