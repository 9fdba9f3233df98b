import { z } from "zod";
import { fileMediaTypes } from "./file-types.ts";
import { route } from "./route.ts";

/** Docs of this category are tutorial videos. */
export const videoCategory = "video/mp4";

/** Stored files of a doc: its content, the image of its card and the captions of a video (WebVTT). */
export const docFileTypes = ["object", "preview", "captions"] as const;
export type DocFileType = (typeof docFileTypes)[number];

/** In bytes. Contents are limited by `uploadMaxBytes`. */
export const docFileLimits = { preview: 10_000_000, captions: 1_000_000 } as const;

/** A doc that administrators enabled. Every signed-in user may open it. */
export const docEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Media type of the content; `video/mp4` marks tutorial videos. */
    category: z.string(),
    description: z.string(),
    hasContent: z.boolean(),
    hasPreview: z.boolean(),
    hasCaptions: z.boolean(),
  })
  .meta({ id: "DocEntry" });
export type DocEntry = z.infer<typeof docEntry>;

const docParams = z.object({ docId: z.string() });
const docFileParams = docParams.extend({ type: z.string() });

/** Documents and tutorial videos for everyone signed in. */
export const docs = {
  list: route({
    method: "GET",
    path: "/docs",
    access: "signed-in",
    summary: "The enabled docs, sorted by name.",
    response: z.array(docEntry),
  }),
  url: route({
    method: "GET",
    path: "/docs/:docId/:type/s3Url",
    access: "signed-in",
    summary: "An address of the content (`object`) or the preview image (`preview`) that works without a token for a short time.",
    params: docFileParams,
    response: z.object({
      /** Relative to the origin of this call unless it is absolute. */
      url: z.string(),
    }),
  }),
  file: route({
    method: "GET",
    path: "/docs/:docId/:type/file",
    access: "public",
    summary: "The content or preview image of a doc, or a range of it. Its address comes from the call for its URL.",
    params: docFileParams,
    query: z.object({ signature: z.string().max(4_000) }),
    response: z.string(),
    streamed: true,
    uncompressed: true,
    mediaTypes: fileMediaTypes,
    hiddenParams: ["signature"],
  }),
  captions: route({
    method: "GET",
    path: "/docs/:docId/captions",
    access: "signed-in",
    summary: "The captions of a video.",
    params: docParams,
    response: z.string(),
    streamed: true,
    uncompressed: true,
    mediaTypes: ["text/vtt"],
    cookie: true,
  }),
};

/** The files of docs, enabled or not. */
export const docAdministration = {
  files: route({
    method: "GET",
    path: "/admin/doc-files/:docId",
    access: { role: "admin" },
    summary: "Sizes and times of the files of a doc.",
    params: docParams,
    response: z.object({
      files: z.array(
        z.object({
          type: z.enum(docFileTypes),
          /** Bytes. */
          size: z.int(),
          /** ISO 8601 UTC. */
          lastModified: z.string(),
        }),
      ),
    }),
  }),
  upload: route({
    method: "PUT",
    path: "/admin/doc-files/:docId/:type",
    access: { role: "admin" },
    summary: "Stores the content (`object`), preview image (`preview`) or captions (`captions`) of a doc, whole or not at all.",
    params: docFileParams,
    rawBody: true,
    response: z.undefined(),
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/admin/doc-files/:docId/:type",
    access: { role: "admin" },
    summary: "Deletes a file of a doc.",
    params: docFileParams,
    response: z.undefined(),
    audit: "security",
  }),
};
