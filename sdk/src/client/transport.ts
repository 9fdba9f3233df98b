import { type Operations, operations } from "./api.ts";
import { FairwayError, errorOf, invalidArgument } from "./errors.ts";

/** A part of a call; left out if there is none, optional if all of its fields are. */
type Part<Name extends string, Value> = Value extends undefined
  ? { readonly [name in Name]?: undefined }
  : Partial<Value> extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Arguments of a call. */
export type CallOf<Id extends keyof Operations> = Part<"params", Operations[Id]["params"]> &
  Part<"query", Operations[Id]["query"]> &
  Part<"body", Operations[Id]["body"]> &
  CallOptions & { readonly headers?: Readonly<Record<string, string>> };

export interface TransportOptions {
  /** Address of the portal, such as `https://data.example.org`. */
  readonly url: string;
  /** An API key of the portal (or an access token). */
  readonly apiKey: string;
  /** How often a call is repeated when the portal is busy and says when to try again. Default: 3. */
  readonly retries?: number | undefined;
  /** A call is not repeated if the portal asks to wait for longer. Default: 60,000. */
  readonly maxRetryWaitMs?: number | undefined;
}

interface SendOptions {
  readonly bodyOf?: () => NonNullable<RequestInit["body"]>;
  /** False for a body that can be read only once. */
  readonly isRepeatable?: boolean;
}

const retried = new Set([429, 503]);

/** Sends calls to a portal. */
export class Transport {
  /** Address of the portal without a trailing slash. */
  readonly url: string;
  readonly #apiKey: string;
  readonly #retries: number;
  readonly #maxRetryWaitMs: number;

  constructor({ url, apiKey, retries = 3, maxRetryWaitMs = 60_000 }: TransportOptions) {
    this.url = portalUrl(url);
    if (!/^[\w.~+/=-]+$/.test(apiKey)) throw invalidArgument("apiKey is not an API key: copy it from the page API Keys of the portal.");
    this.#apiKey = apiKey;
    this.#retries = retries;
    this.#maxRetryWaitMs = maxRetryWaitMs;
  }

  /** Calls an operation of the API. Throws FairwayError, or the reason of the signal. */
  async call<Id extends keyof Operations>(id: Id, call: CallOf<Id>): Promise<Operations[Id]["answer"]> {
    const response = await this.answer(id, call);
    const isFile = id === "filesets.download" || id === "filesets.zip" || id === "exports.file";
    return (isFile ? response : await jsonOf(response)) as Operations[Id]["answer"];
  }

  /** Calls an operation and returns its answer to read from. */
  answer<Id extends keyof Operations>(id: Id, call: CallOf<Id>): Promise<Response> {
    const [method, template] = operations[id];
    const {
      params = {},
      query = {},
      body,
      headers,
      signal,
    } = call as Partial<Record<"params" | "query", Record<string, string>>> & {
      body?: unknown;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    };
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
    return this.send(`${this.url}/api${path}${search === "" ? "" : `?${search}`}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Sends a request as it is. `bodyOf` returns the body of each attempt. */
  async send(url: string, request: RequestInit, { bodyOf, isRepeatable = true }: SendOptions = {}): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#fetch(url, bodyOf === undefined ? request : { ...request, body: bodyOf() });
      if (response.ok) return response;
      const waitMs = Number(response.headers.get("retry-after") ?? NaN) * 1_000;
      const isRetried = retried.has(response.status) && isRepeatable && attempt < this.#retries && waitMs <= this.#maxRetryWaitMs;
      if (!isRetried) throw await errorOf(response);
      await response.body?.cancel();
      await wait(waitMs, request.signal);
    }
  }

  async #fetch(url: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(url, request);
    } catch (cause) {
      if (request.signal?.aborted) throw request.signal.reason;
      const { origin } = new URL(url);
      const code = codeOf(cause);
      throw new FairwayError({ code: "unreachable", message: `${origin} cannot be reached${code === "" ? "" : ` (${code})`}.`, cause });
    }
  }
}

/** Accepts the address of any page of the API, too. */
function portalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidArgument(`url is ${JSON.stringify(text)}: expected the address of a portal, such as https://data.example.org.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api$/, "")}`;
}

export async function jsonOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${new URL(response.url).origin} did not answer as a Fairway portal does.`;
    throw new FairwayError({ code: "unexpected-answer", message, status: response.status, cause });
  }
}

/** The system's name of what went wrong, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : codeOf(error.cause);
}

async function wait(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
