import { attachmentEndings } from "@fairway/contract/feedback";

type Extension = (typeof attachmentEndings)[number];
type Kind = "png" | "jpeg" | "gif" | "webp" | "pdf" | "zip" | "text";

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

/** Magic numbers of each kind: bytes at an offset. */
const signatures: readonly { readonly kind: Kind; readonly parts: readonly (readonly [offset: number, bytes: string])[] }[] = [
  { kind: "png", parts: [[0, "\x89PNG\r\n\x1a\n"]] },
  { kind: "jpeg", parts: [[0, "\xff\xd8\xff"]] },
  { kind: "gif", parts: [[0, "GIF8"]] },
  {
    kind: "webp",
    parts: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
  { kind: "pdf", parts: [[0, "%PDF-"]] },
  { kind: "zip", parts: [[0, "PK\x03\x04"]] },
];

/** Length of the prefix that is inspected to determine a file's type. */
export const sniffedBytes = 4_096;

/** The extension of a file name in lower case, if it is an allowed one. */
export function extensionOf(filename: string): Extension | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase();
  return attachmentEndings.find((allowed) => allowed === extension);
}

/** Whether the first bytes of a file match its extension. */
export function matchesExtension(extension: Extension, head: Uint8Array): boolean {
  return kindOfContent(head) === kindOfExtension(extension);
}

function kindOfExtension(extension: Extension): Kind {
  if (textExtensions.has(extension)) return "text";
  if (extension === "jpg" || extension === "jpeg") return "jpeg";
  if (extension === "png" || extension === "gif" || extension === "webp" || extension === "pdf") return extension;
  // Office documents are ZIP archives.
  return "zip";
}

function kindOfContent(head: Uint8Array): Kind | undefined {
  const bytes = Buffer.from(head);
  const found = signatures.find(({ parts }) =>
    parts.every(([offset, magic]) => bytes.subarray(offset, offset + magic.length).toString("latin1") === magic),
  );
  return found?.kind ?? (isText(head) ? "text" : undefined);
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The last character may be incomplete.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
