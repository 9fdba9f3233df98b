import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { plural } from "@fairway/contract/counts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { onDisk } from "#own-data/own-stores.ts";
import { allBytes, gigabytes } from "#own-data/room.ts";
import type { BucketReader } from "#storage/bucket-reader.ts";
import { isMissing } from "#storage/file-errors.ts";
import { StoreFailed } from "#storage/storage.ts";
import type { Findings } from "./finding.ts";
import "#own-data/tables.ts";

interface Options {
  readonly home: string;
  /** The room of all own data. */
  readonly maxBytes: number;
  /** Where the settings say that new files are stored; empty: in the folder. */
  readonly bucket: string;
  /** Rejects with StoreFailed if no S3 service is configured. */
  readonly reader: (bucket: string) => Promise<BucketReader>;
}

/** A file that should be somewhere. */
interface KnownFile {
  readonly bytes: number;
  /** As `category/name`; null if no dataset needs it there. */
  readonly dataset: string | null;
}

/** Files in a place that should not be there. */
interface Foreign {
  count: number;
  bytes: number;
}

/** A file is in its place before its import has stored all about it. */
const youngMs = 3_600_000;
const warnedShare = 0.9;
const pageRows = 1_000;
const named = 3;
const listMs = 120_000;

/** Compares the files of own datasets with what the database says of them. */
export async function checkOwnData(findings: Findings, db: Kysely<Database>, options: Options): Promise<void> {
  const places = await knownFiles(db);
  await checkFolder(findings, join(options.home, "own-data", "kept"), places.get(onDisk) ?? new Map());
  const buckets = [...new Set([options.bucket, ...places.keys()])].filter((bucket) => bucket !== onDisk);
  for (const bucket of buckets) await checkBucket(findings, bucket, places.get(bucket) ?? new Map(), options);
  const astray = [...places].flatMap(([bucket, files]) => (bucket === options.bucket ? [] : Array.from(files.values()).filter(isNeeded)));
  if (astray.length > 0) {
    findings.warning(
      `${astray.length} ${plural(astray.length, "file")} of own datasets (${gigabytes(bytesOf(astray))} GB) are not where the settings say that own data is.`,
      {
        why: "They are read where they are, but need that place as well, also in backups.",
        todo: "Move them: npm run fairway -- move-own-data.",
      },
    );
  }
  const used = await allBytes(db);
  const text = `Own data takes ${gigabytes(used)} of ${gigabytes(options.maxBytes)} GB.`;
  if (used >= options.maxBytes * warnedShare) {
    findings.warning(text, {
      why: "When the room is full, nobody can bring data.",
      todo: "Raise limits.ownDataTotalBytes, or delete datasets under Internal Datasets, Own Data.",
    });
  } else findings.fine(text);
}

/** All files by their buckets and keys. */
async function knownFiles(db: Kysely<Database>): Promise<Map<string, Map<string, KnownFile>>> {
  const places = new Map<string, Map<string, KnownFile>>();
  const add = (bucket: string, key: string, file: KnownFile) => {
    const files = places.get(bucket) ?? new Map<string, KnownFile>();
    places.set(bucket, files.set(key, file));
  };
  for (let after = ""; ;) {
    const { rows } = await sql<{ key: string; bytes: string; dataset: string | null; bucket: string; other: string | null }>`
      select key, bytes::text, category || '/' || dataset_name as dataset, bucket, other_bucket as other
      from (select * from own_data_files where key > ${after} order by key limit ${pageRows}) file
      left join (select id, category, name as dataset_name from own_datasets) dataset on dataset.id = file.dataset_id
      order by key`.execute(db);
    for (const { key, bytes, dataset, bucket, other } of rows) {
      add(bucket, key, { bytes: Number(bytes), dataset });
      if (other !== null) add(other, key, { bytes: Number(bytes), dataset: null });
    }
    const last = rows.at(-1);
    if (last === undefined) return places;
    after = last.key;
  }
}

async function checkFolder(findings: Findings, folder: string, known: ReadonlyMap<string, KnownFile>): Promise<void> {
  const broken = new Set<string>();
  for (const [key, { bytes, dataset }] of known) {
    if (dataset !== null && (await sizeOf(join(folder, key))) !== bytes) broken.add(dataset);
  }
  tellOf(findings, broken, await foreignFiles(folder, known), {
    place: folder,
    todo: "Restore the folder own-data from the backup of the same time as the database, or ask the owners to bring the files again.",
  });
}

async function checkBucket(
  findings: Findings,
  bucket: string,
  known: ReadonlyMap<string, KnownFile>,
  { reader: open }: Options,
): Promise<void> {
  const missing = new Map([...known].filter(([, file]) => isNeeded(file)));
  const broken = new Set<string>();
  const foreign: Foreign = { count: 0, bytes: 0 };
  let reader: BucketReader | undefined;
  try {
    reader = await open(bucket);
    const signal = AbortSignal.timeout(listMs);
    let next: string | undefined;
    do {
      const page = await reader.list(bucket, { prefix: "", oneLevel: false, next }, signal);
      for (const { key, size, modifiedMs } of page.objects) {
        if (known.get(key)?.bytes === size) missing.delete(key);
        if (known.has(key) || Date.now() - modifiedMs < youngMs) continue;
        foreign.count += 1;
        foreign.bytes += size;
      }
      ({ next } = page);
    } while (next !== undefined);
  } catch (error) {
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    if (!(error instanceof StoreFailed) && !isSlow) throw error;
    findings.problem(isSlow ? `The file store did not list the bucket '${bucket}' within ${listMs / 1_000} s.` : error.message, {
      why: isSlow ? "Whether its files are all there is not known." : "Own datasets in it cannot be read, and nobody can bring data.",
      todo: "See Own data in a bucket in the operator guide: the bucket, the credentials and their rights, the address.",
    });
    return;
  } finally {
    reader?.close();
  }
  for (const { dataset } of missing.values()) broken.add(dataset ?? "");
  tellOf(findings, broken, foreign, {
    place: `the bucket '${bucket}'`,
    todo: "Restore the objects from the versions or the copy of the bucket, or ask the owners to bring the files again.",
  });
}

function tellOf(findings: Findings, broken: ReadonlySet<string>, foreign: Foreign, { place, todo }: { place: string; todo: string }): void {
  if (broken.size > 0) {
    const names = [...broken].slice(0, named).join(", ");
    findings.problem(
      `Files of ${broken.size} own ${plural(broken.size, "dataset")} are missing in ${place}, or have another size: ${names}${broken.size > named ? ", …" : ""}.`,
      { why: "Searches of them fail, and so does going back to an earlier version.", todo },
    );
  }
  if (foreign.count > 0) {
    findings.warning(
      `${foreign.count} ${plural(foreign.count, "file")} in ${place} (${gigabytes(foreign.bytes)} GB) belong to no dataset.`,
      {
        why: "They take room that nobody's limit counts, such as after a restore of files that are newer than the database.",
        todo: "Delete them if no restore is under way.",
      },
    );
  }
}

async function foreignFiles(folder: string, known: ReadonlyMap<string, KnownFile>): Promise<Foreign> {
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

const isNeeded = ({ dataset }: KnownFile): boolean => dataset !== null;

const bytesOf = (files: readonly KnownFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const sizeOf = async (path: string): Promise<number | undefined> => (await lstat(path).catch(unlessMissing))?.size;

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}
