import { z } from "zod";
import { fileMediaTypes } from "./file-types.ts";
import { previewReading } from "./readings.ts";
import { route } from "./route.ts";
import { nameProblems } from "./text.ts";
import { recordOf } from "./records.ts";

const maxFileBytes = 1_024;
/** File name limit of common file systems. */
const maxSegmentBytes = 255;
/** Folder in which a store keeps files other than those of its users. */
export const reservedFolder = ".fairway";

/** Length in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}

/**
 * Why a path cannot name a file of a fileset; undefined if it can. Some stores and file systems rewrite such paths silently,
 * others refuse them. Continues "The name …".
 */
export function filePathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (bytesOf(path) > maxFileBytes) return `with its folders is longer than ${maxFileBytes} bytes`;
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return "has control characters";
  // A decoder replaces bytes that are not UTF-8 by this character.
  if (path.includes("\ufffd")) return "has characters that are not valid Unicode";
  if (path.includes("\\")) return "has a backslash";
  if (path !== path.normalize("NFC")) return "has characters that are not in Unicode normal form C";
  for (const segment of path.split("/")) {
    if (segment === "") return "has an empty folder name";
    if (segment === "." || segment === "..") return `has the folder name '${segment}'`;
    // Some file systems ignore case.
    if (segment.toLowerCase() === reservedFolder) return `has the reserved folder name '${reservedFolder}'`;
    if (bytesOf(segment) > maxSegmentBytes) return `has a part longer than ${maxSegmentBytes} bytes`;
  }
  return undefined;
}

/**
 * Why a new file may not have this path: like `filePathProblem`, and each folder and the file itself have to be names as those of
 * entities are. Files that are there already may have other names, and can be read.
 */
export function newFilePathProblem(path: string): string | undefined {
  const problem = filePathProblem(path);
  if (problem !== undefined) return problem;
  for (const name of path.split("/")) {
    if (name !== name.trim() && name.trim() !== "") return "has a part that begins or ends with spaces";
    const [nameProblem] = nameProblems(name);
    if (nameProblem !== undefined) return nameProblem === "is blank" ? "has a part that is blank" : nameProblem;
  }
  return undefined;
}

/** Files and folders that one request for a zip may name. */
export const maxZipPaths = 10_000;

/** A fileset that the caller may read. */
export const filesetEntry = z.object({ id: z.string(), description: z.string(), allowsUploads: z.boolean() }).meta({ id: "FilesetEntry" });
export type FilesetEntry = z.infer<typeof filesetEntry>;

export const filesetFile = z
  .object({
    /** Path from the root of the fileset, as in `file` of other calls. */
    filename: z.string(),
    /** Bytes. */
    size: z.int(),
    /** ISO 8601 UTC. */
    lastModified: z.string(),
  })
  .meta({ id: "FilesetFile" });
export type FilesetFile = z.infer<typeof filesetFile>;

export const filesetListing = z
  .object({
    files: z.array(filesetFile),
    /** Folders one level below `listPrefix`, as paths from the root of the fileset that end in a slash. */
    commonPrefixes: z.array(z.string()),
    /** Null on the last page. */
    nextContinuationToken: z.string().nullable(),
    /**
     * For administrators: names that are left out because no call could name them, as JSON writes them without its quotes; folders
     * end in a slash. Missing = none.
     */
    leftOut: z.array(z.string()).optional(),
  })
  .meta({ id: "FilesetListing" });
export type FilesetListing = z.infer<typeof filesetListing>;

const filesetParams = z.object({ id: z.string() });
const fileQuery = z.object({ file: z.string() });

/** Shared folders of files. A user sees those for which their roles allow it. */
export const filesets = {
  list: route({
    method: "GET",
    path: "/filesets",
    access: "signed-in",
    summary: "The filesets that the caller may read, without the one that holds the help.",
    response: z.array(filesetEntry),
    apiKey: true,
  }),
  listing: route({
    method: "GET",
    path: "/filesets/:id/list",
    access: "signed-in",
    summary: "Files and folders one level below a prefix, sorted by name, in pages of 1,000.",
    params: filesetParams,
    query: z.object({
      /** Folders joined by slashes with a trailing slash; empty or missing = the root. */
      listPrefix: z.string().default(""),
      continuationToken: z.string().max(4_000).optional(),
    }),
    response: filesetListing,
    apiKey: true,
  }),
  tags: route({
    method: "GET",
    path: "/filesets/:id/tags",
    access: "signed-in",
    summary: "The tags of a file.",
    params: filesetParams,
    query: fileQuery,
    response: z.object({ tags: recordOf(z.string(), z.string()) }),
    apiKey: true,
  }),
  file: route({
    method: "GET",
    path: "/filesets/:id/file",
    access: "signed-in",
    summary: "Name, size and time of a file.",
    params: filesetParams,
    query: fileQuery,
    response: filesetFile,
    apiKey: true,
  }),
  reading: route({
    method: "GET",
    path: "/filesets/:id/reading",
    access: "signed-in",
    summary: "How the text of a CSV or JSON file is decoded and split, as for a dataset of it.",
    params: filesetParams,
    query: fileQuery,
    response: previewReading,
    apiKey: true,
  }),
  download: route({
    method: "GET",
    path: "/filesets/:id/download",
    access: "signed-in",
    summary: "The content of a file, or a range of it.",
    params: filesetParams,
    query: fileQuery,
    response: z.string(),
    streamed: true,
    mediaTypes: fileMediaTypes,
    uncompressed: true,
    cookie: true,
    apiKey: true,
  }),
  requestZip: route({
    method: "POST",
    path: "/filesets/:id/zip",
    access: "signed-in",
    summary: "An address, relative to the gateway, from which several files and folders can be downloaded as one zip for a short time.",
    params: filesetParams,
    body: z.object({
      /** Files, and folders with a trailing slash. */
      paths: z.array(z.string().max(2_000)).min(1).max(maxZipPaths),
    }),
    response: z.object({ zipUrl: z.string() }),
    status: 201,
    bodyLimit: 20_000_000,
    apiKey: true,
  }),
  zip: route({
    method: "GET",
    path: "/filesets/:id/zip/:zipId",
    access: "signed-in",
    summary: "The requested files as one zip. Its MANIFEST.txt names what was left out, and why.",
    params: filesetParams.extend({ zipId: z.uuid() }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["application/zip"],
    uncompressed: true,
    cookie: true,
    apiKey: true,
  }),
  uploadUrl: route({
    method: "GET",
    path: "/filesets/:id/upload",
    access: "signed-in",
    summary:
      "An address for one file, valid for a short time: PUT the content there. Relative to the origin of this call unless it is absolute. An existing file is replaced.",
    params: filesetParams,
    query: fileQuery,
    response: z.object({ uploadUrl: z.string() }),
    apiKey: true,
  }),
  upload: route({
    method: "PUT",
    path: "/filesets/:id/upload",
    access: "public",
    summary: "Stores the content of a file, whole or not at all. Its address comes from the call with GET.",
    params: filesetParams,
    query: fileQuery.extend({ signature: z.string().max(4_000) }),
    rawBody: true,
    response: filesetFile,
    status: 201,
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/filesets/:id/file",
    access: { role: "admin" },
    summary: "Deletes a file.",
    params: filesetParams,
    query: fileQuery,
    response: z.undefined(),
    audit: "security",
  }),
};
