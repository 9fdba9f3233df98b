import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import type { DataEntry } from "@fairway/contract/dataset-administration";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { Refusal } from "#http/refusal.ts";
import { systemCode } from "#system-code.ts";

type DataFormat = "parquet" | "csv" | "json";

const endings: readonly [RegExp, DataFormat][] = [
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(csv|tsv)(\.gz)?$/i, "csv"],
  [/\.(json|ndjson|jsonl)(\.gz)?$/i, "json"],
];

const formatOf = (name: string): DataFormat | undefined => endings.find(([ending]) => ending.test(name))?.[1];

/** A file or folder that is really below the data folder, with links followed. Refuses with not-found whatever else a path says. */
async function below(dataFolder: string, path: string): Promise<{ absolute: string; relative: string; isFolder: boolean }> {
  const relative = trimEndCharacters(posix.normalize(path), "/");
  const isInside = !/[\0\\]/.test(path) && !relative.startsWith("/") && !relative.split("/").includes("..");
  if (!isInside) throw notThere(path);
  try {
    const root = await realpath(dataFolder);
    const absolute = await realpath(join(root, relative));
    if (absolute !== root && !absolute.startsWith(root + sep)) throw notThere(path);
    const isFolder = (await stat(absolute)).isDirectory();
    return { absolute, relative: relative === "." ? "" : relative, isFolder };
  } catch (error) {
    if (error instanceof Refusal || !isMissing(error)) throw error;
    throw notThere(path);
  }
}

const mostEntries = 5_000;

/** Folders first, then the files that the engine could read, 5,000 at most; what only leads elsewhere is left out. */
export async function listFolder(dataFolder: string, path: string): Promise<DataEntry[]> {
  const { absolute, relative, isFolder } = await below(dataFolder, path);
  if (!isFolder) throw notThere(path);
  const found = await unlessGone(path, readdir(absolute, { withFileTypes: true }));
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const folders = found.filter((one) => one.isDirectory()).toSorted(byName);
  const files = found.filter((one) => one.isFile() && formatOf(one.name) !== undefined).toSorted(byName);
  const shown = [...folders, ...files].slice(0, mostEntries);
  const entries = await Promise.all(
    shown.map(async (one): Promise<DataEntry | undefined> => {
      const at = relative === "" ? one.name : `${relative}/${one.name}`;
      if (one.isDirectory()) return { name: one.name, path: at, kind: "folder", bytes: null };
      const bytes = await sizeOf(join(absolute, one.name));
      return bytes === undefined ? undefined : { name: one.name, path: at, kind: "file", bytes };
    }),
  );
  return entries.filter((one) => one !== undefined);
}

/** Undefined where the file has gone meanwhile. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder may go, or one below it, between two looks at it. */
async function unlessGone<T>(path: string, looking: Promise<T>): Promise<T> {
  try {
    return await looking;
  } catch (error) {
    if (isMissing(error)) throw notThere(path);
    throw error;
  }
}

const escaped = (path: string): string => path.replaceAll(/[*?[]/g, "[$&]");

/** What a dataset names to read this file, or the files of this folder: those of the format that most have. */
export async function sourceOf(dataFolder: string, path: string): Promise<{ glob: string; format: DataFormat; files: number }> {
  const { absolute, relative, isFolder } = await below(dataFolder, path);
  if (!isFolder) {
    const format = formatOf(relative);
    if (format === undefined) throw new Refusal("not-supported", `'${relative}' is no Parquet, CSV or JSON file.`, { path: "path" });
    return { glob: escaped(relative), format, files: 1 };
  }
  const files = (await unlessGone(path, readdir(absolute, { withFileTypes: true, recursive: true }))).filter((one) => one.isFile());
  const counts = new Map<string, { count: number; format: DataFormat; isHere: boolean; ending: string }>();
  for (const one of files) {
    const format = formatOf(one.name);
    const ending = /(\.[a-z]+(?:\.gz)?)$/i.exec(one.name)?.[1];
    if (format === undefined || ending === undefined) continue;
    const known = counts.get(ending) ?? { count: 0, format, isHere: true, ending };
    counts.set(ending, { ...known, count: known.count + 1, isHere: known.isHere && one.parentPath === absolute });
  }
  const [most] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  if (!most) throw new Refusal("not-supported", `'${path}' holds no Parquet, CSV or JSON files.`, { path: "path" });
  const folder = relative === "" ? "" : `${escaped(relative)}/`;
  return { glob: `${folder}${most.isHere ? "" : "**/"}*${most.ending}`, format: most.format, files: most.count };
}

const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(systemCode(error) ?? "");

const notThere = (path: string) => new Refusal("not-found", `There is no '${path.slice(0, 200)}' below the data folder.`, { path: "path" });
