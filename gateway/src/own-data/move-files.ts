import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { fileKey } from "#storage/key.ts";
import { FileMissing, FileTooLarge } from "#storage/storage.ts";
import { type FileMove, abandonMove, beginMove, finishMove, renewMove } from "./file-moves.ts";
import type { OwnStores } from "./own-stores.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly stores: Pick<OwnStores, "of">;
  /** Called after each file. */
  readonly onMoved?: ((moved: Readonly<Moved>) => void) | undefined;
}

export interface Moved {
  files: number;
  bytes: number;
  /** Files of datasets that were not moved: they were removed meanwhile, or moved within the last hour. */
  left: number;
  /** Files of imports that are no dataset yet. */
  ofImports: number;
  /** Keys of files that are missing or have another size than they should, which stay what they are. */
  readonly damaged: string[];
}

const pageRows = 500;
const renewMs = 60_000;

/**
 * Moves the files of all own datasets to a bucket, or to the disk for an empty name. Each is read in one of both places at any time; a
 * move that was interrupted is repeated. Rejects with StoreFailed.
 */
export async function moveFiles({ db, stores, onMoved }: Parts, to: string): Promise<Readonly<Moved>> {
  const moved: Moved = { files: 0, bytes: 0, left: 0, ofImports: 0, damaged: [] };
  let after = "";
  for (;;) {
    const rows = await db
      .selectFrom("own_data_files")
      .select(["key", "bucket", "bytes", "import_id as importId", "dataset_id as datasetId"])
      .where("key", ">", after)
      .where("bucket", "<>", to)
      .where("dropped_at", "is", null)
      .orderBy("key")
      .limit(pageRows)
      .execute();
    for (const { key, bucket: from, bytes, importId, datasetId } of rows) {
      if (datasetId === null) {
        if (importId !== null) moved.ofImports += 1;
        continue;
      }
      const outcome = await moveFile({ db, stores }, { key, from, to }, Number(bytes));
      if (outcome === "damaged") moved.damaged.push(key);
      else if (outcome === "left") moved.left += 1;
      else {
        moved.files += 1;
        moved.bytes += Number(bytes);
      }
      onMoved?.(moved);
    }
    const last = rows.at(-1);
    if (last === undefined) return moved;
    after = last.key;
  }
}

async function moveFile({ db, stores }: Parts, move: FileMove, bytes: number): Promise<"moved" | "left" | "damaged"> {
  const [source, target] = await Promise.all([stores.of(move.from), stores.of(move.to)]);
  if (!(await beginMove(db, move))) return "left";
  // The next one makes up for one that failed.
  const renewing = setInterval(() => void renewMove(db, move).catch(() => undefined), renewMs).unref();
  const key = fileKey(move.key);
  try {
    const { content, size } = await source.read(key);
    if (size !== bytes) {
      content.destroy();
      await abandonMove(db, move);
      return "damaged";
    }
    await target.write(key, content, bytes);
    // Whoever has deleted the dataset meanwhile may have looked there too early.
    if (await finishMove(db, move)) return "moved";
    await target.remove(key);
    return "left";
  } catch (error) {
    if (!(error instanceof FileMissing || error instanceof FileTooLarge)) throw error;
    await abandonMove(db, move);
    return "damaged";
  } finally {
    clearInterval(renewing);
  }
}
