import { foldersOf } from "@fairway/contract/folders";
import { z } from "zod";
import { create } from "zustand";
import { readLocal, writeLocal } from "./local-storage.ts";

/** What the address of the filesets screen holds. */
export interface FilesetPlace {
  fileset: string | null;
  /** Folders joined by slashes; empty for the root. */
  path: string;
  filter: string;
  /** Name of the previewed file within the folder. */
  file: string | null;
}

/** The query parameters of a place, without empty ones. */
export const placeQuery = ({ fileset, path, filter, file }: FilesetPlace): Record<string, string> => ({
  ...(fileset === null ? {} : { fileset }),
  ...(path === "" ? {} : { path }),
  ...(filter === "" ? {} : { filter }),
  ...(file === null ? {} : { file }),
});

export function placeOf(query: Record<string, unknown>): FilesetPlace {
  const text = (name: string): string => {
    const value = query[name];
    return typeof value === "string" ? value : "";
  };
  const path = foldersOf(text("path")).join("/");
  return { fileset: text("fileset") || null, path, filter: text("filter"), file: text("file") || null };
}

const key = "fairway.filesets";
const saved = z.object({ username: z.string(), fileset: z.string(), path: z.string(), filter: z.string() });
type SavedPlace = z.infer<typeof saved>;

/** Null if the storage holds something else. */
function read(): SavedPlace | null {
  try {
    return saved.safeParse(JSON.parse(readLocal(key) ?? "null")).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const usePlace = create<{ place: SavedPlace | null }>(() => ({ place: read() }));

/** Decision 0260: the last fileset, path and filter of this user in this browser, without the previewed file. */
export function saveFilesetPlace(username: string, { fileset, path, filter }: FilesetPlace): void {
  if (fileset === null) return;
  const place = { username, fileset, path, filter };
  usePlace.setState({ place });
  writeLocal(key, JSON.stringify(place));
}

/** The query that the menu entry 'Filesets' carries. */
export function useSavedFilesetQuery(username: string): Record<string, string> {
  const place = usePlace((state) => state.place);
  return place?.username === username ? placeQuery({ ...place, file: null }) : {};
}
