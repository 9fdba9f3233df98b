import { hostname } from "node:os";
import { type Socket, connect } from "node:net";
import { graphiteTarget } from "@fairway/contract/entity-schemas";
import type { BaseLogger } from "pino";
import type { LiveConfiguration } from "#entities/live-configuration.ts";
import type { Metrics } from "#http/metrics.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";

export interface GraphiteParts {
  readonly configuration: Pick<LiveConfiguration, "current" | "onConfiguration">;
  readonly metrics: Pick<Metrics, "samples">;
  readonly addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">;
  readonly log: Pick<BaseLogger, "info" | "warn">;
  /** Milliseconds from one sending to the next. */
  readonly everyMs: number;
}

const timeoutMs = 5_000;

/**
 * Sends the gateway's metrics to Graphite in its plaintext protocol (`path value seconds`, one per line) for as long as the
 * configuration says so, and at once when that changes. A Graphite that is not there costs nothing but a line in the log.
 */
export class GraphiteSender {
  readonly #parts: GraphiteParts;
  readonly #prefix = `fairway.${graphiteName(hostname())}`;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isFailing = false;
  #closed = false;

  constructor(parts: GraphiteParts) {
    this.#parts = parts;
    parts.configuration.onConfiguration(() => this.#next(0));
    this.#next(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #next(inMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#sending = this.#sending.then(() => this.#send()).finally(() => this.#next(this.#parts.everyMs));
    }, inMs).unref();
  }

  async #send(): Promise<void> {
    try {
      const configuration = await this.#parts.configuration.current();
      const target = configuration?.graphiteEnabled === true ? graphiteTarget(configuration.graphiteUrl) : undefined;
      if (!target || this.#closed) return;
      await this.#write(target, await this.#lines());
      if (this.#isFailing) this.#parts.log.info(target, "metrics reach Graphite again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#parts.log.warn({ err: error }, "metrics do not reach Graphite; they are tried again");
      this.#isFailing = true;
    }
  }

  async #lines(): Promise<string> {
    const seconds = Math.floor(Date.now() / 1_000);
    const samples = await this.#parts.metrics.samples();
    return samples.map(({ name, value }) => `${this.#prefix}.${name.map(graphiteName).join(".")} ${value} ${seconds}\n`).join("");
  }

  #write({ host, port }: { host: string; port: number }, lines: string): Promise<void> {
    const { addresses } = this.#parts;
    addresses.requireAllowed(new URL(`http://${host.includes(":") ? `[${host}]` : host}`));
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({ host, port, lookup: addresses.lookup });
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error("Graphite does not answer")));
      socket.once("error", reject);
      socket.once("close", () => resolve());
      // Nothing is expected back; what comes is let go.
      socket.resume();
      socket.end(lines);
    });
  }
}

/** One step of a path: no dots, no spaces. */
const graphiteName = (text: string): string => text.replaceAll(/[^\w-]+/g, "_").slice(0, 100) || "_";
