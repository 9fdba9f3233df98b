import { Readable } from "node:stream";
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
import { type FileInfo, type PartStore, type PartUploadId, type StoredPart, UploadMissing } from "./storage.ts";

/** S3 refuses to join smaller ones. */
const minBytes = 5_242_880;

interface Bucket {
  readonly bucket: string;
  readonly writer: S3Client;
  /** Turns failures of the service into StoreFailed. */
  readonly call: <Result>(run: () => Promise<Result>) => Promise<Result>;
  readonly headStored: (key: FileKey) => Promise<FileInfo>;
  /** Whether browsers send parts to the service itself. */
  readonly presigns: boolean;
}

/** Multipart uploads of a bucket. */
export function s3Parts({ bucket, writer, call, headStored, presigns }: Bucket): PartStore {
  const namesOf = ({ key, uploadId }: PartUploadId) => ({ Bucket: bucket, Key: key, UploadId: uploadId });
  const store: PartStore = {
    minBytes,
    begin: (key) =>
      call(async () => {
        const { UploadId = "" } = await writer.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
        return UploadId;
      }),
    write: (upload, part, content, size) =>
      call(async () => {
        const body = Readable.from(content, { objectMode: false });
        // The SDK would wait for the rest of a body that has failed.
        const failed = new AbortController();
        body.once("error", () => failed.abort());
        const command = new UploadPartCommand({ ...namesOf(upload), PartNumber: part, Body: body, ContentLength: size });
        await writer.send(command, { abortSignal: failed.signal }).catch((error: unknown) => {
          throw body.errored ?? missingOr(error);
        });
      }),
    list: (upload) => call(() => listParts(writer, namesOf(upload))),
    join: (upload, parts) =>
      call(async () => {
        const Parts = parts.map(({ part, tag }) => ({ PartNumber: part, ETag: tag }));
        const command = new CompleteMultipartUploadCommand({ ...namesOf(upload), MultipartUpload: { Parts } });
        await writer.send(command).catch(throwMissing);
        return headStored(upload.key);
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
    // A body of another length does not match the signature.
    presign: (upload, part, size, seconds) =>
      call(() =>
        getSignedUrl(writer, new UploadPartCommand({ ...namesOf(upload), PartNumber: part, ContentLength: size }), { expiresIn: seconds }),
      ),
  };
}

async function listParts(writer: S3Client, names: { Bucket: string; Key: string; UploadId: string }): Promise<StoredPart[]> {
  const found: StoredPart[] = [];
  let marker: string | undefined;
  do {
    const page = await writer.send(new ListPartsCommand({ ...names, PartNumberMarker: marker })).catch(throwMissing);
    for (const { PartNumber = 0, Size = 0, ETag = "" } of page.Parts ?? []) found.push({ part: PartNumber, size: Size, tag: ETag });
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
  return found;
}

const missingOr = (error: unknown): unknown =>
  error instanceof Error && error.name === "NoSuchUpload" ? new UploadMissing(error.message, { cause: error }) : error;

function throwMissing(error: unknown): never {
  throw missingOr(error);
}
