import { type Agent, type IncomingMessage, type RequestOptions, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { ClientCertificate } from "./keystore.ts";
import { CallStopped, type UpstreamLimits, isConnectionFailure } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

export interface UpstreamAnswer {
  readonly status: number;
  /** Without parameters; empty where the upstream tells none. */
  readonly contentType: string;
  /** The content, after decompression; each block has its buffer to itself. */
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
}

/** Connections of one upstream with one client certificate. */
export interface Connections {
  /** Kept for the next call. */
  readonly kept: Agent;
  /** For a call that must not be made twice: a kept connection may be one that the upstream is just closing. */
  readonly fresh: Agent;
}

/** Of an answer that is no success only its reason is read. */
const reasonBytes = 64_000;
const keptMs = 4_000;

export function openConnections(protocol: string, policy: AddressPolicy, certificate: ClientCertificate): Connections {
  const open = (keepAlive: boolean): Agent => {
    const options = { keepAlive, timeout: keptMs, maxFreeSockets: 8, lookup: policy.lookup };
    return protocol === "https:" ? new HttpsAgent({ ...options, ...certificate }) : new HttpAgent(options);
  };
  return { kept: open(true), fresh: open(false) };
}

/** Makes a call; a connection that fails is tried once more where calling twice is the same as calling once. */
export async function callUpstream(
  request: UpstreamRequest,
  headers: Readonly<Record<string, string>>,
  { connections, limits, signal }: { connections: Connections; limits: UpstreamLimits; signal: AbortSignal },
): Promise<UpstreamAnswer> {
  const attempt = (agent: Agent) => attemptCall(request, { headers, agent }, limits, signal);
  if (request.method === "POST") return attempt(connections.fresh);
  return attempt(connections.kept).catch((error: unknown) => {
    if (!isConnectionFailure(error) || signal.aborted) throw error;
    return attempt(connections.fresh);
  });
}

async function attemptCall(
  { method, url, body }: UpstreamRequest,
  options: Pick<RequestOptions, "headers" | "agent">,
  limits: UpstreamLimits,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const clock = new CallClock(limits);
  const either = AbortSignal.any([signal, clock.signal]);
  try {
    const response = await responseOf(url, { ...options, method, signal: either }, body, clock);
    return await readAnswer(response, limits, either);
  } catch (error) {
    if (!signal.aborted && clock.stopped !== undefined) throw clock.stopped;
    throw error;
  } finally {
    clock.end();
  }
}

function responseOf(url: URL, options: RequestOptions, body: string | undefined, clock: CallClock): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, options, resolve);
    // Not once: what is given up while it answers fails again.
    outgoing.on("error", reject);
    outgoing.once("socket", (socket) => {
      if (outgoing.reusedSocket) clock.connected();
      else socket.once(secure ? "secureConnect" : "connect", () => clock.connected());
    });
    outgoing.end(body);
  });
}

/** One time for the connection, then one for the whole answer: an upstream that drips is as good as silent. */
class CallClock {
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

async function readAnswer(response: IncomingMessage, limits: UpstreamLimits, signal: AbortSignal): Promise<UpstreamAnswer> {
  const status = response.statusCode ?? 0;
  const success = status >= 200 && status < 300;
  const [contentType = ""] = (response.headers["content-type"] ?? "").toLowerCase().split(";");
  const about = { status, contentType: /^[\w.+/-]{1,100}$/.test(contentType) ? contentType : "" };
  if (success && Number(response.headers["content-length"] ?? 0) > limits.upstreamAnswerBytes) {
    response.destroy();
    throw new CallStopped("too-large");
  }
  const blocks = await read(response, success ? limits.upstreamAnswerBytes : reasonBytes, signal).catch((error: unknown) => {
    if (success || !(error instanceof CallStopped)) throw error;
    return [];
  });
  return { ...about, blocks };
}

/** Throws CallStopped where there is more than fits; compressed bytes count as what they become. */
async function read(response: IncomingMessage, most: number, signal: AbortSignal): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const blocks = new Blocks();
  let isTooLarge = false;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      isTooLarge = blocks.size + chunk.length > most;
      if (isTooLarge) return;
      blocks.add(chunk);
    }
  };
  const decoder = decoderOf(response.headers["content-encoding"]);
  try {
    await (decoder ? pipeline(response, decoder, collect, { signal }) : pipeline(response, collect, { signal }));
  } catch (error) {
    // What is left unread fails in one way or another, none of which says why.
    if (!isTooLarge) throw error;
  }
  if (isTooLarge) {
    response.destroy();
    throw new CallStopped("too-large");
  }
  return blocks.whole();
}

const firstBlockBytes = 65_536;
const furtherBlockBytes = 1_048_576;

/** Copies chunks as they come, so that the whole never has to be copied at once. */
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
      const fitting = rest.subarray(0, this.#block.length - this.#used);
      this.#block.set(fitting, this.#used);
      this.#used += fitting.length;
      rest = rest.subarray(fitting.length);
    }
  }

  whole(): readonly Uint8Array<ArrayBuffer>[] {
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
