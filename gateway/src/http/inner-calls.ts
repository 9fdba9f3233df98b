import { apiBase } from "@fairway/contract/api";
import { errorBody } from "@fairway/contract/errors";
import type { CallOf, ResultOf, RouteShape } from "@fairway/contract/route";
import type { FastifyInstance } from "fastify";
import inject, { type DispatchFunc, type InjectOptions, type Response } from "light-my-request";
import { parseInSlices } from "./parse-in-slices.ts";
import { Refusal } from "./refusal.ts";

/** On whose behalf a call is made from inside: what the gateway knew of the outer call. */
export interface InnerCaller {
  /** Credentials, host and user agent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address. */
  readonly ip: string;
  /** Aborted when the outer caller leaves; the call then ends as well. */
  readonly signal: AbortSignal;
}

interface InnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Buffer;
}

interface AnyCall {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Calls routes of this gateway without the network, exactly as a caller could: the same credentials are checked, and the same
 * limits, audit and error messages apply. Refuses what the route refuses.
 */
export class InnerCalls {
  readonly #maxBytes: number;
  #app: Pick<FastifyInstance, "routing"> | undefined;

  /** Answers of more than `maxBytes` are cut off and refused with `too-large`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  attach(app: Pick<FastifyInstance, "routing">): void {
    this.#app = app;
  }

  async call<R extends RouteShape>(route: R, request: CallOf<R>, caller: InnerCaller): Promise<ResultOf<R>> {
    const { content } = await this.fetch(route, request, caller);
    // Not checked by the contract again: the route has written what it names, and a second check of many rows takes long.
    return (await parseInSlices(content)) as ResultOf<R>;
  }

  /** The content as it is, with headers of the request's own. */
  async fetch<R extends RouteShape>(
    route: R,
    request: CallOf<R>,
    caller: InnerCaller,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<InnerAnswer> {
    const answer = await this.#send(route, request as AnyCall, caller, headers);
    if (answer.status < 400) return answer;
    throw refusalOf(answer);
  }

  async #send(route: RouteShape, request: AnyCall, caller: InnerCaller, headers: Readonly<Record<string, string>>): Promise<InnerAnswer> {
    const app = this.#app;
    if (app === undefined) throw new Error("no app is attached");
    let leave: () => void = () => undefined;
    const response = await new Promise<Response>((resolve, reject) => {
      const dispatch: DispatchFunc = (req, res) => {
        // Ends the work of the call, as the end of a connection would.
        leave = () => res.destroy();
        caller.signal.addEventListener("abort", leave, { once: true });
        if (caller.signal.aborted) leave();
        else app.routing(req, res);
      };
      const options: InjectOptions = {
        method: route.method,
        url: addressOf(route, request),
        headers: { ...caller.headers, ...headers },
        remoteAddress: caller.ip,
        payloadAsStream: true,
        ...(request.body === undefined ? {} : { payload: request.body as object }),
      };
      inject(dispatch, options, (error, answer) => (answer === undefined ? reject(error ?? new Error("no answer")) : resolve(answer)));
    });
    try {
      const content = await this.#read(response.stream());
      return { status: response.statusCode, headers: response.headers, content };
    } finally {
      caller.signal.removeEventListener("abort", leave);
      leave();
    }
  }

  async #read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > this.#maxBytes) throw new Refusal("too-large", "The answer is too large. Narrow the search, or ask for fewer rows.");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function refusalOf({ status, content }: InnerAnswer): Error {
  const parsed = errorBody.safeParse(JSON.parse(content.toString()));
  const [first, ...others] = parsed.data?.errors ?? [];
  return first === undefined ? new Error(`a call from inside was answered ${status}`) : Refusal.of([first, ...others]);
}

function addressOf({ path }: RouteShape, { params = {}, query = {} }: AnyCall): string {
  const values = params as Record<string, string>;
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const given = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return `${apiBase}${address}${search.size > 0 ? `?${search.toString()}` : ""}`;
}
