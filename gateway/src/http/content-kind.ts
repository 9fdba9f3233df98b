/** Kind of a file, by its first bytes. */
export type ContentKind = "png" | "jpeg" | "gif" | "webp" | "pdf" | "zip" | "mp4" | "text";

/** Magic numbers of each kind: bytes at an offset. */
const signatures: readonly { readonly kind: ContentKind; readonly parts: readonly (readonly [offset: number, bytes: string])[] }[] = [
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
  { kind: "mp4", parts: [[4, "ftyp"]] },
];

/** Length of the prefix that is inspected to determine a file's type. */
export const sniffedBytes = 4_096;

/** Undefined for binary content of another kind. */
export function kindOfContent(head: Uint8Array): ContentKind | undefined {
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

/** Yields the chunks unchanged; calls `check` with the first bytes before yielding any. */
export async function* checkingHead(content: AsyncIterable<Uint8Array>, check: (head: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of content) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.byteLength < sniffedBytes) continue;
    check(head.subarray(0, sniffedBytes));
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  check(head);
  yield head;
}
