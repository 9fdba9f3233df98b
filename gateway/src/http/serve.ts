import { Readable } from "node:stream";
import type { RouteShape, Routes } from "@fairway/contract/route";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { TimeSlice } from "#threads/time-slice.ts";
import { isDirectLoopback } from "./direct-caller.ts";
import { isCachedSerialized } from "./serialized-cache.ts";
import type { CallContext, Handlers, SignedInUser, StreamedAnswer } from "./handlers.ts";
import { parsed } from "./parsed.ts";
import type { Gatekeeper } from "./gatekeeper.ts";
import { bodyParser } from "./request-body.ts";
import { readUpload, takeUploads, type UploadedFile } from "./upload.ts";

/** A route's contract, kept on Fastify's route so that the reference page and the sweeps can read it. */
declare module "fastify" {
  interface FastifyContextConfig {
    contract?: RouteShape;
  }
}

/** The JSON of answers declared by `cacheSerialized`, for as long as the answer itself is in memory. */
const serializedTexts = new WeakMap<object, { readonly shape: RouteShape; readonly text: string | undefined }>();

type AnyHandler = (call: Call) => unknown;

/** Registers a capability's routes: access first, then the request is parsed, then the handler runs, then its answer is parsed too. */
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
        // Before the body is read: who may not call, uploads nothing.
        onRequest: async (request) => {
          request.signedIn = await gatekeeper.admit(request, shape);
        },
        handler: async (request, reply) => {
          const answer = await handler(new Call(shape, parseBody, request, reply));
          return shape.streamed ? sendStream(reply, shape, answer as StreamedAnswer) : sendParsed(reply, shape, answer);
        },
      });
    if (shape.file) takeUploads(app, register);
    else register(app);
  }
}

/** What a handler is given. A class, because every call of the API makes one: what a handler does not take is never made. */
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
    return (this.#signal ??= abortedWhenGone(this.#request, this.#reply));
  }

  get file(): (() => Promise<UploadedFile>) | undefined {
    const { file } = this.#shape;
    return file && (() => readUpload(this.#request.raw, file));
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

  get userAgent(): string {
    return this.#request.headers["user-agent"] ?? "";
  }

  get requestId(): string {
    return this.#request.id;
  }

  get origin(): string {
    return `${this.#request.protocol}://${this.#request.host}`;
  }

  callerIs({ id, username }: Pick<SignedInUser, "id" | "username">): void {
    this.#request.caller = { id, username };
  }
}

async function sendParsed(reply: FastifyReply, shape: RouteShape, answer: unknown): Promise<FastifyReply> {
  const text = isCachedSerialized(answer) ? await serializedText(shape, answer) : await textOf(shape, answer);
  if (text === undefined) return reply.status(shape.status ?? 204).send();
  return reply
    .status(shape.status ?? 200)
    .type("application/json; charset=utf-8")
    .send(text);
}

/** Entries of a longer answer are written these many at a time: ten thousand at once would hold up everyone else. */
const entriesAtOnce = 200;

/** Dropping unknown fields here is what keeps a password column from slipping out. A mismatch is our failure: 500. */
function textOf({ response }: RouteShape, answer: unknown): string | undefined | Promise<string> {
  if (Array.isArray(answer) && answer.length > entriesAtOnce && response instanceof z.ZodArray) return longText(response, answer);
  return JSON.stringify(response.parse(answer));
}

async function longText(list: z.ZodArray, answer: readonly unknown[]): Promise<string> {
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (let from = 0; from < answer.length; from += entriesAtOnce) {
    await slice.end();
    parts.push(JSON.stringify(list.parse(answer.slice(from, from + entriesAtOnce))).slice(1, -1));
  }
  return `[${parts.join(",")}]`;
}

async function serializedText(shape: RouteShape, answer: object): Promise<string | undefined> {
  const written = serializedTexts.get(answer);
  if (written?.shape === shape) return written.text;
  const text = await textOf(shape, answer);
  serializedTexts.set(answer, { shape, text });
  return text;
}

/** A media type that the contract does not name is our failure, as a body that does not fit is: 500. */
function sendStream(reply: FastifyReply, { path, mediaTypes = ["application/json"] }: RouteShape, answer: StreamedAnswer): FastifyReply {
  const [mediaType = ""] = answer.contentType.split(";");
  if (!mediaTypes.includes(mediaType)) throw new Error(`the contract of ${path} does not name the media type ${mediaType}`);
  return reply
    .headers(answer.headers ?? {})
    .type(answer.contentType)
    .send(Readable.from(answer.chunks, { objectMode: false }));
}

/** A signal that fires when the connection closes before the answer is out. */
function abortedWhenGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!reply.raw.writableFinished) gone.abort(new Error(`the caller of ${request.id} left`));
  };
  if (reply.raw.closed) leave();
  else reply.raw.once("close", leave);
  return gone.signal;
}
