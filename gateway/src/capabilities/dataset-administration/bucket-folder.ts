import { isBucketGlob, parseBucketGlob } from "@fairway/contract/bucket-globs";
import type { BucketLevel } from "@fairway/contract/dataset-administration";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { Refusal } from "#http/refusal.ts";
import type { BucketFiles } from "#query/bucket/bucket-files.ts";
import { type EngineCall, type FileFormat, SourceNotReady } from "#query/engine.ts";
import { escapeGlob, formatOf, mostCommonOf } from "./data-formats.ts";

export type Buckets = Pick<BucketFiles, "browse" | "list" | "locations">;

interface FoundFiles {
  readonly glob: string;
  readonly format: FileFormat;
  readonly files: number;
  /** Columns whose values stand in the names of folders, outermost first. */
  readonly partitions: readonly string[];
}

/** Lists what datasets may read: the allowed buckets and folders, or a page of one folder. Refuses other paths. */
export async function listBucket(
  buckets: Buckets,
  { within, next }: { readonly within: string; readonly next?: string | undefined },
  { signal }: EngineCall,
): Promise<BucketLevel> {
  if (within === "") {
    const entries = buckets.locations.map((location) => ({
      name: location,
      path: `s3://${location}`,
      kind: "folder" as const,
      bytes: null,
    }));
    return { entries: entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)), next: null };
  }
  const { bucket, folder } = requireBucketPath(within);
  const page = await orRefusal(buckets.browse(bucket, folder, next, signal));
  const nameOf = (key: string) => key.slice(folder.length);
  const folders = page.folders.filter(isReadable).map((key) => {
    const name = trimEndCharacters(nameOf(key), "/");
    return { name, path: `s3://${bucket}/${folder}${name}`, kind: "folder" as const, bytes: null };
  });
  const files = page.objects
    .filter(({ key }) => isReadable(key) && nameOf(key) !== "" && formatOf(key) !== undefined)
    .map(({ key, size }) => ({ name: nameOf(key), path: `s3://${bucket}/${key}`, kind: "file" as const, bytes: size }));
  return { entries: [...folders, ...files], next: page.next ?? null };
}

/** The dataset source for a file, or for the files with the most common extension in a folder. */
export async function sourceInBucket(buckets: Buckets, path: string, { signal }: EngineCall): Promise<FoundFiles> {
  const { bucket, folder } = requireBucketPath(path);
  const key = trimEndCharacters(folder, "/");
  const filesOf = (pattern: string, format: FileFormat) =>
    orRefusal(buckets.list({ kind: "files", glob: `s3://${bucket}/${pattern}`, format }, signal));
  const format = formatOf(key);
  if (format !== undefined) {
    const listing = await filesOf(escapeGlob(key), format).catch((error: unknown) => {
      // A folder may have such a name, too.
      if (error instanceof Refusal && error.code === "not-found") return undefined;
      throw error;
    });
    if (listing) return { glob: `s3://${bucket}/${escapeGlob(key)}`, format, files: 1, partitions: namesOf(listing) };
  }
  const below = escapeGlob(folder);
  const { files } = await filesOf(`${below}**`, "parquet");
  const mostCommon = mostCommonOf(
    files.map((file) => ({ name: file.key.split("/").at(-1) ?? "", isTopLevel: !file.key.slice(folder.length).includes("/") })),
  );
  if (!mostCommon) throw new Refusal("not-supported", `'${path}' contains no Parquet, CSV or JSON files.`, { path: "path" });
  const pattern = `${below}${mostCommon.pattern}`;
  const listing = await filesOf(pattern, mostCommon.format);
  return { glob: `s3://${bucket}/${pattern}`, format: mostCommon.format, files: mostCommon.count, partitions: namesOf(listing) };
}

const namesOf = ({ partitions }: { readonly partitions: readonly { readonly name: string }[] }) => partitions.map(({ name }) => name);

/** A bucket with a folder in it, which is empty or ends in a slash. */
function requireBucketPath(path: string): { readonly bucket: string; readonly folder: string } {
  const parsed = isBucketGlob(path) ? parseBucketGlob(`${trimEndCharacters(path, "/")}/*`) : undefined;
  if (parsed === undefined) throw new Refusal("not-found", `There is no bucket or folder '${path.slice(0, 200)}'.`, { path: "path" });
  return { bucket: parsed.bucket, folder: parsed.pattern.slice(0, -1) };
}

/** Other names cannot be part of a source. */
const isReadable = (key: string): boolean => parseBucketGlob(`s3://any-bucket/${trimEndCharacters(key, "/")}`) !== undefined;

/** Missing or forbidden data is an expected result. */
async function orRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SourceNotReady)) throw error;
    const [{ code, reason }] = error.problems;
    throw code === "data-missing"
      ? new Refusal("not-found", "There are no files there.", { path: "path", cause: error })
      : new Refusal("not-supported", `This cannot be read: ${reason}.`, { path: "path", cause: error });
  }
}
