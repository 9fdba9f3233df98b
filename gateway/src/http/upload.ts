import type { IncomingMessage } from "node:http";
import type { RouteShape } from "@fairway/contract/route";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";

/** A file as it comes in. */
export interface UploadedFile {
  /** As the sender named it, without folders. */
  readonly filename: string;
  /** To be read to its end. Throws a Refusal where the upload is too large, breaks off or holds more than this file. */
  readonly content: AsyncIterable<Uint8Array>;
}

type FileShape = NonNullable<RouteShape["file"]>;

/** Around the file: boundaries, its head, and a field or two that a form adds. */
const headroomBytes = 65_536;

/** Lets the routes that `register` adds have multipart bodies, and no others. */
export function takeUploads(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  void app.register((scope, _options, done) => {
    // The body stays where it is: the handler reads it when it knows what to do with it.
    scope.addContentTypeParser("multipart/form-data", (_request, _payload, parsed) => parsed(null));
    // A handler may fail between the file's head and its content. What is left of the body then waits for a reader that never
    // comes, and behind it every later request of the connection.
    scope.addHook("onResponse", (request, _reply, answered) => {
      request.raw.unpipe();
      request.raw.resume();
      answered();
    });
    register(scope);
    done();
  });
}

/** Resolves with the one file of a multipart body once its head is there. Rejects with a Refusal. Decision 0241. */
export async function readUpload(request: IncomingMessage, { field, maxBytes }: FileShape): Promise<UploadedFile> {
  if (!/^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal("unsupported-media-type", `Send the file as multipart/form-data, in the field '${field}'.`);
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + headroomBytes) throw tooLarge(field, maxBytes);
  const parser = parserOf(request, maxBytes);
  /** Settles with the whole body. */
  const whole = new Promise<void>((resolve, reject) => {
    parser.once("finish", resolve);
    parser.once("error", () => reject(notReadable(field)));
    for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const) parser.once(limit, () => reject(notOneFile(field)));
    request.once("error", () => reject(brokenOff()));
    request.once("close", () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
  // Whoever waits hears of it; nobody may be waiting yet.
  whole.catch(() => undefined);
  const found = new Promise<UploadedFile>((resolve, reject) => {
    parser.on("file", (name, stream, filename) => {
      if (name === field) resolve({ filename: filename ?? "", content: contentOf(stream, whole, field, maxBytes) });
      else reject(notOneFile(field));
    });
    whole.then(() => reject(notOneFile(field)), reject);
  });
  request.pipe(parser);
  try {
    return await found;
  } catch (error) {
    leave(request, parser);
    throw error;
  }

  async function* contentOf(stream: BusboyFileStream, body: Promise<void>, name: string, most: number): AsyncGenerator<Uint8Array> {
    try {
      body.catch((error: unknown) => stream.destroy(error as Error));
      for await (const chunk of stream) yield chunk as Uint8Array;
      if (stream.truncated) throw tooLarge(name, most);
      await body;
    } finally {
      leave(request, parser);
    }
  }
}

/** What still comes is thrown away, so that the answer can be read at the other end. */
function leave(request: IncomingMessage, parser: Busboy): void {
  request.unpipe(parser);
  request.resume();
}

function parserOf({ headers }: IncomingMessage, maxBytes: number): Busboy {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // One byte more than allowed is enough to know; a file of exactly the limit is whole.
      limits: { files: 1, fields: 10, fieldSize: 1_000, parts: 11, headerPairs: 20, fileSize: maxBytes },
    });
  } catch {
    throw new Refusal("invalid-request", "The multipart body names no boundary.");
  }
}

const tooLarge = (field: string, maxBytes: number) =>
  new Refusal("too-large", `The file is larger than ${maxBytes.toLocaleString("en-US")} bytes.`, { path: field });
const notOneFile = (field: string) => new Refusal("invalid-request", `Send exactly one file, in the field '${field}'.`, { path: field });
const notReadable = (field: string) => new Refusal("invalid-request", "The multipart body is not well-formed.", { path: field });
const brokenOff = () => new Refusal("abandoned", "The upload broke off.");
