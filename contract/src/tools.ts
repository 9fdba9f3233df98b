import { z } from "zod";
import { fileMediaTypes } from "./file-types.ts";
import { route } from "./route.ts";

/** The name of a tool in addresses: its display name in lower case without spaces. */
export const toolName = (display: string): string => display.toLowerCase().replaceAll(/\s+/g, "");

/** A plain file name, without folders. */
const plainFileName = z.string().regex(/^\w[\w.+-]{0,199}$/, "expected a file name of letters, digits, '.', '_', '+' and '-'");

export const toolIcon = z.object({
  /** `fa-solid`: `name` is a solid icon of Font Awesome Free. Other types show the default icon. */
  type: z.string(),
  name: z.string(),
});

/** `index.json` of a folder of tools, whose files and guides lie next to it. */
export const toolIndex = z.array(
  z.object({
    display: z.string().min(1),
    description: z.string(),
    icon: toolIcon.optional(),
    version: z.string(),
    files: z.array(
      z.object({
        filename: plainFileName,
        /** Bytes. */
        size: z.int().nonnegative(),
        /** Of the content, in hexadecimal. */
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        description: z.string(),
      }),
    ),
    /** A Markdown file, in which `{{origin}}` and `{{dataset}}` stand for the portal and one of the reader's datasets. */
    guide: plainFileName,
  }),
);
export type ToolIndex = z.infer<typeof toolIndex>;

/** The part of a tool that the menu shows. */
export const downloadableTool = z.object({ display: z.string(), icon: toolIcon.optional() });
export type DownloadableTool = z.infer<typeof downloadableTool>;

export const tool = z
  .object({
    display: z.string(),
    /** Identifies it in addresses. */
    name: z.string(),
    version: z.string(),
    description: z.string(),
    files: z.array(
      z.object({
        filename: z.string(),
        /** Relative to the gateway. */
        url: z.string(),
        /** Bytes. */
        size: z.int(),
        sha256: z.string(),
        description: z.string(),
      }),
    ),
  })
  .meta({ id: "Tool" });
export type Tool = z.infer<typeof tool>;

/** Programs and libraries that use the portal. */
export const tools = {
  list: route({
    method: "GET",
    path: "/tools",
    access: "signed-in",
    summary: "The tools that can be downloaded, sorted by display name.",
    response: z.array(tool),
  }),
  guide: route({
    method: "GET",
    path: "/tools/:name/guide",
    access: "signed-in",
    summary: "How to use a tool, as Markdown in which {{origin}} and {{dataset}} stand for the portal and a dataset.",
    params: z.object({ name: z.string() }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["text/markdown"],
  }),
  file: route({
    method: "GET",
    path: "/tools/:name/files/:filename",
    access: "signed-in",
    summary: "A file of a tool, or a range of it.",
    params: z.object({ name: z.string(), filename: z.string() }),
    response: z.string(),
    streamed: true,
    mediaTypes: fileMediaTypes,
    uncompressed: true,
    cookie: true,
  }),
};
