import { attachmentEndings } from "@fairway/contract/feedback";
import { type ContentKind, kindOfContent } from "#http/content-kind.ts";

type Extension = (typeof attachmentEndings)[number];

const textExtensions: ReadonlySet<Extension> = new Set([
  "txt",
  "log",
  "md",
  "csv",
  "tsv",
  "json",
  "geojson",
  "xml",
  "yaml",
  "yml",
  "ipynb",
]);

/** The extension of a file name in lower case, if it is an allowed one. */
export function extensionOf(filename: string): Extension | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase();
  return attachmentEndings.find((allowed) => allowed === extension);
}

/** Whether the first bytes of a file match its extension. */
export function matchesExtension(extension: Extension, head: Uint8Array): boolean {
  return kindOfContent(head) === kindOfExtension(extension);
}

function kindOfExtension(extension: Extension): ContentKind {
  if (textExtensions.has(extension)) return "text";
  if (extension === "jpg" || extension === "jpeg") return "jpeg";
  if (extension === "png" || extension === "gif" || extension === "webp" || extension === "pdf") return extension;
  // Office documents are ZIP archives.
  return "zip";
}
