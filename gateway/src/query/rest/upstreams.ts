import { createHash } from "node:crypto";
import type { Limits } from "@fairway/contract/limits";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type Condition, EngineFailed, type RestSource } from "#query/engine.ts";
import { Slots, abandoned } from "#query/slots.ts";
import { type ClientCertificate, KeystoreProblem, Keystores } from "./keystore.ts";
import { type Connections, type UpstreamAnswer, callUpstream, openConnections } from "./upstream-caller.ts";
import { callFailure, repeatsSecret, statusFailure } from "./upstream-failure.ts";
import { type UpstreamPage, type UpstreamRequest, upstreamRequest } from "./upstream-request.ts";
import { UnreadableAnswer, parseAnswer, rowsIn } from "./upstream-rows.ts";

export interface UpstreamOptions {
  readonly keystoreFolder: string;
  /** Addresses and CIDR ranges that are called although they would be refused. */
  readonly allowedAddresses: readonly string[];
  readonly limits: Pick<
    Limits,
    "upstreamConnectMs" | "upstreamReadMs" | "upstreamAnswerBytes" | "upstreamCalls" | "engineQueue" | "engineWaitMs"
  >;
  readonly log: { warn(details: object, message: string): void };
}

/** An answer, its JSON read. */
export interface Answered {
  readonly json: unknown;
  readonly rows: readonly object[];
}

/** Upstreams whose connections are remembered. */
const mostConnections = 100;
/** A key shorter than this may stand in any answer. */
const tellingKeyCharacters = 8;

/** Calls upstream services with their credentials, a fixed number side by side, and reads their answers. */
export class Upstreams {
  readonly #options: UpstreamOptions;
  readonly #policy: AddressPolicy;
  readonly #keystores: Keystores;
  readonly #slots: Slots<number>;
  readonly #connections = new Map<string, Connections>();

  constructor(options: UpstreamOptions) {
    const { upstreamCalls, engineQueue, engineWaitMs } = options.limits;
    this.#options = options;
    this.#policy = new AddressPolicy(options.allowedAddresses);
    this.#keystores = new Keystores(options.keystoreFolder);
    const places = Array.from({ length: upstreamCalls }, (_, place) => place);
    this.#slots = new Slots(places, { slots: upstreamCalls, queue: engineQueue, waitMs: engineWaitMs });
  }

  close(): void {
    for (const { kept, fresh } of this.#connections.values()) {
      kept.destroy();
      fresh.destroy();
    }
    this.#connections.clear();
  }

  /** Rejects with EngineFailed. */
  async ask(source: RestSource, conditions: readonly Condition[], page: UpstreamPage | undefined, signal: AbortSignal): Promise<Answered> {
    const request = upstreamRequest(source, conditions, page);
    return this.#slots.use(signal, async () => {
      const started = performance.now();
      try {
        const { answer, key } = await this.#call(source, request, signal);
        if (answer.status < 200 || answer.status > 299) throw statusFailure(answer.status, answer.text, key === "" ? [] : [key]);
        if (key.length >= tellingKeyCharacters && repeatsSecret(answer.text, key)) {
          throw new EngineFailed("upstream", "The upstream of this dataset repeats a secret in its answer, which is withheld.");
        }
        return reading(() => {
          const json = answer.status === 204 ? [] : parseAnswer(answer.text, answer.contentType);
          return { json, rows: answer.status === 204 ? [] : rowsIn(json, source.api.rowsPath) };
        });
      } catch (error) {
        if (signal.aborted) throw abandoned(signal);
        const failure = callFailure(error, this.#options.limits);
        if (failure.reason !== "unsupported") {
          const about = { upstream: request.url.origin, api: source.api.path, ms: Math.round(performance.now() - started) };
          this.#options.log.warn({ ...about, reason: failure.message, code: (error as NodeJS.ErrnoException).code }, "an upstream failed");
        }
        throw failure;
      }
    });
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
      throw new EngineFailed("upstream", `The portal's client certificate for this dataset cannot be used. ${error.message}`);
    });
  }
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

/** What an answer lacks is the upstream's failure. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    throw new EngineFailed("upstream", `The upstream of this dataset ${error.message}.`);
  }
}
