import { rootCertificates } from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, type Response, fetch } from "undici";
import { hidingSecrets } from "#secrets/hide-secrets.ts";
import { type AddressPolicy, AddressRefused } from "#outbound/address-policy.ts";
import { EngineFailed } from "#query/engine.ts";
import { describeCall } from "#tracing/describe-call.ts";
import { traceHeaders, traced } from "#tracing/trace.ts";
import { CallRefused, callFailure, causesOf } from "./failures.ts";
import type { CoordinatorLimits, CoordinatorSettings } from "./statements.ts";

interface CoordinatorCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** For the sentence of a failure. */
  readonly queryId?: string | undefined;
}

export interface CoordinatorAnswer {
  readonly status: number;
  readonly text: string;
}

/** Both servers ask clients to repeat a call after these. */
const repeatable = new Set([429, 502, 503, 504]);
const firstDelayMs = 50;
const maxDelayMs = 1_000;
/** Of an answer that is no success; only for the log. */
const maxErrorBytes = 64_000;
const idleConnectionMs = 4_000;

/** The HTTP side of one server: connections, sign-in, limits and repeated calls. */
export class Coordinator {
  readonly #base: URL;
  readonly limits: CoordinatorLimits;
  /** A text of the server without credentials that it repeats. */
  readonly hide: (text: string) => string;
  readonly #addresses: AddressPolicy;
  readonly #authorization: string | undefined;
  readonly #agent: Agent;

  /** Opens no connection yet. Throws EngineFailed for settings that cannot be used. */
  constructor(settings: CoordinatorSettings, limits: CoordinatorLimits) {
    this.#base = baseUrl(settings.url);
    this.limits = limits;
    this.#authorization = authorizationOf(settings);
    const { user, password, token } = settings;
    this.hide = hidingSecrets(token === undefined ? [] : [token], password === undefined ? undefined : { user, password });
    // Decision 0440: unencrypted credentials go only to addresses that the operator listed.
    this.#addresses = this.#sendsPlainly ? settings.addresses.listedOnly() : settings.addresses;
    this.#agent = new Agent({
      connect: {
        timeout: limits.connectMs,
        lookup: this.#addresses.lookup,
        ...(settings.ca === undefined ? {} : { ca: [...rootCertificates, settings.ca] }),
      },
      keepAliveTimeout: idleConnectionMs,
      // The whole answer has a timeout of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get #sendsPlainly(): boolean {
    return this.#base.protocol === "http:" && this.#authorization !== undefined;
  }

  /** An address of the server's API, such as `/v1/statement`. */
  url(path: `/v1/${string}`): URL {
    return new URL(`${this.#base.pathname.replace(/\/$/, "")}${path}`, this.#base);
  }

  /** An address that the server named. Throws EngineFailed unless it belongs to the same API: it would get the credentials. */
  ownUrl(text: string, queryId: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isOwn =
      url?.origin === this.#base.origin && url.username === "" && url.password === "" && url.pathname.startsWith(this.url("/v1/").pathname);
    if (!isOwn) throw callFailure(new CallRefused("elsewhere"), this.limits, queryId);
    url.hash = "";
    return url;
  }

  /** Repeats the call while the server is not reachable or asks for it, so it must be safe to repeat. Rejects with EngineFailed. */
  async repeated(call: CoordinatorCall): Promise<CoordinatorAnswer> {
    let giveUpAtMs: number | undefined;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(call).catch((error: unknown) => {
        if (call.signal.aborted || !isLostConnection(error)) throw this.#failure(error, call);
        return { error };
      });
      if ("status" in outcome && !repeatable.has(outcome.status)) return outcome;
      giveUpAtMs ??= performance.now() + this.limits.retryMs;
      if (performance.now() >= giveUpAtMs) {
        if ("status" in outcome) return outcome;
        throw this.#failure(outcome.error, call);
      }
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** attempt);
      // Spread, so that all clients of a restarted server do not call at once.
      await wait(delayMs * (0.5 + Math.random() / 2), undefined, { signal: call.signal }).catch((error: unknown) => {
        throw this.#failure(error, call);
      });
    }
  }

  /** Rejects with EngineFailed. */
  async once(call: CoordinatorCall): Promise<CoordinatorAnswer> {
    return this.#attempt(call).catch((error: unknown) => {
      throw this.#failure(error, call);
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #failure(error: unknown, { signal, queryId }: CoordinatorCall): EngineFailed {
    if (signal.aborted && signal.reason instanceof EngineFailed) return signal.reason;
    if (this.#sendsPlainly && causesOf(error).some((cause) => cause instanceof AddressRefused)) {
      return new EngineFailed(
        "upstream",
        "The portal does not send credentials to the query server unencrypted. Use an https address; an operator can allow it for the address.",
      );
    }
    return callFailure(error, this.limits, queryId);
  }

  async #attempt({ method, url, headers, body, signal }: CoordinatorCall): Promise<CoordinatorAnswer> {
    this.#addresses.requireAllowed(url);
    // Not AbortSignal.any: a long answer has many calls, and each would stay attached to the caller's signal.
    const controller = new AbortController();
    const onAbort = () => controller.abort(signal.reason);
    const timer = setTimeout(() => controller.abort(new CallRefused("read-timeout")), this.limits.readMs);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      return await traced(
        () => describeCall("query server", method, url),
        async (span) => {
          const response = await fetch(url, {
            method,
            headers: { accept: "application/json", "user-agent": "Fairway", ...traceHeaders(), ...headers, ...this.#signIn },
            body: body ?? null,
            dispatcher: this.#agent,
            redirect: "manual",
            signal: controller.signal,
          });
          span.set("http.response.status_code", response.status);
          const maxBytes = response.ok ? this.limits.pageBytes : maxErrorBytes;
          return { status: response.status, text: await readText(response, maxBytes, !response.ok) };
        },
      );
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  get #signIn(): Readonly<Record<string, string>> {
    return this.#authorization === undefined ? {} : { authorization: this.#authorization };
  }
}

function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "") return url;
  throw new EngineFailed("not-ready", "The address of the query server has to be an http or https address without credentials.");
}

function authorizationOf({ user, password, token }: CoordinatorSettings): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  return password === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** The connection was not opened or broke; a server that answers too slowly is not asked again. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof TypeError && !causesOf(error).some((cause) => cause instanceof AddressRefused || isLasting(cause));

/** Trust and names do not change within seconds. */
const isLasting = (cause: unknown): boolean =>
  cause instanceof Error &&
  "code" in cause &&
  /^(?:ENOTFOUND|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|UND_ERR_CONNECT_TIMEOUT)/.test(String(cause.code));

async function readText(response: Response, maxBytes: number, isTruncated: boolean): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    length += (chunk as Uint8Array).length;
    if (length <= maxBytes) continue;
    // Leaving the loop closes the connection.
    if (isTruncated) break;
    throw new CallRefused("too-large");
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
