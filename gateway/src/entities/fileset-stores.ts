import { checksumHeader } from "@fairway/contract/fileset-uploads";
import type { FastifyBaseLogger } from "fastify";
import { ConfiguredS3, addressOf } from "#entities/configured-s3.ts";
import type { LiveConfiguration } from "#entities/live-configuration.ts";
import { UnsafeKey, fileKey } from "#storage/key.ts";
import type { S3Stores } from "#storage/s3.ts";
import { type S3Settings, uploadOriginOf } from "#storage/s3-settings.ts";
import { type FileStore, type FileStores, StoreFailed, isReserved } from "#storage/storage.ts";

interface Parts {
  readonly configuration: Pick<LiveConfiguration, "current" | "onConfiguration">;
  /** Used while the configuration names no S3 service. */
  readonly disk: FileStores;
  readonly s3: S3Settings;
  /** Buckets that filesets must not read. Default: none. */
  readonly reserved?: () => Promise<ReadonlySet<string>>;
  /** Address of the portal as browsers call it; undefined = not known. */
  readonly portalUrl: string | undefined;
  readonly log: Pick<FastifyBaseLogger, "debug">;
}

/** The stores of filesets: in a folder, or on the S3 service of the enabled configuration. Decision 0311. */
export class FilesetStores implements FileStores {
  readonly #parts: Parts;
  readonly #s3: ConfiguredS3<S3Stores>;
  #uploadOrigins: readonly string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    // The SDK is loaded by portals that use it only.
    this.#s3 = new ConfiguredS3(parts.configuration, async (address) => (await import("#storage/s3.ts")).s3Stores(address, parts.s3));
    parts.configuration.onConfiguration(() => void this.refresh());
  }

  of(bucket: string): Promise<FileStore> {
    if (fileKey(bucket).includes("/")) throw new UnsafeKey(bucket);
    return this.#of(bucket);
  }

  /**
   * Origins that pages have to be allowed to upload to. Never waits, because pages are served without the database, too: a
   * change of the configuration that was not announced applies from the next page on.
   */
  uploadOrigins(): readonly string[] {
    void this.refresh();
    return this.#uploadOrigins;
  }

  /** Reads the configuration for `uploadOrigins`. Keeps what it knows if the configuration cannot be read. */
  async refresh(): Promise<void> {
    try {
      const address = addressOf(await this.#parts.configuration.current());
      const { s3 } = this.#parts;
      this.#uploadOrigins = address && s3.directUploads ? [uploadOriginOf(address, s3)] : [];
    } catch (error) {
      this.#parts.log.debug({ err: error }, "the configuration of file stores could not be read");
    }
  }

  /** Why the files of a bucket cannot be used, for administrators. Checks S3 only: a folder is created when it is used. */
  async problemOf(bucket: string, allowsUploads: boolean): Promise<string | undefined> {
    try {
      if (addressOf(await this.#parts.configuration.current()) === undefined) return undefined;
      const store = await this.of(bucket);
      await store.head(probeKey);
      const address = allowsUploads ? await store.parts?.presign?.(probeUpload, 1, { size: 1, crc32c: "AAAAAA==" }, 60) : undefined;
      return address === undefined ? undefined : await this.#uploadProblem(bucket, address);
    } catch (error) {
      if (error instanceof StoreFailed) return error.message;
      if (error instanceof UnsafeKey) return `'${bucket}' cannot be the name of a bucket.`;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#s3.close();
  }

  async #uploadProblem(bucket: string, url: string): Promise<string | undefined> {
    const { portalUrl, s3 } = this.#parts;
    if (portalUrl === undefined) {
      return `The portal cannot check whether browsers may upload to the bucket '${bucket}', because PUBLIC_URL is not set. The operator has to set it to the address that people open.`;
    }
    const { origin } = new URL(portalUrl);
    const { allowsPut } = await import("#storage/s3-cors.ts");
    if (await allowsPut(url, origin, s3)) return undefined;
    return `Browsers cannot upload to the bucket '${bucket}': its CORS rules have to allow PUT from ${origin} with the header ${checksumHeader}. Or remove s3.directUploads from the settings, and uploads go through the portal.`;
  }

  async #of(bucket: string): Promise<FileStore> {
    const s3 = await this.#s3.current();
    if (s3 === undefined) return this.#parts.disk.of(bucket);
    if (isReserved(bucket, (await this.#parts.reserved?.()) ?? [])) {
      throw new StoreFailed(`The bucket '${bucket}' holds the own data of users: an administrator has to choose another for the fileset.`);
    }
    return s3.of(bucket);
  }
}

/** Not a file: only whether the store answers matters. */
const probeKey = fileKey(".fairway", "probe");
const probeUpload = { key: probeKey, uploadId: "probe", isChecked: true };
