import type { IncomingMessage } from "node:http";
import type { RouteShape } from "@fairway/contract/route";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";
import { requestBody } from "./request-framing.ts";

/** An uploaded file. */
export interface UploadedFile {
  /** File name from the client, without folders. */
  readonly filename: string;
  /** Read it to its end. Throws a Refusal if the upload is too large, is interrupted or contains more than this file. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A request body that is read by the handler. */
export interface RawContent extends AsyncIterable<Uint8Array> {
  /** From Content-Length; undefined if the caller does not know it. */
  readonly expectedBytes: number | undefined;
  /** Like iterating the content itself, which allows pauses of a minute. */
  chunks(idleMs: number): AsyncIterable<Uint8Array>;
}

const defaultIdleMs = 60_000;
/** For how long the rest of a refused body is read, so that the client can read the response. */
const discardMs = 30_000;

type FileShape = NonNullable<RouteShape["file"]>;

/** Allowance for boundaries, part headers and additional form fields. */
const overheadBytes = 65_536;

/** Accepts multipart bodies for the routes that `register` adds. */
export function takeUploads(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  void app.register((scope, _options, done) => {
    // The body is not read here; the handler does so.
    scope.addContentTypeParser("multipart/form-data", (_request, _payload, parsed) => parsed(null));
    // A handler may fail before it reads the content. The rest of the body is discarded, because it would block later requests
    // of the connection.
    scope.addHook("onResponse", (request, _reply, answered) => {
      request.raw.unpipe();
      request.raw.resume();
      answered();
    });
    register(scope);
    done();
  });
}

/** Accepts bodies of any type for the routes that `register` adds. */
export function takeRawBodies(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    scope.addHook("onResponse", ({ raw }, _reply, answered) => {
      answered();
      if (raw.complete) return;
      raw.resume();
      const timer = setTimeout(() => raw.destroy(), discardMs).unref();
      raw.once("close", () => clearTimeout(timer));
    });
    register(scope);
    done();
  });
}

/** The body of a request as a stream. Reading it throws a Refusal if the caller disconnects before its end. */
export function rawContent(request: IncomingMessage): RawContent {
  const length = request.headers["content-length"];
  return {
    expectedBytes: length === undefined ? undefined : Number(length),
    chunks: (idleMs) => chunksOf(request, idleMs),
    [Symbol.asyncIterator]: () => chunksOf(request, defaultIdleMs),
  };
}

async function* chunksOf(request: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  // Not destroyed on an early end: the client still has to receive the response.
  requestBody(request);
  const chunks = request.iterator({ destroyOnReturn: false });
  let isEnded = false;
  try {
    for (;;) {
      const next = await withinIdleTime(chunks.next(), idleMs);
      isEnded = next.done === true;
      if (isEnded) break;
      yield next.value as Uint8Array;
    }
  } catch (error) {
    isEnded = true;
    throw error instanceof Refusal || !(request.readableAborted || request.destroyed) ? error : interrupted();
  } finally {
    if (!isEnded) await chunks.return?.();
  }
  if (!request.complete) throw interrupted();
}

/** Only the time that the client needs counts, not the time that the content takes to be stored. */
async function withinIdleTime<T>(next: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Refusal("abandoned", `The upload was interrupted: nothing arrived for ${idleMs / 1_000} s.`)),
      idleMs,
    );
  });
  try {
    return await Promise.race([next, idle]);
  } finally {
    clearTimeout(timer);
    // It may still reject once the connection closes.
    next.catch(() => undefined);
  }
}

/** Resolves with the single file of a multipart body once its part headers have been read. Rejects with a Refusal. Decision 0241. */
export async function readUpload(request: IncomingMessage, { field, maxBytes }: FileShape): Promise<UploadedFile> {
  if (!/^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal("unsupported-media-type", `Send the file as multipart/form-data, in the field '${field}'.`);
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + overheadBytes) throw Refusal.fileTooLarge(maxBytes, field);
  const parser = parserOf(request, maxBytes);
  const completed = new Promise<void>((resolve, reject) => {
    parser.once("finish", resolve);
    parser.once("error", () => reject(notReadable(field)));
    // A body that ends within its file fails the file only, perhaps before the handler reads it: nothing else would listen then.
    parser.on("file", (_name, stream) => stream.on("error", () => reject(notReadable(field))));
    for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const) parser.once(limit, () => reject(notOneFile(field)));
    request.once("error", () => reject(interrupted()));
    request.once("close", () => {
      if (!request.readableEnded) reject(interrupted());
    });
  });
  // Avoids an unhandled rejection while nothing awaits it yet.
  completed.catch(() => undefined);
  const file = new Promise<UploadedFile>((resolve, reject) => {
    parser.on("file", (name, stream, filename) => {
      if (name === field) resolve({ filename: filename ?? "", content: contentOf(stream, field, maxBytes) });
      else reject(notOneFile(field));
    });
    completed.then(() => reject(notOneFile(field)), reject);
  });
  request.pipe(parser);
  try {
    return await file;
  } catch (error) {
    discardRest(request, parser);
    throw error;
  }

  async function* contentOf(stream: BusboyFileStream, name: string, max: number): AsyncGenerator<Uint8Array> {
    try {
      completed.catch((error: unknown) => stream.destroy(error as Error));
      for await (const chunk of stream) yield chunk as Uint8Array;
      if (stream.truncated) throw Refusal.fileTooLarge(max, name);
      await completed;
    } catch (error) {
      throw error instanceof Refusal ? error : notReadable(name);
    } finally {
      discardRest(request, parser);
    }
  }
}

/** Discards the rest of the body, so that the client can read the response. */
function discardRest(request: IncomingMessage, parser: Busboy): void {
  request.unpipe(parser);
  request.resume();
}

function parserOf({ headers }: IncomingMessage, maxBytes: number): Busboy {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // Busboy truncates only larger files; one of exactly this size is complete.
      limits: { files: 1, fields: 10, fieldSize: 1_000, parts: 11, headerPairs: 20, fileSize: maxBytes },
    });
  } catch {
    throw new Refusal("invalid-request", "The multipart body names no boundary.");
  }
}

const notOneFile = (field: string) => new Refusal("invalid-request", `Send exactly one file, in the field '${field}'.`, { path: field });
const notReadable = (field: string) => new Refusal("invalid-request", "The multipart body is not well-formed.", { path: field });
const interrupted = () => new Refusal("abandoned", "The upload was interrupted.");
