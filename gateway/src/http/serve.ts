import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { RouteShape, Routes } from "@fairway/contract/route";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { TimeSlice } from "#threads/time-slice.ts";
import { takeTurnsAs } from "./callers.ts";
import { isDirectLoopback } from "./direct-caller.ts";
import { matchesEtag } from "./etags.ts";
import { isCachedSerialized } from "./serialized-cache.ts";
import type { CallContext, FileHeaders, Handlers, StreamedAnswer } from "./handlers.ts";
import type { SignedInUser } from "./signed-in-user.ts";
import { parsed } from "./parsed.ts";
import { type Gatekeeper, tokenEndMs } from "./gatekeeper.ts";
import { bodyParser } from "./request-body.ts";
import { shortOrStream } from "./short-answer.ts";
import { type RawContent, rawContent, readUpload, takeRawBodies, takeUploads, type UploadedFile } from "./upload.ts";

/** The contract of a route, stored in Fastify's route config for hooks and tests. */
declare module "fastify" {
  interface FastifyContextConfig {
    contract?: RouteShape;
  }
}

/** The JSON of answers declared by `cacheSerialized`, kept as long as the answer is in memory. */
const serializedTexts = new WeakMap<object, { readonly shape: RouteShape; readonly text: string | undefined }>();

type AnyHandler = (call: Call) => unknown;

/** Registers routes. Each call is authorized, its request is parsed, the handler runs, and its answer is parsed. */
export function serve<R extends Routes>(app: FastifyInstance, gatekeeper: Gatekeeper, routes: R, handlers: Handlers<R>): void {
  for (const [name, shape] of Object.entries(routes)) {
    const handler = handlers[name as keyof R] as unknown as AnyHandler;
    const parseBody = shape.body && bodyParser(shape.body, routes);
    const register = (scope: FastifyInstance) =>
      scope.route({
        method: shape.method,
        url: shape.path,
        config: { contract: shape },
        ...(shape.bodyLimit === undefined ? {} : { bodyLimit: shape.bodyLimit }),
        ...(shape.uncompressed ? { compress: false } : {}),
        // Authorized before the body is read.
        onRequest: async (request) => {
          request.signedIn = await gatekeeper.admit(request, shape);
          if (request.signedIn !== undefined) await takeTurnsAs(request, request.signedIn.id);
        },
        handler: async (request, reply) => {
          const answer = await handler(new Call(shape, parseBody, request, reply));
          if (hasCurrentVersion(shape, request, reply)) return reply.status(304).send();
          return shape.streamed ? sendStream(reply, shape, answer as StreamedAnswer) : sendParsed(reply, shape, answer);
        },
      });
    if (shape.file) takeUploads(app, register);
    else if (shape.rawBody) takeRawBodies(app, register);
    else register(app);
  }
}

