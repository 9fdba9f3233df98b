import { z } from "zod";
import { readLocal, writeLocal } from "#lib/browser/local-storage.ts";
import type { FolderSort } from "./folder.ts";

/** Names nobody, like the view. */
const key = "fairway.filesets.sort";

const sortSchema = z.object({ column: z.enum(["name", "size", "lastModified"]), descending: z.boolean() });

/** The order of every file browser, remembered in this browser; by name until the user chooses. */
export function storedSort(): FolderSort {
  try {
    return sortSchema.parse(JSON.parse(readLocal(key) ?? ""));
  } catch {
    return { column: "name", descending: false };
  }
}

export function storeSort(sort: FolderSort): void {
  writeLocal(key, JSON.stringify(sort));
}
