import { Readable } from "node:stream";
import { checksumHeader } from "@fairway/contract/fileset-uploads";
import { setTimeout as wait } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { FileKey } from "./key.ts";
import {
  type FileInfo,
  PartDamaged,
  PartReplaced,
  type PartStore,
  type PartUploadId,
  StoreFailed,
  type StoredPart,
  UploadMissing,
} from "./storage.ts";

/** S3 refuses to join smaller ones. */
const minBytes = 5_242_880;
const appearsSeconds = 10;

interface Bucket {
  readonly bucket: string;
  readonly writer: S3Client;
  /** Turns failures of the service into StoreFailed. */
  readonly call: <Result>(run: () => Promise<Result>) => Promise<Result>;
  readonly head: (key: FileKey) => Promise<TaggedInfo | undefined>;
  /** Whether browsers send parts to the service itself. */
  readonly presigns: boolean;
}

/** A file with what the service calls its content. */
export interface TaggedInfo extends FileInfo {
  readonly tag: string;
}

interface Joined {
  readonly tag: string;
  /** Bytes. */
  readonly size: number;
  /** The file of this name until now. */
  readonly before: TaggedInfo | undefined;
}

/** Multipart uploads of a bucket. */
export function s3Parts({ bucket, writer, call, head, presigns }: Bucket): PartStore {
  const namesOf = ({ key, uploadId }: PartUploadId) => ({ Bucket: bucket, Key: key, UploadId: uploadId });

  /** The file after it was joined. Rejects if it has not appeared. */
  const joined = async (key: FileKey, { tag, size, before }: Joined): Promise<FileInfo> => {
    for (let attempt = 0; ; attempt += 1) {
      const after = await head(key);
      if (after?.tag === tag) return after;
      // Replaced by someone else in this moment.
      const isReplaced = after !== undefined && (after.tag !== before?.tag || after.lastModified > before.lastModified);
      if (isReplaced) return { key, size, lastModified: after.lastModified };
      // A server may answer a repeated call while it still joins the parts.
      if (attempt === appearsSeconds) throw new StoreFailed(`The file store has not shown the file '${key}' after joining it. Try again.`);
      await wait(1_000);
    }
  };

  const store: PartStore = {
    minBytes,
    begin: (key) =>
      call(async () => {
        // S3 then requires the checksum of each part, and checks it.
        const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ChecksumAlgorithm: "CRC32C" });
        const { UploadId = "" } = await writer.send(command);
        return UploadId;
      }),
    write: (upload, part, { content, size, crc32c }) =>
      call(async () => {
        const body = Readable.from(content, { objectMode: false });
        // The SDK would wait for the rest of a body that has failed.
        const failed = new AbortController();
        body.once("error", () => failed.abort());
        const checked = upload.isChecked ? { ChecksumCRC32C: crc32c } : {};
        const command = new UploadPartCommand({ ...namesOf(upload), PartNumber: part, Body: body, ContentLength: size, ...checked });
        const { ETag } = await writer.send(command, { abortSignal: failed.signal }).catch((error: unknown) => {
          throw body.errored ?? damagedOr(missingOr(error));
        });
        return tagOf(ETag);
      }),
    list: (upload) => call(() => listParts(writer, namesOf(upload))),
    join: (upload, parts) =>
      call(async () => {
        const Parts = parts.map(({ part, tag, crc32c }) => ({
          PartNumber: part,
          ETag: `"${tag}"`,
          ...(upload.isChecked && crc32c !== undefined ? { ChecksumCRC32C: crc32c } : {}),
        }));
        const command = new CompleteMultipartUploadCommand({ ...namesOf(upload), MultipartUpload: { Parts } });
        const before = await head(upload.key);
        const { ETag } = await writer.send(command).catch((error: unknown) => {
          if (error instanceof Error && error.name === "InvalidPart") throw new PartReplaced(error.message, { cause: error });
          throw missingOr(error);
        });
        return joined(upload.key, { tag: tagOf(ETag), size: parts.reduce((sum, { size }) => sum + size, 0), before });
      }),
    abort: (upload) =>
      call(async () => {
        await writer.send(new AbortMultipartUploadCommand(namesOf(upload))).catch((error: unknown) => {
          if (!(missingOr(error) instanceof UploadMissing)) throw error;
        });
      }),
  };
  if (!presigns) return store;
  return {
    ...store,
    // A body of another length does not match the signature, and one with another checksum is not stored.
    presign: (upload, part, { size, crc32c }, seconds) =>
      call(() =>
        getSignedUrl(
          writer,
          new UploadPartCommand({ ...namesOf(upload), PartNumber: part, ContentLength: size, ChecksumCRC32C: crc32c }),
          // As a header: not every server reads checksums from the address.
          { expiresIn: seconds, unhoistableHeaders: new Set([checksumHeader]) },
        ),
      ),
  };
}

async function listParts(writer: S3Client, names: { Bucket: string; Key: string; UploadId: string }): Promise<StoredPart[]> {
  const found: StoredPart[] = [];
  let marker: string | undefined;
  do {
    const page = await writer.send(new ListPartsCommand({ ...names, PartNumberMarker: marker })).catch(throwMissing);
    for (const { PartNumber = 0, Size = 0, ETag, ChecksumCRC32C } of page.Parts ?? []) {
      found.push({ part: PartNumber, size: Size, tag: tagOf(ETag), crc32c: ChecksumCRC32C });
    }
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
  return found;
}

/** Without its quotes, which not all servers write in every response. */
export const tagOf = (header: string | undefined): string => (header ?? "").replaceAll('"', "");

const missingOr = (error: unknown): unknown =>
  error instanceof Error && error.name === "NoSuchUpload" ? new UploadMissing(error.message, { cause: error }) : error;

const damagedOr = (error: unknown): unknown =>
  error instanceof Error && error.name === "BadDigest" ? new PartDamaged(error.message, { cause: error }) : error;

function throwMissing(error: unknown): never {
  throw missingOr(error);
}
