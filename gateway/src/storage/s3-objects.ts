import type { Readable } from "node:stream";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { bucketName } from "@fairway/contract/bucket-globs";
import { type BucketReader, ObjectChanged } from "./bucket-reader.ts";
import { readInTime } from "./read-in-time.ts";
import { openS3Clients } from "./s3-client.ts";
import { isStoreError, statusOf, storeFailed } from "./s3-failures.ts";
import type { S3Address, S3Settings } from "./s3-settings.ts";

export function openBucketReader(address: S3Address, settings: S3Settings): BucketReader {
  const clients = openS3Clients(address, settings);
  const { reader } = clients;

  const call = async <Result>(bucket: string, signal: AbortSignal, run: () => Promise<Result>): Promise<Result> => {
    const failed = (error: Error) => storeFailed(error, bucket, "dataset");
    if (!bucketName.test(bucket)) throw failed(Object.assign(new Error(bucket), { name: "InvalidBucketName" }));
    signal.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof Error && isStoreError(error) ? failed(error) : error;
    }
  };

  return {
    address: address.url,
    list: (bucket, { prefix, oneLevel, next }, signal) =>
      call(bucket, signal, async () => {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          ...(oneLevel ? { Delimiter: "/" } : {}),
          ContinuationToken: next,
        });
        const page = await reader.send(command, { abortSignal: signal });
        return {
          objects: (page.Contents ?? []).map(({ Key = "", Size = 0, ETag = "", LastModified }) => ({
            key: Key,
            size: Size,
            etag: ETag,
            modifiedMs: LastModified?.getTime() ?? 0,
          })),
          folders: (page.CommonPrefixes ?? []).map(({ Prefix = "" }) => Prefix),
          next: page.IsTruncated === true ? page.NextContinuationToken : undefined,
        };
      }),
    read: (bucket, object, from, signal) =>
      call(bucket, signal, async () => {
        const response = await reader
          .send(
            new GetObjectCommand({
              Bucket: bucket,
              Key: object.key,
              // Times in conditions are whole seconds.
              ...(object.etag === ""
                ? { IfUnmodifiedSince: new Date(Math.ceil(object.modifiedMs / 1_000) * 1_000) }
                : { IfMatch: object.etag }),
              ...(from === 0 ? {} : { Range: `bytes=${from}-` }),
            }),
            { abortSignal: signal },
          )
          .catch((error: unknown) => {
            const isGone = error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound");
            throw isGone || [412, 416].includes(statusOf(error) ?? 0) ? new ObjectChanged(object.key) : error;
          });
        const body = response.Body as Readable;
        // Some services ignore the condition.
        const isOther = object.etag !== "" && response.ETag !== undefined && response.ETag !== object.etag;
        if (isOther || response.ContentLength !== object.size - from) {
          body.destroy();
          throw new ObjectChanged(object.key);
        }
        return readInTime(body, settings.limits.storeReadMs, (error) =>
          signal.aborted ? (signal.reason as Error) : storeFailed(error, bucket, "dataset"),
        );
      }),
    close: () => clients.close(),
  };
}
