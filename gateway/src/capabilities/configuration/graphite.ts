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
  /** Pause between two transmissions. */
  readonly intervalMs: number;
}

const timeoutMs = 5_000;

/**
 * Sends the gateway's metrics to Graphite in its plaintext protocol (`path value seconds`, one per line) while the configuration
 * enables it, and immediately when that changes. If Graphite is unavailable, logs one warning and keeps trying.
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
    parts.configuration.onConfiguration(() => this.#schedule(0));
    this.#schedule(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#sending = this.#sending.then(() => this.#send()).finally(() => this.#schedule(this.#parts.intervalMs));
    }, delayMs).unref();
  }

  async #send(): Promise<void> {
    try {
      const configuration = await this.#parts.configuration.current();
      const target = configuration?.graphiteEnabled === true ? graphiteTarget(configuration.graphiteUrl) : undefined;
      if (!target || this.#closed) return;
      await this.#write(target, await this.#lines());
      if (this.#isFailing) this.#parts.log.info(target, "sending metrics to Graphite again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#parts.log.warn({ err: error }, "cannot send metrics to Graphite; retrying");
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
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error("Graphite timed out")));
      socket.once("error", reject);
      socket.once("close", () => resolve());
      // No response is expected; discard any.
      socket.resume();
      socket.end(lines);
    });
  }
}

/** One segment of a metric path, without dots and spaces. */
const graphiteName = (text: string): string => text.replaceAll(/[^\w-]+/g, "_").slice(0, 100) || "_";
