import type { OwnFiles } from "#own-data/own-files.ts";
import { onDisk } from "#own-data/own-stores.ts";
import { fileKey } from "#storage/key.ts";
import { spelledStore } from "#storage/spelled-store.ts";
import type { FileStore } from "#storage/storage.ts";
import type { UploadDestination } from "#uploads/part-uploads.ts";
import type { ImportRow } from "./repository.ts";

export interface ImportDestination extends UploadDestination {
  readonly row: ImportRow;
}

/** Names in rows of uploads: of the disk, and before those of buckets, which cannot be called so themselves. */
const [diskName, bucketScheme] = ["own-data", "s3://"];

/** An import as the destination of uploads. */
export const destinationOf = (row: ImportRow, files: Pick<OwnFiles, "of">): ImportDestination => ({
  row,
  bucket: row.bucket === onDisk ? diskName : `${bucketScheme}${row.bucket}`,
  hasNewKeys: true,
  keyOf: (path) => fileKey(row.id, path),
  store: async () => spelledStore(await files.of(row.bucket)),
});

/** The store of an upload, by what its row calls it. */
export const storeOfUpload = (files: Pick<OwnFiles, "of">, name: string): Promise<FileStore> =>
  files.of(name === diskName ? onDisk : name.slice(bucketScheme.length));
