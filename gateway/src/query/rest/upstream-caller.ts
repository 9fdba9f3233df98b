import { type Agent, type IncomingMessage, type RequestOptions, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { describeCall } from "#tracing/describe-call.ts";
import { traced } from "#tracing/trace.ts";
import type { ClientCertificate } from "./keystore.ts";
import { CallStopped, type UpstreamLimits, isConnectionFailure } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

export interface UpstreamResponse {
  readonly status: number;
  /** Without parameters; empty if the upstream sends none. */
  readonly contentType: string;
  /** The decompressed content; each block owns its buffer. */
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
}

/** Connections of one upstream with one client certificate. */
export interface Connections {
  /** Reuses connections. */
  readonly reused: Agent;
  /** For calls that must not be repeated: the upstream may be closing a reused connection. */
  readonly fresh: Agent;
}

/** Only the reason is read from an error response. */
const maxReasonBytes = 64_000;
const idleTimeoutMs = 4_000;

export function openConnections(protocol: string, policy: AddressPolicy, certificate: ClientCertificate): Connections {
  const open = (keepAlive: boolean): Agent => {
    const options = { keepAlive, timeout: idleTimeoutMs, maxFreeSockets: 8, lookup: policy.lookup };
    return protocol === "https:" ? new HttpsAgent({ ...options, ...certificate }) : new HttpAgent(options);
  };
  return { reused: open(true), fresh: open(false) };
}

/** Makes a call. Idempotent calls are retried once if the connection fails. */
export async function callUpstream(
  request: UpstreamRequest,
  headers: Readonly<Record<string, string>>,
  { connections, limits, signal }: { connections: Connections; limits: UpstreamLimits; signal: AbortSignal },
): Promise<UpstreamResponse> {
  // Upstreams of external datasets may belong to others, who do not learn of the trace.
  const attempt = (agent: Agent) =>
    traced(
      () => describeCall("upstream", request.method, request.url),
      async (span) => {
        const response = await attemptCall(request, { headers, agent }, limits, signal);
        span.set("http.response.status_code", response.status);
        return response;
      },
    );
  if (request.method === "POST") return attempt(connections.fresh);
  return attempt(connections.reused).catch((error: unknown) => {
    if (!isConnectionFailure(error) || signal.aborted) throw error;
    return attempt(connections.fresh);
  });
}

async function attemptCall(
  { method, url, body }: UpstreamRequest,
  options: Pick<RequestOptions, "headers" | "agent">,
  limits: UpstreamLimits,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const timeouts = new CallTimeouts(limits);
  const combined = AbortSignal.any([signal, timeouts.signal]);
  try {
    const response = await responseOf(url, { ...options, method, signal: combined }, body, timeouts);
    return await readResponse(response, limits, combined);
  } catch (error) {
    if (!signal.aborted && timeouts.stopped !== undefined) throw timeouts.stopped;
    throw error;
  } finally {
    timeouts.end();
  }
}

function responseOf(url: URL, options: RequestOptions, body: string | undefined, timeouts: CallTimeouts): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, options, resolve);
    // Not `once`: a call that is aborted during its response emits another error.
    outgoing.on("error", reject);
    outgoing.once("socket", (socket) => {
      if (outgoing.reusedSocket) timeouts.connected();
      else socket.once(secure ? "secureConnect" : "connect", () => timeouts.connected());
    });
    outgoing.end(body);
  });
}

/** One timeout for the connection, then one for the whole response: a very slow response counts as none. */
class CallTimeouts {
  readonly #limits: UpstreamLimits;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;
  stopped: CallStopped | undefined;

  constructor(limits: UpstreamLimits) {
    this.#limits = limits;
    this.#timer = this.#stopAfter(limits.upstreamConnectMs, "connect-timeout");
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  connected(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#stopAfter(this.#limits.upstreamReadMs, "read-timeout");
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #stopAfter(ms: number, why: CallStopped["why"]): NodeJS.Timeout {
    return setTimeout(() => {
      this.stopped = new CallStopped(why);
      this.#controller.abort(this.stopped);
    }, ms);
  }
}

async function readResponse(response: IncomingMessage, limits: UpstreamLimits, signal: AbortSignal): Promise<UpstreamResponse> {
  const status = response.statusCode ?? 0;
  const success = status >= 200 && status < 300;
  const [contentType = ""] = (response.headers["content-type"] ?? "").toLowerCase().split(";");
  const head = { status, contentType: /^[\w.+/-]{1,100}$/.test(contentType) ? contentType : "" };
  if (success && Number(response.headers["content-length"] ?? 0) > limits.upstreamAnswerBytes) {
    response.destroy();
    throw new CallStopped("too-large");
  }
  const blocks = await readContent(response, success ? limits.upstreamAnswerBytes : maxReasonBytes, signal).catch((error: unknown) => {
    if (success || !(error instanceof CallStopped)) throw error;
    return [];
  });
  return { ...head, blocks };
}

/** Throws CallStopped if the content exceeds `maxBytes` after decompression. */
async function readContent(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const blocks = new Blocks();
  let isTooLarge = false;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      isTooLarge = blocks.size + chunk.length > maxBytes;
      if (isTooLarge) return;
      blocks.add(chunk);
    }
  };
  const decoder = decoderOf(response.headers["content-encoding"]);
  try {
    await (decoder ? pipeline(response, decoder, collect, { signal }) : pipeline(response, collect, { signal }));
  } catch (error) {
    // Stopping early makes the pipeline fail with an unrelated error.
    if (!isTooLarge) throw error;
  }
  if (isTooLarge) {
    response.destroy();
    throw new CallStopped("too-large");
  }
  return blocks.all();
}

const firstBlockBytes = 65_536;
const furtherBlockBytes = 1_048_576;

/** Copies chunks as they arrive, so that the whole content never has to be copied at once. */
class Blocks {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #block = new Uint8Array(firstBlockBytes);
  #used = 0;
  size = 0;

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#used === this.#block.length) {
        this.#full.push(this.#block);
        this.#block = new Uint8Array(furtherBlockBytes);
        this.#used = 0;
      }
      const part = rest.subarray(0, this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
    }
  }

  all(): readonly Uint8Array<ArrayBuffer>[] {
    return [...this.#full, this.#block.subarray(0, this.#used)];
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const decoderOf = (encoding = ""): Transform | undefined => {
  const name = encoding.trim().toLowerCase();
  return Object.hasOwn(decoders, name) ? decoders[name]?.() : undefined;
};
