import type { Kysely } from "kysely";
import type { Config } from "#config/config.ts";
import type { Database } from "#database/schema.ts";
import { addressOf } from "#entities/configured-s3.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { OwnStores, noServiceFor } from "#own-data/own-stores.ts";
import type { BucketReader } from "#storage/bucket-reader.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import type { S3Address, S3Settings } from "#storage/s3-settings.ts";

/** The S3 service of the enabled configuration; undefined: it names none. */
async function serviceOf(entities: Pick<EntityStore, "list">): Promise<S3Address | undefined> {
  return addressOf((await entities.list(storedTypes.config)).find(({ enabled }) => enabled)?.body);
}

const settingsOf = ({ s3, limits, upstreamAddresses }: Config): S3Settings => ({
  ...s3,
  limits,
  addresses: new AddressPolicy(upstreamAddresses),
});

/** The stores of own data as gateways have them. */
export async function ownDataStores(
  config: Config,
  db: Kysely<Database>,
  entities: Pick<EntityStore, "list">,
): Promise<{ readonly stores: OwnStores; close(): void }> {
  const address = await serviceOf(entities);
  const s3 = address && (await import("#storage/s3.ts")).s3Stores(address, settingsOf(config), "own data");
  const stores = new OwnStores({
    db,
    bucket: config.settings.ownData.bucket,
    disk: await localDiskStores(config.home).of("own-data"),
    s3: () => Promise.resolve(s3),
  });
  return { stores, close: () => s3?.close() };
}

/** Lists the objects of this bucket. Throws StoreFailed if no service is configured. */
export async function bucketReader(config: Config, entities: Pick<EntityStore, "list">, bucket: string): Promise<BucketReader> {
  const address = await serviceOf(entities);
  if (address === undefined) throw noServiceFor(bucket);
  const { openBucketReader } = await import("#storage/s3-objects.ts");
  return openBucketReader(address, settingsOf(config));
}
