import { createHash } from "node:crypto";
import type { Limits } from "@fairway/contract/limits";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type Condition, type EngineCall, EngineFailed, type RestSource } from "#query/engine.ts";
import { Slots, abandoned } from "#query/slots.ts";
import { ResponseReaders, type ReadRows, type ReaderLimits } from "./response-readers.ts";
import type { ReadOptions } from "./response-parser.ts";
import { type ClientCertificate, KeystoreProblem, Keystores } from "./keystore.ts";
import { type Connections, type UpstreamResponse, callUpstream, openConnections } from "./upstream-caller.ts";
import { callFailure, statusFailure } from "./upstream-failure.ts";
import { type UpstreamPage, type UpstreamRequest, upstreamRequest } from "./upstream-request.ts";
import { systemCode } from "#process/system-code.ts";

export interface UpstreamOptions {
  readonly keystoreFolder: string;
  /** Addresses and CIDR ranges that may be called although they are refused by default. */
  readonly allowedAddresses: readonly string[];
  readonly limits: Pick<Limits, "upstreamConnectMs" | "upstreamCalls" | "upstreamCallsPerUser"> & ReaderLimits;
  readonly log: { warn(details: object, message: string): void };
}

export interface UpstreamQuery {
  readonly conditions: readonly Condition[];
  readonly page: UpstreamPage | undefined;
  readonly wanted: ReadOptions["wanted"];
}

/** Upstreams whose connections are cached. */
const maxConnections = 100;

/** Calls upstream services with their credentials and a limit on concurrent calls for each, and reads their responses. */
export class Upstreams {
  readonly #options: UpstreamOptions;
  readonly #policy: AddressPolicy;
  readonly #keystores: Keystores;
  /** By origin, so that a slow upstream does not block others. Idle ones are dropped. */
  readonly #slots = new Map<string, Slots<number>>();
  readonly #connections = new Map<string, Connections>();
  readonly #readers: ResponseReaders;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#readers = new ResponseReaders(options.limits);
    this.#policy = new AddressPolicy(options.allowedAddresses);
    this.#keystores = new Keystores(options.keystoreFolder);
  }

  /** Current numbers of running and waiting calls, and of the workers that parse large responses. */
  get metrics(): { readonly running: number; readonly waiting: number; readonly readers: ResponseReaders["metrics"] } {
    const slots = [...this.#slots.values()];
    return {
      running: slots.reduce((sum, { inUse }) => sum + inUse, 0),
      waiting: slots.reduce((sum, { waiting }) => sum + waiting, 0),
      readers: this.#readers.metrics,
    };
  }

  async close(): Promise<void> {
    await this.#readers.close();
    for (const { reused, fresh } of this.#connections.values()) {
      reused.destroy();
      fresh.destroy();
    }
    this.#connections.clear();
  }

  /** Calls the upstream and reads its response. Rejects with EngineFailed. */
  async fetch(source: RestSource, { conditions, page, wanted }: UpstreamQuery, call: EngineCall): Promise<ReadRows> {
    const { signal } = call;
    const request = upstreamRequest(source, conditions, page);
    return this.#inSlot(request.url.origin, call, async () => {
      const started = performance.now();
      let status: number | undefined;
      try {
        const { response, key } = await this.#call(source, request, signal);
        status = response.status;
        if (status < 200 || status > 299) throw statusFailure(status, Buffer.concat(response.blocks).toString(), key);
        return await this.#readers.read(response, { rowsPath: source.api.rowsPath, secret: key, wanted }, call);
      } catch (error) {
        if (signal.aborted) throw abandoned(signal);
        const failure = callFailure(error, this.#options.limits);
        if (failure.reason !== "unsupported") {
          // Not the failure's message, which may quote the upstream.
          const details = { upstream: request.url.origin, api: source.api.path, status, reason: failure.reason };
          this.#options.log.warn(
            { ...details, code: systemCode(error), ms: Math.round(performance.now() - started) },
            "an upstream failed",
          );
        }
        throw failure;
      }
    });
  }

  async #inSlot<T>(origin: string, call: EngineCall, work: () => Promise<T>): Promise<T> {
    const slots = this.#slots.get(origin) ?? slotsOf(this.#options.limits);
    this.#slots.set(origin, slots);
    try {
      return await slots.use(call, work);
    } finally {
      if (slots.inUse === 0 && slots.waiting === 0) this.#slots.delete(origin);
    }
  }

  async #call(source: RestSource, request: UpstreamRequest, signal: AbortSignal): Promise<{ response: UpstreamResponse; key: string }> {
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
    return { response: await callUpstream(request, headers, { connections, limits: this.#options.limits, signal }), key };
  }

  /** Connections are shared by calls of the same upstream with the same certificate in its current state. */
  async #connect({ keystore }: RestSource, url: URL, password: string): Promise<Connections> {
    const { certificate, state } = keystore === null ? noCertificate : await this.#openKeystore(keystore, password);
    const id = createHash("sha256")
      .update(JSON.stringify([url.origin, keystore, state, password]))
      .digest("hex");
    const known = this.#connections.get(id);
    const connections = known ?? openConnections(url.protocol, this.#policy, certificate);
    // Moves the entry to the end: the map is ordered by last use.
    this.#connections.delete(id);
    this.#connections.set(id, connections);
    const [oldest = ""] = this.#connections.keys();
    // Not closed, because calls may be running; idle connections close by themselves.
    if (this.#connections.size > maxConnections) this.#connections.delete(oldest);
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
  const slots = Array.from({ length: upstreamCalls }, (_, index) => index);
  const slotLimits = { perOwner: upstreamCallsPerUser, queue: engineQueue, queuePerOwner: engineQueuePerUser, waitMs: engineWaitMs };
  return new Slots(slots, slotLimits, { subject: "The service behind this dataset", work: "calls of the service behind this dataset" });
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
