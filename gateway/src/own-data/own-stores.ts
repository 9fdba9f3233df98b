import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { ImportLocations } from "#query/imported/remote-imports.ts";
import { type FileStore, type FileStores, StoreFailed } from "#storage/storage.ts";
import "./tables.ts";

interface Parts {
  readonly db: Kysely<Database>;
  /** For new files; empty: the disk. */
  readonly bucket: string;
  /** The store on the disk that the gateways share. */
  readonly disk: FileStore;
  /** The buckets of the S3 service that administrators have configured; undefined: none is. */
  readonly s3: () => Promise<FileStores | undefined>;
}

/** The name of the disk among buckets. */
export const onDisk = "";

/** How long a gateway may not know that files have been moved to a bucket that it does not know. */
const bucketsMs = 60_000;
/**
 * How long a gateway may not know that a file was moved. Much shorter than the time that it stays in its former place,
 * `keptAfterMoveSeconds`.
 */
const locationMs = 300_000;
const maxLocations = 20_000;

/** No S3 service is configured. */
export const noServiceFor = (bucket: string): StoreFailed =>
  new StoreFailed(
    `Own data is in the bucket '${bucket}', but the enabled Configuration names no S3 service. An administrator has to set s3URL.`,
  );

/** The stores of own data: each file is on the shared disk or in a bucket, as its row says. Decision 1279. */
export class OwnStores implements ImportLocations {
  readonly bucket: string;
  readonly #parts: Parts;
  readonly #locations = new Map<string, { readonly bucket: string; readonly readAtMs: number }>();
  #used: { readonly buckets: ReadonlySet<string>; readonly readAtMs: number } | undefined;
  #reading: Promise<ReadonlySet<string>> | undefined;
  #isOutdated = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.bucket = parts.bucket;
  }

  /** The store of a bucket. Rejects with StoreFailed if no S3 service is configured. */
  async of(bucket: string): Promise<FileStore> {
    if (bucket === onDisk) return this.#parts.disk;
    const stores = await this.#parts.s3();
    if (stores === undefined) throw noServiceFor(bucket);
    return stores.of(bucket);
  }

  /** Buckets that hold own data, or are to hold it: nothing else may read them. */
  async buckets(): Promise<ReadonlySet<string>> {
    const known = this.#used;
    if (known !== undefined && !this.#isOutdated && Date.now() - known.readAtMs < bucketsMs) return known.buckets;
    if (this.#isOutdated) this.#reading = undefined;
    this.#isOutdated = false;
    const reading = (this.#reading ??= this.#readBuckets());
    try {
      const buckets = await reading;
      // Not over what a later call has read.
      if (this.#reading === reading) this.#used = { buckets, readAtMs: Date.now() };
      return buckets;
    } catch (error) {
      this.#isOutdated = true;
      // During an outage of the database, what is on the disk can still be read.
      if (!(error instanceof DatabaseUnavailable) || known === undefined) throw error;
      return known.buckets;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  /** The buckets of files; those whose rows are gone are looked for on the disk. */
  async locate(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if ((await this.buckets()).size === 0) return new Map(keys.map((key) => [key, onDisk]));
    const oldestMs = Date.now() - locationMs;
    const unknown = keys.filter((key) => (this.#locations.get(key)?.readAtMs ?? 0) < oldestMs);
    if (unknown.length > 0) {
      const rows = await this.#parts.db.selectFrom("own_data_files").select(["key", "bucket"]).where("key", "in", unknown).execute();
      const readAtMs = Date.now();
      for (const { key, bucket } of rows) {
        this.#locations.delete(key);
        this.#locations.set(key, { bucket, readAtMs });
      }
    }
    const found = new Map(keys.map((key) => [key, this.#locations.get(key)?.bucket ?? onDisk]));
    for (const key of this.#locations.keys()) {
      if (this.#locations.size <= maxLocations) break;
      this.#locations.delete(key);
    }
    return found;
  }

  /** Datasets have changed: one of them may be the first one in a bucket. */
  lookForBuckets(): void {
    this.#isOutdated = true;
  }

  readonly elsewhere: ImportLocations["elsewhere"] = async (keys) => {
    const stores = new Map<string, FileStore>();
    for (const [key, bucket] of await this.locate(keys)) if (bucket !== onDisk) stores.set(key, await this.of(bucket));
    return stores.size === 0 ? undefined : stores;
  };

  forget(): void {
    this.#locations.clear();
    this.lookForBuckets();
  }

  async #readBuckets(): Promise<ReadonlySet<string>> {
    const rows = await this.#parts.db.selectFrom("own_data_files").select("bucket").distinct().where("bucket", "<>", onDisk).execute();
    const others = await this.#parts.db
      .selectFrom("own_data_files")
      .select("other_bucket")
      .distinct()
      .where("other_bucket", "is not", null)
      .execute();
    const all = [this.bucket, ...rows.map(({ bucket }) => bucket), ...others.map(({ other_bucket: bucket }) => bucket ?? onDisk)];
    return new Set(all.filter((bucket) => bucket !== onDisk));
  }
}
