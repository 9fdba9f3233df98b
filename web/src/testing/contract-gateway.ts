import { apiBase } from "@fairway/contract/api";
import { type ErrorCode, errorStatus } from "@fairway/contract/errors";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteShape } from "@fairway/contract/route";

/** A call parsed by the contract. */
export interface Received<R extends RouteShape> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  /** The If-Match header. */
  ifMatch: string | null;
  /** Aborted when the app no longer waits for the response. */
  signal: AbortSignal | null;
}

/** An answer with its ETag. */
export class Versioned<Answer> {
  readonly answer: Answer;
  readonly etag: string;

  constructor(answer: Answer, etag: string) {
    this.answer = answer;
    this.etag = etag;
  }
}

type Handler<R extends RouteShape> = (request: Received<R>) => AnswerOf<R> | Versioned<AnswerOf<R>> | Promise<AnswerOf<R>>;

export interface ServedEvents<Message> {
  /** Number of calls that read. */
  readonly open: number;
  /** To all of them. */
  send(message: Message): void;
  sendText(text: string): void;
  /** As by a gateway or proxy that closes the connection. */
  end(): void;
}

/** A refusal, thrown by a handler or set by `refuse`. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly path: string | undefined;

  constructor(code: ErrorCode, message: string, path?: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  authorization: string | null;
  ifMatch: string | null;
  signal: AbortSignal | null;
}

interface Responder {
  route: RouteShape;
  /** Number of calls it still answers. */
  remaining: number;
  respond: (request: Received<RouteShape>) => Response | Promise<Response>;
}

const json = (body: unknown, status: number, headers: Record<string, string> = {}): Response =>
  status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

const toErrorResponse = ({ code, message, path }: Refused): Response =>
  json({ errors: [{ code, message, ...(path === undefined ? {} : { path }) }] }, errorStatus[code]);

const toResponse = (route: RouteShape, given: unknown): Response => {
  const { answer, etag } = given instanceof Versioned ? given : { answer: given, etag: null };
  // Parsed as in the gateway, so that an answer that violates the contract fails the test.
  const parsed = route.response.parse(answer);
  // The gateway sends streamed answers unparsed.
  const body = route.streamed ? answer : parsed;
  if (route.streamed && typeof body === "string") return new Response(body);
  return json(body, route.status ?? (body === undefined ? 204 : 200), etag === null ? {} : { etag });
};

/**
 * A fake gateway for tests of the web app. Replaces `fetch` and parses requests and responses by the contract. A call without
 * a prepared answer fails the test.
 */
export class ContractGateway {
  #responders: Responder[] = [];
  #received: { route: RouteShape; request: Received<RouteShape> }[] = [];
  #problems: string[] = [];
  readonly #realFetch = globalThis.fetch.bind(globalThis);

  /** Replaces `fetch`. */
  open(): void {
    globalThis.fetch = (input, init) => this.#fetch(input, init);
  }

  /** Restores `fetch` and clears all state. */
  close(): void {
    globalThis.fetch = this.#realFetch;
    this.#responders = [];
    this.#received = [];
    this.#problems = [];
  }

