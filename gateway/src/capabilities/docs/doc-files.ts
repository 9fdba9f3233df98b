import { type DocEntry, type DocFileType, docFileLimits, docFileTypes, videoCategory } from "@fairway/contract/docs";
import { extensionFor } from "@fairway/contract/file-types";
import type { Limits } from "@fairway/contract/limits";
import { type ContentKind, checkingHead, kindOfContent, sniffedBytes } from "#http/content-kind.ts";
import { answerFile } from "#http/file-answer.ts";
import type { FileHeaders, StreamedAnswer } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import { type FileInfo, FileMissing, type FileStore, FileTooLarge } from "#storage/storage.ts";

type Doc = Pick<DocEntry, "id" | "name" | "category">;

const fileNames: Readonly<Record<DocFileType, string>> = { object: "object", preview: "preview", captions: "captions.vtt" };

const keyOf = (docId: string, type: DocFileType): FileKey => fileKey("docs", docId, fileNames[type]);

const imageKinds: ReadonlySet<ContentKind | undefined> = new Set(["png", "jpeg", "gif", "webp"] as const);

/** The content, preview image and captions of each doc in the portal's file store. Decision 0300. */
export class DocFiles {
  readonly #store: FileStore;
  readonly #limits: Pick<Limits, "uploadMaxBytes">;

  constructor(store: FileStore, limits: Pick<Limits, "uploadMaxBytes">) {
    this.#store = store;
    this.#limits = limits;
  }

  async infosOf(docId: string): Promise<ReadonlyMap<DocFileType, FileInfo>> {
    const { files } = await this.#store.list(`docs/${docId}/`);
    return new Map(
      docFileTypes.flatMap((type): [DocFileType, FileInfo][] => {
        const info = files.find(({ key }) => key === keyOf(docId, type));
        return info === undefined ? [] : [[type, info]];
      }),
    );
  }

  /** Refuses with not-found if it is not stored. */
  async require(docId: string, type: DocFileType): Promise<FileInfo> {
    const info = await this.#store.head(keyOf(docId, type));
    if (info === undefined) throw noSuchFile();
    return info;
  }

  async answer(doc: Doc, type: DocFileType, headers: FileHeaders): Promise<StreamedAnswer> {
    const key = keyOf(doc.id, type);
    const info = await this.require(doc.id, type);
    const extension = await this.#extensionOf(doc, type, key);
    return answerFile({ ...info, name: extension === undefined ? doc.name : `${doc.name}.${extension}` }, headers, (range) =>
      this.#store.read(key, range).catch(refuseMissing),
    );
  }

  /** Refuses content that is not what its doc or its type says. */
  async write(doc: Doc, type: DocFileType, content: RawContent): Promise<void> {
    const maxBytes = type === "object" ? this.#limits.uploadMaxBytes : docFileLimits[type];
    if ((content.expectedBytes ?? 0) > maxBytes) throw Refusal.fileTooLarge(maxBytes);
    try {
      await this.#store.write(
        keyOf(doc.id, type),
        checkingHead(content, (head) => requireContent(doc, type, head)),
        maxBytes,
      );
    } catch (error) {
      throw error instanceof FileTooLarge ? Refusal.fileTooLarge(maxBytes) : error;
    }
  }

  async remove(docId: string, type: DocFileType): Promise<void> {
    await this.require(docId, type);
    await this.#store.remove(keyOf(docId, type));
  }

  /** Decides the media type of the answer. */
  async #extensionOf({ category }: Doc, type: DocFileType, key: FileKey): Promise<string | undefined> {
    if (type === "captions") return "vtt";
    if (type === "object") return extensionFor(category);
    const { content } = await this.#store.read(key, { start: 0, end: sniffedBytes - 1 }).catch(refuseMissing);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk as Uint8Array);
    const kind = kindOfContent(Buffer.concat(chunks));
    return imageKinds.has(kind) ? kind : undefined;
  }
}

function requireContent({ category }: Doc, type: DocFileType, head: Uint8Array): void {
  const kind = kindOfContent(head);
  if (type === "preview" && !imageKinds.has(kind)) throw unsupported("A preview image is a PNG, JPEG, GIF or WebP file.");
  if (type === "captions" && !/^\uFEFF?WEBVTT(?=\s|$)/u.test(Buffer.from(head).toString()))
    throw unsupported("Captions are a WebVTT file.");
  if (type !== "object") return;
  if (category === videoCategory && kind !== "mp4") throw unsupported("The doc's category is video/mp4, but the file is not an MP4 video.");
  if (category === "application/pdf" && kind !== "pdf")
    throw unsupported("The doc's category is application/pdf, but the file is not a PDF.");
}

function refuseMissing(error: unknown): never {
  throw error instanceof FileMissing ? noSuchFile() : error;
}

const unsupported = (message: string) => new Refusal("unsupported-media-type", message);
const noSuchFile = () => new Refusal("not-found", "This doc has no such file.");
