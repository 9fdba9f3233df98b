import { apiBase } from "@fairway/contract/api";
import type { CallOf, ResultOf, RouteShape } from "@fairway/contract/route";
import { noteUnanswered } from "./connection.ts";
import { errorsOf } from "./error-answer.ts";
import { GatewayError } from "./gateway-error.ts";
import { readAnswer } from "./read-answer.ts";
import { noteSecondFactorNeeded } from "./second-factor-needed.ts";

/** Where the bearer token comes from and who hears that it was refused. The session sets it; until then calls go without one. */
export interface TokenSource {
  /** The access token to send, refreshed first when it is about to end. */
  token(): Promise<string | undefined>;
  /** The server answered 401 to a call that carried `token`. True: a newer token is there now, try once more. */
  refused(token: string): Promise<boolean>;
}

let tokens: TokenSource = { token: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };

export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Sent in place of the session's: the one-time token of a forced password update. */
  token?: string;
  /** The one status of a success; any other, also another success, counts as a failure. */
  status?: number;
}

/** The access token to send with a call that is not made here, refreshed first when it is about to end. */
export const currentToken = (): Promise<string | undefined> => tokens.token();

/**
 * Calls the gateway. Throws only GatewayError (an abort rejects with the signal's reason).
 * The answer is parsed by the contract, so a screen never sees a shape it was not written for.
 */
export async function call<R extends RouteShape>(route: R, request: CallOf<R>, options: CallOptions = {}): Promise<ResultOf<R>> {
  const text = await callText(route, request, options);
  return readAnswer(route.response, text) as ResultOf<R>;
}

/** The same call, with the successful answer's text as it came. For answers that a screen reads in its own way. */
export async function callText<R extends RouteShape>(
  route: R,
  request: CallOf<R>,
  { signal, token: given, status }: CallOptions = {},
): Promise<string> {
  const token = given ?? (route.access === "public" ? undefined : await tokens.token());
  let response = await send(route, request, token, signal);
  if (response.status === 401 && given === undefined && token !== undefined && (await tokens.refused(token))) {
    response = await send(route, request, await tokens.token(), signal);
  }
  const text = await readText(response, signal);
  if (status === undefined ? !response.ok : response.status !== status) throw failure(response, text);
  return text;
}

async function send(route: RouteShape, request: unknown, token: string | undefined, signal: AbortSignal | undefined): Promise<Response> {
  const { params, query, body } = request as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  try {
    return await fetch(urlOf(route, params, query), {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    throw unreachable(cause, signal);
  }
}

async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    // The connection broke in the middle of an answer: what came is not shown as if it were all.
    throw unreachable(cause, signal);
  }
}

function unreachable(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  noteUnanswered();
  return new GatewayError(0, [], { cause });
}

/** The address of a call: base path, parameters percent-encoded, query without undefined values. */
export function urlOf(route: RouteShape, params: Record<string, string> = {}, query: Record<string, unknown> = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return `${apiBase}${path}${search.size > 0 ? `?${search}` : ""}`;
}

function failure(response: Response, text: string): GatewayError {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const error = new GatewayError(response.status, errorsOf(text), { retryAfterSeconds });
  noteSecondFactorNeeded(error);
  return error;
}
