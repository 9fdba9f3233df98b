import { createHash } from "node:crypto";
import type { Limits } from "@fairway/contract/limits";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type Condition, type EngineCall, EngineFailed, type RestSource } from "#query/engine.ts";
import { Slots, abandoned } from "#query/slots.ts";
import { AnswerReaders, type ReadRows, type ReaderLimits } from "./answer-readers.ts";
import type { AnswerReading } from "./answer-reading.ts";
import { type ClientCertificate, KeystoreProblem, Keystores } from "./keystore.ts";
import { type Connections, type UpstreamAnswer, callUpstream, openConnections } from "./upstream-caller.ts";
import { callFailure, statusFailure } from "./upstream-failure.ts";
import { type UpstreamPage, type UpstreamRequest, upstreamRequest } from "./upstream-request.ts";
import { systemCode } from "#system-code.ts";

export interface UpstreamOptions {
  readonly keystoreFolder: string;
  /** Addresses and CIDR ranges that are called although they would be refused. */
  readonly allowedAddresses: readonly string[];
  readonly limits: Pick<Limits, "upstreamConnectMs" | "upstreamCalls" | "upstreamCallsPerUser"> & ReaderLimits;
  readonly log: { warn(details: object, message: string): void };
}

export interface UpstreamQuestion {
  readonly conditions: readonly Condition[];
  readonly page: UpstreamPage | undefined;
  readonly wanted: AnswerReading["wanted"];
}

/** Upstreams whose connections are remembered. */
const mostConnections = 100;
/** Calls upstream services with their credentials, each a fixed number of times side by side, and reads their answers. */
export class Upstreams {
  readonly #options: UpstreamOptions;
  readonly #policy: AddressPolicy;
  readonly #keystores: Keystores;
  /** By origin, so that a slow upstream keeps nobody from another. Those at work only. */
  readonly #slots = new Map<string, Slots<number>>();
  readonly #connections = new Map<string, Connections>();
  readonly #readers: AnswerReaders;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#readers = new AnswerReaders(options.limits);
    this.#policy = new AddressPolicy(options.allowedAddresses);
    this.#keystores = new Keystores(options.keystoreFolder);
  }

  /** Calls under way and in the queues, at this moment; and of the workers that read large answers. */
  get metrics(): { readonly running: number; readonly waiting: number; readonly readers: AnswerReaders["metrics"] } {
    const slots = [...this.#slots.values()];
    return {
      running: slots.reduce((sum, { taken }) => sum + taken, 0),
      waiting: slots.reduce((sum, { waiting }) => sum + waiting, 0),
      readers: this.#readers.metrics,
    };
  }

  async close(): Promise<void> {
    await this.#readers.close();
    for (const { kept, fresh } of this.#connections.values()) {
      kept.destroy();
      fresh.destroy();
    }
    this.#connections.clear();
  }

  /** Calls and reads the answer. Rejects with EngineFailed. */
  async ask(source: RestSource, { conditions, page, wanted }: UpstreamQuestion, call: EngineCall): Promise<ReadRows> {
    const { signal } = call;
    const request = upstreamRequest(source, conditions, page);
    return this.#takingTurns(request.url.origin, call, async () => {
      const started = performance.now();
      let status: number | undefined;
      try {
        const { answer, key } = await this.#call(source, request, signal);
        status = answer.status;
        if (status < 200 || status > 299) throw statusFailure(status, Buffer.concat(answer.blocks).toString(), key);
        return await this.#readers.read(answer, { rowsPath: source.api.rowsPath, secret: key, wanted }, call);
      } catch (error) {
        if (signal.aborted) throw abandoned(signal);
        const failure = callFailure(error, this.#options.limits);
        if (failure.reason !== "unsupported") {
          // Not the failure's message: it may hold the upstream's own words.
          const about = { upstream: request.url.origin, api: source.api.path, status, reason: failure.reason };
          this.#options.log.warn({ ...about, code: systemCode(error), ms: Math.round(performance.now() - started) }, "an upstream failed");
        }
        throw failure;
      }
    });
  }

  async #takingTurns<T>(origin: string, call: EngineCall, work: () => Promise<T>): Promise<T> {
    const slots = this.#slots.get(origin) ?? slotsOf(this.#options.limits);
    this.#slots.set(origin, slots);
    try {
      return await slots.use(call, work);
    } finally {
      if (slots.taken === 0 && slots.waiting === 0) this.#slots.delete(origin);
    }
  }

  async #call(source: RestSource, request: UpstreamRequest, signal: AbortSignal): Promise<{ answer: UpstreamAnswer; key: string }> {
    this.#policy.requireAllowed(request.url);
    const { keystoreCredential, apiKeyCredential } = secretsOf(source);
    const connections = await this.#connect(source, request.url, keystoreCredential?.password ?? "");
    const key = apiKeyCredential?.key ?? "";
    const headers = {
      accept: "application/json",
      "accept-encoding": "gzip, br",
      "user-agent": "Fairway",
      ...(request.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(request.body)) }),
      ...(source.apiKeyHeader === null ? {} : { [source.apiKeyHeader]: key }),
    };
    return { answer: await callUpstream(request, headers, { connections, limits: this.#options.limits, signal }), key };
  }

  /** Connections are shared by the calls that may use each other's: one upstream, one certificate as it is now. */
  async #connect({ keystore }: RestSource, url: URL, password: string): Promise<Connections> {
    const { certificate, state } = keystore === null ? noCertificate : await this.#openKeystore(keystore, password);
    const id = createHash("sha256")
      .update(JSON.stringify([url.origin, keystore, state, password]))
      .digest("hex");
    const known = this.#connections.get(id);
    const connections = known ?? openConnections(url.protocol, this.#policy, certificate);
    // The newest are at the end.
    this.#connections.delete(id);
    this.#connections.set(id, connections);
    const [oldest = ""] = this.#connections.keys();
    // Forgotten, not closed: calls may be under way on them, and idle ones close by themselves.
    if (this.#connections.size > mostConnections) this.#connections.delete(oldest);
    return connections;
  }

  #openKeystore(keystore: NonNullable<RestSource["keystore"]>, password: string) {
    return this.#keystores.open(keystore, password).catch((error: unknown) => {
      if (!(error instanceof KeystoreProblem)) throw error;
      this.#options.log.warn({ keystore: keystore.path, err: error.cause }, error.message);
      throw new EngineFailed("upstream", `The portal's client certificate for this dataset cannot be used. ${error.message}`);
    });
  }
}

function slotsOf(limits: UpstreamOptions["limits"]): Slots<number> {
  const { upstreamCalls, upstreamCallsPerUser, engineQueue, engineQueuePerUser, engineWaitMs } = limits;
  const places = Array.from({ length: upstreamCalls }, (_, place) => place);
  const shares = { perOwner: upstreamCallsPerUser, queue: engineQueue, queuePerOwner: engineQueuePerUser, waitMs: engineWaitMs };
  return new Slots(places, shares, { subject: "The upstream of this dataset", work: "calls of this dataset's upstream" });
}

const noCertificate: { certificate: ClientCertificate; state: string } = { certificate: {}, state: "" };

function secretsOf({ secrets }: RestSource): ReturnType<RestSource["secrets"]> {
  try {
    return secrets();
  } catch (error) {
    throw new EngineFailed("failed", "The credentials of this dataset cannot be read: an administrator has to enter them again.", {
      cause: error,
    });
  }
}
