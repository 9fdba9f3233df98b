import { getDocument, PasswordResponses, PDFDataRangeTransport, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs";
import { loadBytes } from "../load-file.ts";
import { decoderFolder, PdfDataFiles } from "./pdf-data-files.ts";
import { leftOutOf } from "./pdf-left-out.ts";
import type { PreviewFile } from "../preview-type.ts";

export type PdfDocument = PDFDocumentProxy;

const rangeBytes = 131_072;
/** An image takes 4 bytes per pixel, however small it is in the file. Larger ones are left out. */
const maxImagePixels = 64_000_000;

export interface OpenPdf {
  file: PreviewFile;
  signal: AbortSignal;
  /** Called for a document that is encrypted, and again after each wrong password. */
  onPassword: (request: PasswordRequest) => void;
  /** Called for each picture that cannot be drawn, with its zero-based page if that is known. */
  onLeftOut: (page: number | null) => void;
  /** Called if a later part of the file cannot be read. */
  onFailed: (error: unknown) => void;
}

export interface PasswordRequest {
  isWrong: boolean;
  submit: (password: string) => void;
}

/**
 * Opens a document, which reads its file by ranges as pages are shown. Everything ends with the signal, also a worker that a
 * hostile document keeps busy. No script of a document ever runs: scripts need another part of the library, which is not here.
 */
export async function openPdf({ file, signal, onPassword, onLeftOut, onFailed }: OpenPdf): Promise<PdfDocument> {
  const start = new Uint8Array(await loadBytes(file, signal, { end: Math.min(file.size, rangeBytes) }));
  signal.throwIfAborted();
  const port = new Worker(new URL("pdf-worker.ts", import.meta.url), { type: "module" });
  port.addEventListener("message", ({ data }) => {
    const found = leftOutOf(data);
    if (found !== undefined) onLeftOut(found.page);
  });
  const options = {
    worker: PDFWorker.create({ port }),
    BinaryDataFactory: PdfDataFiles,
    rangeChunkSize: rangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: maxImagePixels,
    isEvalSupported: false,
    // The policy allows no WebAssembly; the library then uses decoders in JavaScript.
    useWasm: false,
    wasmUrl: decoderFolder,
    enableXfa: false,
    // Warnings, which name the omitted parts.
    verbosity: 1,
  };
  const task = getDocument(
    start.length >= file.size ? { ...options, data: start } : { ...options, range: new FileRanges(file, start, signal, onFailed) },
  );
  const close = () => {
    // Waits for the worker, which may never answer.
    task.destroy().catch(() => {});
    port.terminate();
  };
  signal.addEventListener("abort", close);
  task.onPassword = (submit: (password: string) => void, reason: number) =>
    onPassword({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, submit });
  const workerFailed = new Promise<never>((_, reject) => {
    port.addEventListener("error", () => reject(new Error("The PDF viewer could not be started.")));
  });
  try {
    return await Promise.race([task.promise, workerFailed]);
  } catch (error) {
    throw error instanceof Error && error.name === "InvalidPDFException"
      ? new Error("The file is not a PDF, or it is damaged.", { cause: error })
      : error;
  }
}

class FileRanges extends PDFDataRangeTransport {
  readonly #file: PreviewFile;
  readonly #signal: AbortSignal;
  readonly #onFailed: (error: unknown) => void;

  constructor(file: PreviewFile, start: Uint8Array, signal: AbortSignal, onFailed: (error: unknown) => void) {
    super(file.size, start);
    this.#file = file;
    this.#signal = signal;
    this.#onFailed = onFailed;
  }

  override requestDataRange(start: number, end: number): void {
    loadBytes(this.#file, this.#signal, { start, end }).then(
      (bytes) => this.onDataRange(start, new Uint8Array(bytes)),
      (error: unknown) => {
        if (!this.#signal.aborted) this.#onFailed(error);
      },
    );
  }
}
