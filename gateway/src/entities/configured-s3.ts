import type { Configuration } from "@fairway/contract/entity-schemas";
import type { S3Address } from "#storage/s3-settings.ts";

/** Clients for the S3 service of the enabled configuration, which administrators change while the portal runs. */
export class ConfiguredS3<T extends { close(): void }> {
  readonly #configuration: { current(): Promise<Configuration | undefined> };
  readonly #open: (address: S3Address) => Promise<T>;
  #opened: { readonly address: S3Address; readonly value: Promise<T> } | undefined;

  constructor(configuration: { current(): Promise<Configuration | undefined> }, open: (address: S3Address) => Promise<T>) {
    this.#configuration = configuration;
    this.#open = open;
  }

  /** Undefined if the configuration names no service. */
  async current(): Promise<T | undefined> {
    const address = addressOf(await this.#configuration.current());
    if (address === undefined) return undefined;
    const known = this.#opened;
    if (known?.address.url === address.url && known.address.region === address.region) return known.value;
    // Downloads from a former service finish.
    const value = this.#open(address);
    this.#opened = { address, value };
    return value;
  }

  async close(): Promise<void> {
    (await this.#opened?.value)?.close();
  }
}

export const addressOf = (configuration: Configuration | undefined): S3Address | undefined =>
  configuration === undefined || configuration.s3URL === "" ? undefined : { url: configuration.s3URL, region: configuration.s3Region };