  /** Answers calls to the route, at most `times`. Newer answers take precedence. */
  answer<R extends RouteShape>(route: R, answer: AnswerOf<R> | Handler<R>, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#add(route, times, async (request) => {
      try {
        return toResponse(route, typeof answer === "function" ? await (answer as Handler<R>)(request) : answer);
      } catch (error) {
        if (error instanceof Refused) return toErrorResponse(error);
        throw error;
      }
    });
  }

  /** Refuses calls to the route. */
  refuse(
    route: RouteShape,
    code: ErrorCode,
    message: string,
    { times = Number.POSITIVE_INFINITY, path }: { times?: number; path?: string } = {},
  ): void {
    this.#add(route, times, () => toErrorResponse(new Refused(code, message, path)));
  }

  /** Answers with a text that need not follow the contract, as a proxy or another release might send. */
  answerText(route: RouteShape, text: string, { times = Number.POSITIVE_INFINITY, status = 200 } = {}): void {
    this.#add(route, times, () => new Response(text, { status }));
  }

  /** Fails calls to the route as if the network were down. */
  disconnect(route: RouteShape, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#add(route, times, () => Promise.reject(new TypeError("Failed to fetch")));
  }

  /** Answers calls to an endless route with server-sent events that the test sends. */
  serveEvents<R extends RouteShape & { endless: true }>(route: R, greeting: AnswerOf<R>): ServedEvents<AnswerOf<R>> {
    const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
    const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) =>
      controller.enqueue(new TextEncoder().encode(text));
    const eventOf = (message: AnswerOf<R>) => `data: ${JSON.stringify(route.response.parse(message))}\n\n`;
    this.#add(route, Number.POSITIVE_INFINITY, ({ signal }) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          open.add(controller);
          write(controller, eventOf(greeting));
          signal?.addEventListener("abort", () => {
            if (open.delete(controller)) controller.error(signal.reason);
          });
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    return {
      get open() {
        return open.size;
      },
      send: (message) => open.forEach((controller) => write(controller, eventOf(message))),
      sendText: (text) => open.forEach((controller) => write(controller, text)),
      end: () => {
        for (const controller of open) controller.close();
        open.clear();
      },
    };
  }

  /** Delays matching calls to the route until the returned function is called. They are then answered as otherwise prepared. */
  hold<R extends RouteShape>(route: R, matches: (request: Received<R>) => boolean = () => true): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = this.#add(route, Number.POSITIVE_INFINITY, async (request) => {
      if (matches(request)) await released;
      return this.#responderOf(route, holder).respond(request);
    });
    return () => {
      holder.remaining = 0;
      release();
    };
  }

  /** The calls to this route so far, oldest first. */
  received<R extends RouteShape>(route: R): Received<R>[] {
    return this.#received
      .filter((one) => one.route.path === route.path && one.route.method === route.method)
      .map((one) => one.request as Received<R>);
  }

  /** Unexpected or invalid calls, which fail the test at its end. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  #add(route: RouteShape, remaining: number, respond: Responder["respond"]): Responder {
    const responder = { route, remaining, respond };
    this.#responders.unshift(responder);
    return responder;
  }

  #responderOf(route: RouteShape, except?: Responder): Responder {
    const found = this.#responders.find(
      (one) => one !== except && one.remaining > 0 && one.route.path === route.path && one.route.method === route.method,
    );
    if (!found) throw new Error(`No answer is prepared for ${route.method} ${route.path}`);
    found.remaining -= 1;
    return found;
  }

  async #fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input, location.origin);
    if (url.origin !== location.origin || !url.pathname.startsWith(`${apiBase}/`)) return this.#realFetch(input, init);
    const call: Call = {
      method: init.method ?? "GET",
      path: url.pathname.slice(apiBase.length),
      query: url.searchParams,
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
      authorization: new Headers(init.headers).get("authorization"),
      ifMatch: new Headers(init.headers).get("if-match"),
      signal: init.signal ?? null,
    };
    return unlessAborted(this.#respond(call), call.signal);
  }

  async #respond(call: Call): Promise<Response> {
    try {
      const { route, params } = this.#match(call);
      const request = readRequest(route, params, call);
      this.#received.push({ route, request });
      return await this.#responderOf(route).respond(request);
    } catch (error) {
      if (error instanceof TypeError && error.message === "Failed to fetch") throw error;
      this.#problems.push(`${call.method} ${call.path}: ${error instanceof Error ? error.message : String(error)}`);
      return json({ errors: [{ code: "internal", message: "The test prepared no answer for this call." }] }, 500);
    }
  }

  /** The matching route with the fewest parameters. */
  #match({ method, path }: Call): { route: RouteShape; params: Record<string, string> } {
    const segments = path.split("/").map(decodeURIComponent);
    let best: { route: RouteShape; params: Record<string, string> } | null = null;
    for (const { route } of this.#responders) {
      const pattern = route.path.split("/");
      if (route.method !== method || pattern.length !== segments.length) continue;
      const params: Record<string, string> = {};
      const isMatch = pattern.every((name, index) => {
        if (!name.startsWith(":")) return name === segments[index];
        params[name.slice(1)] = segments[index] ?? "";
        return true;
      });
      if (isMatch && (best === null || Object.keys(params).length < Object.keys(best.params).length)) best = { route, params };
    }
    if (best === null) throw new Error("No answer is prepared for this call");
    return best;
  }
}

function readRequest(
  route: RouteShape,
  params: Record<string, string>,
  { query, body, authorization, ifMatch, signal }: Call,
): Received<RouteShape> {
  if (route.access !== "public" && !authorization?.startsWith("Bearer ")) throw new Error("The call carries no token");
  return {
    params: route.params?.parse(params),
    query: route.query?.parse(Object.fromEntries(query)),
    body: route.body?.parse(body),
    ifMatch,
    signal,
  };
}

function unlessAborted(response: Promise<Response>, signal: AbortSignal | null): Promise<Response> {
  if (signal === null) return response;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    response.then(resolve, reject);
  });
}
