import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import type { DataEntry } from "@fairway/contract/dataset-administration";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { Refusal } from "#http/refusal.ts";
import { systemCode } from "#process/system-code.ts";
import type { FileFormat } from "#query/engine.ts";
import { escapeGlob, formatOf, mostCommonOf } from "./data-formats.ts";

/** Resolves a path inside the data folder, following links. Refuses all other paths with not-found. */
async function resolveInside(dataFolder: string, path: string): Promise<{ absolute: string; relative: string; isFolder: boolean }> {
  const relative = trimEndCharacters(posix.normalize(path), "/");
  const isInside = !/[\0\\]/.test(path) && !relative.startsWith("/") && !relative.split("/").includes("..");
  if (!isInside) throw notFound(path);
  try {
    const root = await realpath(dataFolder);
    const absolute = await realpath(join(root, relative));
    if (absolute !== root && !absolute.startsWith(root + sep)) throw notFound(path);
    const isFolder = (await stat(absolute)).isDirectory();
    return { absolute, relative: relative === "." ? "" : relative, isFolder };
  } catch (error) {
    if (error instanceof Refusal || !isMissing(error)) throw error;
    throw notFound(path);
  }
}

const maxEntries = 5_000;

/** Lists folders first, then files that the engine can read, at most 5,000 entries. Links are left out. */
export async function listFolder(dataFolder: string, path: string): Promise<DataEntry[]> {
  const { absolute, relative, isFolder } = await resolveInside(dataFolder, path);
  if (!isFolder) throw notFound(path);
  const found = await orNotFound(path, readdir(absolute, { withFileTypes: true }));
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const folders = found.filter((entry) => entry.isDirectory()).toSorted(byName);
  const files = found.filter((entry) => entry.isFile() && formatOf(entry.name) !== undefined).toSorted(byName);
  const shown = [...folders, ...files].slice(0, maxEntries);
  const entries = await Promise.all(
    shown.map(async (entry): Promise<DataEntry | undefined> => {
      const entryPath = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) return { name: entry.name, path: entryPath, kind: "folder", bytes: null };
      const bytes = await sizeOf(join(absolute, entry.name));
      return bytes === undefined ? undefined : { name: entry.name, path: entryPath, kind: "file", bytes };
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

/** Undefined if the file has been removed meanwhile. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Maps a folder that disappears while it is read to not-found. */
async function orNotFound<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) throw notFound(path);
    throw error;
  }
}

/** The dataset source for a file, or for the files with the most common extension in a folder. */
export async function sourceOf(dataFolder: string, path: string): Promise<{ glob: string; format: FileFormat; files: number }> {
  const { absolute, relative, isFolder } = await resolveInside(dataFolder, path);
  if (!isFolder) {
    const format = formatOf(relative);
    if (format === undefined) throw new Refusal("not-supported", `'${relative}' is not a Parquet, CSV or JSON file.`, { path: "path" });
    return { glob: escapeGlob(relative), format, files: 1 };
  }
  const files = (await orNotFound(path, readdir(absolute, { withFileTypes: true, recursive: true }))).filter((entry) => entry.isFile());
  const mostCommon = mostCommonOf(files.map(({ name, parentPath }) => ({ name, isTopLevel: parentPath === absolute })));
  if (!mostCommon) throw new Refusal("not-supported", `'${path}' contains no Parquet, CSV or JSON files.`, { path: "path" });
  const folder = relative === "" ? "" : `${escapeGlob(relative)}/`;
  return { glob: `${folder}${mostCommon.pattern}`, format: mostCommon.format, files: mostCommon.count };
}

const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(systemCode(error) ?? "");

const notFound = (path: string) => new Refusal("not-found", `There is no '${path.slice(0, 200)}' below the data folder.`, { path: "path" });
