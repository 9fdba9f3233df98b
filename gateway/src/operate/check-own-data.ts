import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { plural } from "@fairway/contract/counts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { allBytes, gigabytes } from "#own-data/room.ts";
import { isMissing } from "#storage/file-errors.ts";
import type { Findings } from "./finding.ts";
import "#own-data/tables.ts";

/** A file is on the disk before its import has stored all about it. */
const youngMs = 3_600_000;
const warnedShare = 0.9;
const pageRows = 1_000;
const named = 3;

/** Compares the files of own datasets with what the database says of them. `maxBytes`: the room of all of them. */
export async function checkOwnData(findings: Findings, db: Kysely<Database>, home: string, maxBytes: number): Promise<void> {
  const folder = join(home, "own-data", "kept");
  const [known, broken] = await knownFiles(db, folder);
  if (broken.size > 0) {
    const names = [...broken].slice(0, named).join(", ");
    findings.problem(
      `Files of ${broken.size} own ${plural(broken.size, "dataset")} are missing in ${folder}, or have another size: ${names}${broken.size > named ? ", …" : ""}.`,
      {
        why: "Searches of them fail, and so does going back to an earlier version.",
        todo: "Restore the folder own-data from the backup of the same time as the database, or ask the owners to bring the files again.",
      },
    );
  }
  const foreign = await foreignFiles(folder, known);
  if (foreign.count > 0) {
    findings.warning(
      `${foreign.count} ${plural(foreign.count, "file")} in ${folder} (${gigabytes(foreign.bytes)} GB) belong to no dataset.`,
      {
        why: "They take room that nobody's limit counts, such as after a restore of files that are newer than the database.",
        todo: "Delete them if no restore is under way.",
      },
    );
  }
  const used = await allBytes(db);
  const text = `Own data takes ${gigabytes(used)} of ${gigabytes(maxBytes)} GB.`;
  if (used >= maxBytes * warnedShare) {
    findings.warning(text, {
      why: "When the room is full, nobody can bring data.",
      todo: "Raise limits.ownDataTotalBytes, or delete datasets under Internal Datasets, Own Data.",
    });
  } else findings.fine(text);
}

/** The keys of all files, and the datasets that lack some of theirs, as `category/name`. */
async function knownFiles(db: Kysely<Database>, folder: string): Promise<[keys: Set<string>, broken: Set<string>]> {
  const keys = new Set<string>();
  const broken = new Set<string>();
  for (let after = ""; ;) {
    const { rows } = await sql<{ key: string; bytes: string; dataset: string | null }>`
      select key, bytes::text, category || '/' || dataset_name as dataset
      from (select * from own_data_files where key > ${after} order by key limit ${pageRows}) file
      left join (select id, category, name as dataset_name from own_datasets) dataset on dataset.id = file.dataset_id
      order by key`.execute(db);
    for (const { key, bytes, dataset } of rows) {
      keys.add(key);
      if (dataset !== null && (await sizeOf(join(folder, key))) !== Number(bytes)) broken.add(dataset);
    }
    const last = rows.at(-1);
    if (last === undefined) return [keys, broken];
    after = last.key;
  }
}

async function foreignFiles(folder: string, known: ReadonlySet<string>): Promise<{ count: number; bytes: number }> {
  const found = { count: 0, bytes: 0 };
  const imports = await readdir(folder).catch(unlessMissing);
  for (const name of imports ?? []) {
    const files = await readdir(join(folder, name)).catch(unlessMissing);
    for (const file of (files ?? []).filter((one) => !known.has(`${name}/${one}`))) {
      const stats = await lstat(join(folder, name, file)).catch(unlessMissing);
      if (stats === undefined || Date.now() - stats.mtimeMs < youngMs) continue;
      found.count += 1;
      found.bytes += stats.size;
    }
  }
  return found;
}

const sizeOf = async (path: string): Promise<number | undefined> => (await lstat(path).catch(unlessMissing))?.size;

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}
