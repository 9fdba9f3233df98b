import { apiBase } from "@fairway/contract/api";
import { type ErrorCode, errorStatus } from "@fairway/contract/errors";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteShape } from "@fairway/contract/route";

/** A call as the contract reads it. */
export interface Received<R extends RouteShape> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  /** Aborted once the app no longer waits for the answer. */
  signal: AbortSignal | null;
}

type Handler<R extends RouteShape> = (request: Received<R>) => AnswerOf<R> | Promise<AnswerOf<R>>;

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
  signal: AbortSignal | null;
}

interface Responder {
  route: RouteShape;
  /** Calls that it still answers. */
  remaining: number;
  respond: (request: Received<RouteShape>) => Response | Promise<Response>;
}

const json = (body: unknown, status: number): Response =>
  status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

const refusal = ({ code, message, path }: Refused): Response =>
  json({ errors: [{ code, message, ...(path === undefined ? {} : { path }) }] }, errorStatus[code]);

const answered = (route: RouteShape, answer: unknown): Response => {
  // Parsed as the gateway does it: an answer that the contract no longer knows fails the test.
  const parsed = route.response.parse(answer);
  // A streamed answer leaves the gateway as it is.
  const body = route.streamed ? answer : parsed;
  return json(body, route.status ?? (body === undefined ? 204 : 200));
};

/**
 * Stands in for the gateway in tests of the web app. It takes `fetch` over and speaks the contract: it parses what comes in
 * and what goes out, and a call that the test prepared no answer for fails the test.
 */
export class ContractGateway {
  #responders: Responder[] = [];
  #received: { route: RouteShape; request: Received<RouteShape> }[] = [];
  #problems: string[] = [];
  readonly #realFetch = globalThis.fetch.bind(globalThis);

  /** Takes `fetch` over. */
  open(): void {
    globalThis.fetch = (input, init) => this.#fetch(input, init);
  }

  /** Gives `fetch` back and forgets everything. */
  close(): void {
    globalThis.fetch = this.#realFetch;
    this.#responders = [];
    this.#received = [];
    this.#problems = [];
  }

  /** Answers the route's calls, from now on or as many `times`. Newer answers come first. */
  answer<R extends RouteShape>(route: R, answer: AnswerOf<R> | Handler<R>, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#add(route, times, async (request) => {
      try {
        return answered(route, typeof answer === "function" ? await (answer as Handler<R>)(request) : answer);
      } catch (error) {
        if (error instanceof Refused) return refusal(error);
        throw error;
      }
    });
  }

  /** Refuses the route's calls. */
  refuse(
    route: RouteShape,
    code: ErrorCode,
    message: string,
    { times = Number.POSITIVE_INFINITY, path }: { times?: number; path?: string } = {},
  ): void {
    this.#add(route, times, () => refusal(new Refused(code, message, path)));
  }

  /** Answers with this text, whatever the contract says: what a proxy or another release may send. */
  answerText(route: RouteShape, text: string, { times = Number.POSITIVE_INFINITY, status = 200 } = {}): void {
    this.#add(route, times, () => new Response(text, { status }));
  }

  /** The route's calls get no answer at all, as without a network. */
  disconnect(route: RouteShape, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#add(route, times, () => Promise.reject(new TypeError("Failed to fetch")));
  }

  /** The route's calls, or some of them, wait until the returned function is called, and are then answered as prepared otherwise. */
  hold<R extends RouteShape>(route: R, which: (request: Received<R>) => boolean = () => true): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = this.#add(route, Number.POSITIVE_INFINITY, async (request) => {
      if (which(request)) await released;
      return this.#responderOf(route, holder).respond(request);
    });
    return () => {
      holder.remaining = 0;
      release();
    };
  }

  /** The calls of this route so far, oldest first. */
  received<R extends RouteShape>(route: R): Received<R>[] {
    return this.#received
      .filter((one) => one.route.path === route.path && one.route.method === route.method)
      .map((one) => one.request as Received<R>);
  }

  /** What went wrong between web app and gateway. Fails the test at its end. */
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
      return json({ errors: [{ code: "internal", message: "The test prepared no such answer." }] }, 500);
    }
  }

  /** The route with the fewest parameters that fits, as a router finds it. */
  #match({ method, path }: Call): { route: RouteShape; params: Record<string, string> } {
    const parts = path.split("/").map(decodeURIComponent);
    let best: { route: RouteShape; params: Record<string, string> } | null = null;
    for (const { route } of this.#responders) {
      const pattern = route.path.split("/");
      if (route.method !== method || pattern.length !== parts.length) continue;
      const params: Record<string, string> = {};
      const fits = pattern.every((piece, at) => {
        if (!piece.startsWith(":")) return piece === parts[at];
        params[piece.slice(1)] = parts[at] ?? "";
        return true;
      });
      if (fits && (best === null || Object.keys(params).length < Object.keys(best.params).length)) best = { route, params };
    }
    if (best === null) throw new Error("No answer is prepared for this call");
    return best;
  }
}

function readRequest(
  route: RouteShape,
  params: Record<string, string>,
  { query, body, authorization, signal }: Call,
): Received<RouteShape> {
  if (route.access !== "public" && !authorization?.startsWith("Bearer ")) throw new Error("The call carries no token");
  return {
    params: route.params?.parse(params),
    query: route.query?.parse(Object.fromEntries(query)),
    body: route.body?.parse(body),
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
