import type { FilesetListing } from "@fairway/contract/filesets";
import { compareNames } from "@fairway/contract/name-order";

/** A file or a folder of a folder. */
export interface FolderItem {
  readonly kind: "folder" | "file";
  /** Within the folder, without a slash. */
  readonly name: string;
  /** For sorting and filtering. */
  readonly lowerName: string;
  /** From the root of the fileset, without a trailing slash. */
  readonly path: string;
  /** Bytes; 0 for folders, whose size is not known. */
  readonly size: number;
  /** 0 for folders. */
  readonly lastModifiedMs: number;
}

export type SortColumn = "name" | "size" | "lastModified";
export interface FolderSort {
  column: SortColumn;
  descending: boolean;
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folder in `parent` that holds `path`; null if none does. */
export function childOf(parent: string, path: string): string | null {
  const prefix = parent === "" ? "" : `${parent}/`;
  return path !== parent && path.startsWith(prefix) ? (path.slice(prefix.length).split("/")[0] ?? null) : null;
}

export function itemsOf({ commonPrefixes, files }: Pick<FilesetListing, "commonPrefixes" | "files">, listPrefix: string): FolderItem[] {
  const itemOf = (kind: FolderItem["kind"], path: string, size: number, lastModifiedMs: number): FolderItem => {
    const name = path.slice(listPrefix.length);
    return { kind, name, lowerName: name.toLowerCase(), path, size, lastModifiedMs };
  };
  return [
    ...commonPrefixes.map((prefix) => itemOf("folder", prefix.slice(0, -1), 0, 0)),
    ...files.map(({ filename, size, lastModified }) => itemOf("file", filename, size, Date.parse(lastModified))),
  ];
}

/** Names that contain the filter, ignoring case. */
export function filterItems(items: readonly FolderItem[], filter: string): readonly FolderItem[] {
  const wanted = filter.trim().toLowerCase();
  return wanted === "" ? items : items.filter(({ lowerName }) => lowerName.includes(wanted));
}

/** As people count: `file2` before `file10`. */
const byName = (one: FolderItem, other: FolderItem): number =>
  compareNames(one.lowerName, other.lowerName) || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);

const comparisons: Record<SortColumn, (one: FolderItem, other: FolderItem) => number> = {
  name: byName,
  size: (one, other) => one.size - other.size || byName(one, other),
  lastModified: (one, other) => one.lastModifiedMs - other.lastModifiedMs || byName(one, other),
};

/** Sorts by a column; folders stay first, by name. */
export function sortItems(items: readonly FolderItem[], { column, descending }: FolderSort): FolderItem[] {
  const sign = descending ? -1 : 1;
  const compare = comparisons[column];
  const folders = items.filter(({ kind }) => kind === "folder").sort((one, other) => byName(one, other) * (column === "name" ? sign : 1));
  const files = items.filter(({ kind }) => kind === "file").sort((one, other) => compare(one, other) * sign);
  return [...folders, ...files];
}

/** The next item from `from` on whose name starts with the typed text, wrapping around; undefined if there is none. */
export function jumpTarget(items: readonly FolderItem[], typed: string, from: number): number | undefined {
  const wanted = typed.toLowerCase();
  // A single letter typed again moves on to the next name.
  const start = typed.length === 1 ? from + 1 : from;
  for (let step = 0; step < items.length; step += 1) {
    const index = (start + step) % items.length;
    if (items[index]?.lowerName.startsWith(wanted)) return index;
  }
  return undefined;
}
