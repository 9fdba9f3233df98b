import { apiBase } from "@fairway/contract/api";
import type { CallOf, ResultOf, RouteShape } from "@fairway/contract/route";
import { checkConnection } from "./connection.ts";
import { parseErrors } from "./error-response.ts";
import { GatewayError } from "./gateway-error.ts";
import { parseResponse } from "./parse-response.ts";
import { noteSecondFactorNeeded } from "../session/second-factor-needed.ts";

/** Provides the bearer token and handles 401 responses. Set by the session; until then calls are sent without a token. */
export interface TokenSource {
  /** The access token to send, refreshed first if it is about to expire. */
  token(): Promise<string | undefined>;
  /** Called after a 401 to a call that carried `token`. Resolves to true if a newer token is available for one retry. */
  onUnauthorized(token: string): Promise<boolean>;
}

let tokenSource: TokenSource = { token: () => Promise.resolve(undefined), onUnauthorized: () => Promise.resolve(false) };

export function setTokenSource(source: TokenSource): void {
  tokenSource = source;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Sent in place of the session's token, such as the one-time token of a forced password update. */
  token?: string;
  /** The only status that counts as success. Default: every 2xx. */
  status?: number;
  /** The version that a save changes, as an ETag. */
  ifMatch?: string;
}

/** The access token for requests that do not go through `call`, refreshed first if it is about to expire. */
export const currentToken = (): Promise<string | undefined> => tokenSource.token();

/**
 * Calls the gateway. Throws only GatewayError (an abort rejects with the signal's reason).
 * The response is parsed by the contract, so a screen never sees a shape it was not written for.
 */
export async function call<R extends RouteShape>(route: R, request: CallOf<R>, options: CallOptions = {}): Promise<ResultOf<R>> {
  const text = await callText(route, request, options);
  return parseResponse(route.response, text) as ResultOf<R>;
}

/** Like `call`, but returns the raw text of a successful response, for screens that parse it themselves. */
export async function callText<R extends RouteShape>(route: R, request: CallOf<R>, options: CallOptions = {}): Promise<string> {
  return (await successOf(route, request, options)).text;
}

/** Like `call`, for a route that is `versioned`: with the ETag of the response. */
export async function callVersioned<R extends RouteShape & { versioned: true }>(
  route: R,
  request: CallOf<R>,
  options: CallOptions = {},
): Promise<{ result: ResultOf<R>; etag: string }> {
  const { response, text } = await successOf(route, request, options);
  return { result: parseResponse(route.response, text) as ResultOf<R>, etag: response.headers.get("etag") ?? "" };
}

/** The response of a route that is `endless`, whose body the caller reads. Throws like `call`, until the body is read. */
export async function callStream(route: RouteShape & { endless: true }, signal: AbortSignal): Promise<Response> {
  const response = await responseTo(route, {}, { signal });
  if (!response.ok) throw toGatewayError(response, await readText(response, signal));
  return response;
}

async function successOf(route: RouteShape, request: unknown, options: CallOptions): Promise<{ response: Response; text: string }> {
  const { signal, status } = options;
  const response = await responseTo(route, request, options);
  const text = await readText(response, signal);
  if (status === undefined ? !response.ok : response.status !== status) throw toGatewayError(response, text);
  return { response, text };
}

/** After a 401, the call is made once more if a newer token is available. */
async function responseTo(route: RouteShape, request: unknown, { signal, token: tokenOverride, ifMatch }: CallOptions): Promise<Response> {
  const token = tokenOverride ?? (route.access === "public" ? undefined : await tokenSource.token());
  const response = await send(route, request, { token, signal, ifMatch });
  if (response.status === 401 && tokenOverride === undefined && token !== undefined && (await tokenSource.onUnauthorized(token))) {
    return send(route, request, { token: await tokenSource.token(), signal, ifMatch });
  }
  return response;
}

interface SendOptions {
  token: string | undefined;
  signal: AbortSignal | undefined;
  ifMatch: string | undefined;
}

async function send(route: RouteShape, request: unknown, { token, signal, ifMatch }: SendOptions): Promise<Response> {
  const { params, query, body } = request as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
  const headers: Record<string, string> = { accept: route.mediaTypes?.[0] ?? "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (ifMatch !== undefined) headers["if-match"] = ifMatch;
  try {
    return await fetch(urlOf(route, params, query), {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    throw toNetworkError(cause, signal);
  }
}

async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    // The connection broke in the middle of the response. Do not pass a partial body off as complete.
    throw toNetworkError(cause, signal);
  }
}

function toNetworkError(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  checkConnection();
  return new GatewayError(0, [], { cause });
}

/** The URL of a call: base path, percent-encoded parameters, query without undefined values. */
export function urlOf(route: RouteShape, params: Record<string, string> = {}, query: Record<string, unknown> = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return `${apiBase}${path}${search.size > 0 ? `?${search}` : ""}`;
}

function toGatewayError(response: Response, text: string): GatewayError {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const error = new GatewayError(response.status, parseErrors(text), { retryAfterSeconds });
  noteSecondFactorNeeded(error);
  return error;
}
