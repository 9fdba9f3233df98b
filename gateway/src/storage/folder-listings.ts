import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { reservedFolder } from "@fairway/contract/filesets";
import { unlessMissing } from "./file-errors.ts";
import type { FileInfo, FilePage } from "./storage.ts";

const pageEntries = 1_000;
/** Only folders of several pages are worth remembering. */
const rememberedFolders = 4;
/** A change within the resolution of the file system's clock would go unnoticed, so a recently changed folder is read anew. */
const settledMs = 2_000;

export const emptyPage: FilePage = { files: [], commonPrefixes: [], leftOut: [], nextContinuationToken: null };

interface Entry {
  /** With a trailing slash for a folder. */
  readonly name: string;
  readonly isFolder: boolean;
}

interface Listing {
  readonly modifiedMs: number;
  readonly entries: readonly Entry[];
}

/** Pages through folders in order of names. A large folder is read and sorted once, not once per page. */
export class FolderListings {
  readonly #remembered = new Map<string, Listing>();

  /** `prefix` is what the store calls the folder. */
  async page(folder: string, prefix: string, continuationToken: string | undefined): Promise<FilePage> {
    const { entries } = await this.#list(folder);
    const from = continuationToken === undefined ? 0 : firstAfter(entries, Buffer.from(continuationToken, "base64url").toString());
    const page = entries.slice(from, from + pageEntries);
    const last = page.at(-1);
    const files = await Promise.all(page.filter(({ isFolder }) => !isFolder).map(({ name }) => infoOf(folder, prefix, name)));
    return {
      files: files.filter((file) => file !== undefined),
      commonPrefixes: page.filter(({ isFolder }) => isFolder).map(({ name }) => `${prefix}${name}`),
      leftOut: [],
      nextContinuationToken: last && from + page.length < entries.length ? Buffer.from(last.name).toString("base64url") : null,
    };
  }

  async #list(folder: string): Promise<Listing> {
    const modifiedMs = (await stat(folder).catch(unlessMissing))?.mtimeMs ?? 0;
    const remembered = this.#remembered.get(folder);
    if (remembered?.modifiedMs === modifiedMs) return remembered;
    this.#remembered.delete(folder);
    const listing = { modifiedMs, entries: await readEntries(folder) };
    if (listing.entries.length > pageEntries && Date.now() - modifiedMs > settledMs) {
      this.#remembered.set(folder, listing);
      const [oldest] = this.#remembered.keys();
      if (this.#remembered.size > rememberedFolders && oldest !== undefined) this.#remembered.delete(oldest);
    }
    return listing;
  }
}

async function readEntries(folder: string): Promise<Entry[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && entry.name.toLowerCase() !== reservedFolder)
    .map((entry) => ({ name: entry.isDirectory() ? `${entry.name}/` : entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Index of the first entry whose name follows `name`. */
function firstAfter(entries: readonly Entry[], name: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.name ?? "") <= name) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function infoOf(folder: string, prefix: string, name: string): Promise<FileInfo | undefined> {
  const stats = await stat(join(folder, name)).catch(unlessMissing);
  return stats && { key: `${prefix}${name}`, size: stats.size, lastModified: stats.mtime };
}
