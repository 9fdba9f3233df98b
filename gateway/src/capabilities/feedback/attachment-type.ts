import { attachmentEndings } from "@fairway/contract/feedback";

type Ending = (typeof attachmentEndings)[number];
type Kind = "png" | "jpeg" | "gif" | "webp" | "pdf" | "zip" | "text";

const texts: ReadonlySet<Ending> = new Set(["txt", "log", "md", "csv", "tsv", "json", "geojson", "xml", "yaml", "yml", "ipynb"]);

/** Bytes that tell a kind, at an offset. */
const signatures: readonly { readonly kind: Kind; readonly parts: readonly (readonly [at: number, bytes: string])[] }[] = [
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

/** What is looked at to tell what a file is. */
export const sniffedBytes = 4_096;

/** The ending of a file's name where that is on the list, in lower case. */
export function endingOf(filename: string): Ending | undefined {
  const ending = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase();
  return attachmentEndings.find((allowed) => allowed === ending);
}

/** Whether a file that begins like this is what its ending says. */
export function fits(ending: Ending, head: Uint8Array): boolean {
  return kindOfContent(head) === kindOfEnding(ending);
}

function kindOfEnding(ending: Ending): Kind {
  if (texts.has(ending)) return "text";
  if (ending === "jpg" || ending === "jpeg") return "jpeg";
  if (ending === "png" || ending === "gif" || ending === "webp" || ending === "pdf") return ending;
  // Documents of office programs are archives.
  return "zip";
}

function kindOfContent(head: Uint8Array): Kind | undefined {
  const bytes = Buffer.from(head);
  const found = signatures.find(({ parts }) =>
    parts.every(([at, wanted]) => bytes.subarray(at, at + wanted.length).toString("latin1") === wanted),
  );
  return found?.kind ?? (isText(head) ? "text" : undefined);
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The last character may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
