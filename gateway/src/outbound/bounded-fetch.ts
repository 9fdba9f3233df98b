import { type IncomingMessage, type RequestOptions, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type SecureContext, createSecureContext, rootCertificates } from "node:tls";
import { LRUCache } from "lru-cache";
import { describeCall } from "#tracing/describe-call.ts";
import { traced } from "#tracing/trace.ts";
import type { AddressPolicy } from "./address-policy.ts";

/** The response is too large, has an unexpected encoding or an invalid status. */
export class ResponseRefused extends Error {
  override readonly name = "ResponseRefused";
}

/** The connection, TLS included, or the whole response took too long. */
export class CallTimedOut extends Error {
  override readonly name = "CallTimedOut";
  readonly during: "connect" | "read";
  constructor(during: CallTimedOut["during"]) {
    super(`the ${during} timeout passed`);
    this.during = during;
  }
}

/** The called service, for traces. */
export type CalledService = "nifi" | "card issuer" | "identity provider" | "webhook";

interface BoundedCall {
  readonly service: CalledService;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Aborts the call at any stage. */
  readonly signal: AbortSignal;
  /** Certificates in PEM to trust in addition to the public ones. */
  readonly ca?: string | undefined;
  /** Without them, only `signal` limits the time. The read timeout applies to the whole exchange after connecting. */
  readonly timeouts?: { readonly connectMs: number; readonly readMs: number } | undefined;
}

/** Of informational responses, such as 103 Early Hints, before the one that counts. */
const maxInformational = 20;
/** Beyond a quarter of the content: headers, and what was received but not yet parsed. */
const maxFramingBytes = 300_000;

/**
 * Like `fetch`, for small responses of configured services: only calls addresses that the policy allows, does not follow
 * redirects, uses a new connection, and reads at most `maxBytes`.
 */
export async function boundedFetch(policy: AddressPolicy, maxBytes: number, url: URL, call: BoundedCall): Promise<Response> {
  policy.requireAllowed(url);
  return traced(
    () => describeCall(call.service, call.method, url),
    async (span) => {
      const response = await fetchOnce(policy, maxBytes, url, call);
      span.set("http.response.status_code", response.status);
      return response;
    },
  );
}

async function fetchOnce(policy: AddressPolicy, maxBytes: number, url: URL, call: BoundedCall): Promise<Response> {
  const { method, headers, body, ca } = call;
  const timer = callTimer(call.timeouts);
  const signal = AbortSignal.any([call.signal, timer.signal]);
  let response: IncomingMessage;
  let bytes: Buffer<ArrayBuffer>;
  try {
    const trust = ca === undefined ? {} : { secureContext: contextTrusting(ca) };
    const options = {
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      agent: false,
      lookup: policy.lookup,
      signal,
      ...trust,
    };
    response = await send(url, options, body, timer.connected);
    bytes = await readAll(response, maxBytes);
  } catch (error) {
    throw timer.timedOut() ?? error;
  } finally {
    timer.stop();
  }
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new ResponseRefused(`the answer has the status ${status}`);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : bytes, { status, headers: { "content-type": response.headers["content-type"] ?? "" } });
}

/** Reading all public certificates takes longer than a call. */
const contexts = new LRUCache<string, SecureContext>({ max: 50 });

function contextTrusting(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known !== undefined) return known;
  const context = createSecureContext({ ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
}

function send(url: URL, options: RequestOptions, body: BoundedCall["body"], onConnected: () => void): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, resolve);
    // Not `once`: a call that is aborted during its response emits another error.
    request.on("error", reject);
    let informational = 0;
    // Without a limit, a server could keep the event loop busy until the timeout.
    request.on("information", () => {
      informational += 1;
      if (informational > maxInformational) request.destroy(new ResponseRefused("the answer is announced again and again"));
    });
    request.once("socket", (socket) => socket.once(isSecure ? "secureConnect" : "connect", onConnected));
    request.end(body);
  });
}

/** One timeout for the connection, then one for the whole exchange: a very slow response counts as none. */
function callTimer(timeouts: BoundedCall["timeouts"]) {
  const controller = new AbortController();
  let timedOut: CallTimedOut | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (during: CallTimedOut["during"], ms: number | undefined): void => {
    clearTimeout(timer);
    if (ms === undefined) return;
    timer = setTimeout(() => {
      timedOut = new CallTimedOut(during);
      controller.abort(timedOut);
    }, ms);
  };
  start("connect", timeouts?.connectMs);
  return {
    signal: controller.signal,
    connected: () => start("read", timeouts?.readMs),
    timedOut: () => timedOut,
    stop: () => clearTimeout(timer),
  };
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const encoding = response.headers["content-encoding"];
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (encoding !== undefined && encoding !== "identity") throw new ResponseRefused(`the answer is encoded as ${encoding.slice(0, 20)}`);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new ResponseRefused(`the answer is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
      // Each chunk of a chunked answer costs work, however small it is.
      if (response.socket.bytesRead > maxFramingBytes + length * 1.25) throw new ResponseRefused("the answer comes in too small pieces");
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}
