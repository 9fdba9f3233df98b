import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import type { DataEntry } from "@fairway/contract/dataset-administration";
import { Refusal } from "#http/refusal.ts";

type DataFormat = "parquet" | "csv" | "json";

const endings: readonly [RegExp, DataFormat][] = [
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(csv|tsv)(\.gz)?$/i, "csv"],
  [/\.(json|ndjson|jsonl)(\.gz)?$/i, "json"],
];

const formatOf = (name: string): DataFormat | undefined => endings.find(([ending]) => ending.test(name))?.[1];

/** A file or folder that is really below the data folder, with links followed. Refuses with not-found whatever else a path says. */
async function below(dataFolder: string, path: string): Promise<{ absolute: string; relative: string; isFolder: boolean }> {
  const relative = posix.normalize(path).replace(/\/+$/, "");
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

/** Folders first, then the files that the engine could read; what only leads elsewhere is left out. */
export async function listFolder(dataFolder: string, path: string): Promise<DataEntry[]> {
  const { absolute, relative, isFolder } = await below(dataFolder, path);
  if (!isFolder) throw notThere(path);
  const found = await readdir(absolute, { withFileTypes: true });
  const entries = await Promise.all(
    found.map(async (one): Promise<DataEntry[]> => {
      const at = relative === "" ? one.name : `${relative}/${one.name}`;
      if (one.isDirectory()) return [{ name: one.name, path: at, kind: "folder", bytes: null }];
      if (!one.isFile() || formatOf(one.name) === undefined) return [];
      return [{ name: one.name, path: at, kind: "file", bytes: (await stat(join(absolute, one.name))).size }];
    }),
  );
  const order = (a: DataEntry, b: DataEntry): number => (a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind === "folder" ? -1 : 1);
  return entries.flat().toSorted(order).slice(0, 5_000);
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
  const files = (await readdir(absolute, { withFileTypes: true, recursive: true })).filter((one) => one.isFile());
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

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "");

const notThere = (path: string) => new Refusal("not-found", `There is no '${path.slice(0, 200)}' below the data folder.`, { path: "path" });
