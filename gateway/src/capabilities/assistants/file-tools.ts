import { fileTypeOf } from "@fairway/contract/file-types";
import { filesets } from "@fairway/contract/filesets";
import { z } from "zod";
import { Refusal } from "#http/refusal.ts";
import { tool } from "./tool.ts";

/** Position at which an answer goes on: so many entries into the page of the listing that `token` asks for, the first page without one. */
const pagePosition = /^(?<skipped>\d{1,6})(?::(?<token>.{1,4000}))?$/su;

function positionOf(continueFrom: string): { skipped: number; token?: string } {
  const { skipped, token } = pagePosition.exec(continueFrom)?.groups ?? {};
  if (skipped === undefined) throw new Refusal("invalid-value", "'continue_from' is not the next_page of a response.");
  return { skipped: Number(skipped), ...(token !== undefined && { token }) };
}

const listFilesets = tool({
  name: "list_files",
  title: "List filesets and files",
  description: "The filesets that the API key can read; with a fileset, the files and folders in one of its folders.",
  input: z.strictObject({
    fileset: z.string().optional().describe("Id of a fileset."),
    folder: z.string().default("").describe("Path of a folder, such as reports/2024/; the top level by default."),
    limit: z.int().min(1).max(200).default(50).describe("Folders and files together."),
    continue_from: z.string().max(4_007).optional().describe("next_page of the previous response; null there means that nothing is left."),
  }),
  async answer({ fileset: id, folder, limit, continue_from: continueFrom = "0" }, { calls, caller, origin }) {
    const { skipped, token } = positionOf(continueFrom);
    const end = skipped + limit;
    if (id === undefined) {
      const all = await calls.call(filesets.list, {}, caller);
      return {
        filesets: all.slice(skipped, end).map(({ id: name, description }) => ({ fileset: name, description })),
        total: all.length,
        next_page: end < all.length ? String(end) : null,
      };
    }
    const listPrefix = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
    const query = { listPrefix, ...(token !== undefined && { continuationToken: token }) };
    const { files, commonPrefixes, nextContinuationToken } = await calls.call(filesets.listing, { params: { id }, query }, caller);
    const filesFrom = Math.max(0, skipped - commonPrefixes.length);
    const hasMore = end < commonPrefixes.length + files.length;
    const nextPage = nextContinuationToken === null ? null : `0:${nextContinuationToken}`;
    return {
      folders: commonPrefixes.slice(skipped, end),
      files: files
        .slice(filesFrom, Math.max(0, end - commonPrefixes.length))
        .map(({ filename, size, lastModified }) => ({ path: filename, bytes: size, modified: lastModified })),
      next_page: hasMore ? `${end}${token === undefined ? "" : `:${token}`}` : nextPage,
      portal_link: `${origin}/filesets`,
    };
  },
});

const textKinds: ReadonlySet<string | null> = new Set(["csv", "text", "json", "geojson", "markdown", "notebook"]);

const preview = tool({
  name: "preview_file",
  title: "Read a part of a file",
  description: "The first part of a text file of a fileset (CSV, JSON, Markdown, plain text and the like), or another part of it.",
  input: z.strictObject({
    fileset: z.string(),
    path: z.string(),
    offset: z.int().min(0).default(0).describe("Byte to start at."),
    bytes: z.int().min(1).max(32_000).default(8_000),
  }),
  async answer({ fileset: id, path, offset, bytes }, { calls, caller }) {
    const { size, lastModified } = await calls.call(filesets.file, { params: { id }, query: { file: path } }, caller);
    const { mediaType, preview: kind } = fileTypeOf(path);
    if (!textKinds.has(kind)) {
      throw new Refusal("not-supported", `'${path}' is not a text file (${mediaType}, ${size} bytes), so it cannot be read here.`);
    }
    if (offset >= size && size > 0) throw new Refusal("invalid-value", `The file has only ${size} bytes.`);
    const range = { range: `bytes=${offset}-${offset + bytes - 1}` };
    const { content } =
      size === 0
        ? { content: Buffer.alloc(0) }
        : await calls.fetch(filesets.download, { params: { id }, query: { file: path } }, caller, range);
    const end = offset + content.length;
    return {
      path,
      media_type: mediaType,
      bytes: size,
      modified: lastModified,
      offset,
      text: content.toString("utf8"),
      next_offset: end < size ? end : null,
    };
  },
});

export const fileTools = [listFilesets, preview];