/** The argument of a handler. A class with getters, so that unused properties cost nothing. */
class Call implements CallContext {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly user: SignedInUser | undefined;
  readonly #shape: RouteShape;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(shape: RouteShape, parseBody: ((body: unknown) => unknown) | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.params = shape.params && parsed(shape.params, request.params, "The path");
    this.query = shape.query && parsed(shape.query, request.query, "The query");
    this.body = parseBody?.(request.body);
    this.user = request.signedIn;
    this.#shape = shape;
    this.#request = request;
    this.#reply = reply;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortOnDisconnect(this.#request, this.#reply));
  }

  get file(): (() => Promise<UploadedFile>) | undefined {
    const { file } = this.#shape;
    return file && (() => readUpload(this.#request.raw, file));
  }

  get content(): RawContent {
    return rawContent(this.#request.raw);
  }

  get fileHeaders(): FileHeaders {
    const { method, headers } = this.#request;
    const ifRange = headers["if-range"];
    return {
      range: headers.range,
      ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange,
      ifNoneMatch: headers["if-none-match"],
      isHead: method === "HEAD",
    };
  }

  get ifMatch(): string | undefined {
    return this.#request.headers["if-match"];
  }

  answerVersion(etag: string): void {
    this.#reply.header("etag", etag);
  }

  get log(): FastifyBaseLogger {
    return this.#request.log;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get isDirect(): boolean {
    return isDirectLoopback(this.#request);
  }

  get headers(): Readonly<IncomingHttpHeaders> {
    return this.#request.headers;
  }

  get userAgent(): string {
    return this.#request.headers["user-agent"] ?? "";
  }

  get requestId(): string {
    return this.#request.id;
  }

  get tokenEndsMs(): number {
    return tokenEndMs(this.#request);
  }

  get origin(): string {
    return `${this.#request.protocol}://${this.#request.host}`;
  }

  callerIs({ id, username }: Pick<SignedInUser, "id" | "username">): void {
    this.#request.caller = { id, username };
  }

  noteForAudit(note: string): void {
    this.#request.auditNote = note;
  }
}

/** Whether the caller has the version that the handler would answer. */
function hasCurrentVersion({ method, versioned }: RouteShape, { headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader("etag");
  return versioned === true && method === "GET" && typeof etag === "string" && matchesEtag(headers["if-none-match"], etag);
}

async function sendParsed(reply: FastifyReply, shape: RouteShape, answer: unknown): Promise<FastifyReply> {
  const text = isCachedSerialized(answer) ? await serializedText(shape, answer) : await textOf(shape, answer);
  if (text === undefined) return reply.status(shape.status ?? 204).send();
  return reply
    .status(shape.status ?? 200)
    .type("application/json; charset=utf-8")
    .send(text);
}

/** Longer lists are serialized in chunks of this size, because ten thousand entries at once would block the event loop. */
const entriesPerChunk = 200;

/** Drops unknown fields, so that a password column cannot leak. A mismatch is an internal error. */
function textOf({ response }: RouteShape, answer: unknown): string | undefined | Promise<string> {
  if (Array.isArray(answer) && answer.length > entriesPerChunk && response instanceof z.ZodArray) return longListText(response, answer);
  return JSON.stringify(response.parse(answer));
}

async function longListText(list: z.ZodArray, answer: readonly unknown[]): Promise<string> {
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (let from = 0; from < answer.length; from += entriesPerChunk) {
    await slice.end();
    parts.push(JSON.stringify(list.parse(answer.slice(from, from + entriesPerChunk))).slice(1, -1));
  }
  return `[${parts.join(",")}]`;
}

async function serializedText(shape: RouteShape, answer: object): Promise<string | undefined> {
  const cached = serializedTexts.get(answer);
  if (cached?.shape === shape) return cached.text;
  const text = await textOf(shape, answer);
  serializedTexts.set(answer, { shape, text });
  return text;
}

/** A media type that the contract does not name is an internal error, like a mismatched body. */
async function sendStream(
  reply: FastifyReply,
  { path, mediaTypes = ["application/json"] }: RouteShape,
  { contentType, chunks, headers = {}, status = 200 }: StreamedAnswer,
): Promise<FastifyReply> {
  const [mediaType = ""] = contentType.split(";");
  if (!mediaTypes.includes(mediaType)) {
    if (chunks instanceof Readable) chunks.destroy();
    throw new Error(`the contract of ${path} does not name the media type ${mediaType}`);
  }
  // A file declares its length also to a HEAD request, which gets no chunks.
  const isFile = chunks instanceof Readable || "content-length" in headers;
  const body = isFile ? streamOf(chunks) : await shortOrStream(chunks);
  return reply.status(status).headers(headers).type(contentType).send(body);
}

/** A wrapped stream would stay open if the caller left before its first chunk. */
const streamOf = (chunks: StreamedAnswer["chunks"]): Readable =>
  chunks instanceof Readable ? chunks : Readable.from(chunks, { objectMode: false });

/** A signal that is aborted if the connection closes before the response is sent. */
function abortOnDisconnect(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort(new Error(`the caller of ${request.id} disconnected`));
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once("close", onClose);
  return controller.signal;
}
