import { fileKey } from "#storage/key.ts";
import { spelledStore } from "#storage/spelled-store.ts";
import type { FileStore } from "#storage/storage.ts";
import type { UploadDestination } from "#uploads/part-uploads.ts";
import type { ImportRow } from "./repository.ts";

export interface ImportDestination extends UploadDestination {
  readonly row: ImportRow;
}

const importsBucket = "own-data";

/** An import as the destination of uploads. */
export const destinationOf = (row: ImportRow, store: FileStore): ImportDestination => ({
  row,
  bucket: importsBucket,
  keyOf: (path) => fileKey(row.id, path),
  store: () => Promise.resolve(spelledStore(store)),
});
