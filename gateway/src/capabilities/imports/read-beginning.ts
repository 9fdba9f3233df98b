import { randomUUID } from "node:crypto";
import { extname } from "node:path";
import { detectFormat } from "@fairway/contract/data-file-formats";
import { JobInterrupted } from "#background/jobs.ts";
import { EngineFailed } from "#query/engine.ts";
import { Refusal } from "#http/refusal.ts";
import { onDisk } from "#own-data/own-stores.ts";
import { fileKey } from "#storage/key.ts";
import type { ImportJobParts } from "./import-jobs.ts";
import { readFiles } from "./read-files.ts";
import type { ImportFileRow, ImportRow } from "./repository.ts";
import { storeFile } from "./stored-files.ts";

/** So much of the first file is read while the rest still arrives. It is kept on the disk, wherever the file itself goes. */
export const beginningBytes = 256_000;

const timeoutMs = 30_000;

/**
 * Reads the beginning of the first file of an import, for its screen: nothing is decided by it. Only of formats that consist of lines; a
 * failure shows nothing. `stop`: all of it has arrived.
 */
export async function readBeginning(
  parts: Pick<ImportJobParts, "db" | "files" | "engine" | "inspection" | "limits" | "repository">,
  row: ImportRow,
  { file }: Pick<ImportFileRow, "file">,
  bytes: Buffer,
  stop: AbortSignal,
): Promise<void> {
  const { repository } = parts;
  const { format: found } = { format: undefined, ...detectFormat(file, bytes) };
  if (found !== "csv" && found !== "tsv" && found !== "json-lines") return;
  const lines = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  if (lines.length === 0) return;
  const key = fileKey(row.id, `beginning-${randomUUID()}${extname(file).toLowerCase()}`);
  try {
    await storeFile(parts, { key, import: row, bytes: lines.length, name: "beginning", bucket: onDisk }, (store) =>
      store.write(key, content(lines), lines.length),
    );
    const format = found === "json-lines" ? ("json" as const) : ("csv" as const);
    const files = [{ key, name: file, bytes: lines.length }];
    const call = { signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]), owner: row.user_id, isBackground: true };
    const result = await readFiles(parts, { format, files, choices: row.choices, hints: row.hints }, call);
    await repository.partlyRead(row.id, result);
  } catch (error) {
    if (stop.aborted) return;
    if (!(error instanceof Refusal) && !(error instanceof EngineFailed) && !(error instanceof JobInterrupted)) throw error;
  }
}

async function* content(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
