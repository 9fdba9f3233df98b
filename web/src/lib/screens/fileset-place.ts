import { foldersOf } from "@fairway/contract/folders";
import { z } from "zod";
import { create } from "zustand";
import { rememberInBrowser } from "../browser/browser-memory.ts";

/** State of the filesets screen that its address holds. */
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

const saved = z.object({ fileset: z.string(), path: z.string(), filter: z.string() });
type SavedPlace = z.infer<typeof saved>;

const usePlace = create<{ place: SavedPlace | null }>(() => ({ place: null }));

const storePlace = rememberInBrowser("filesets", {
  restore: (stored) => usePlace.setState({ place: saved.safeParse(stored).data ?? null }),
  forget: () => usePlace.setState({ place: null }),
});

/** Decision 0260: the user's last fileset, path and filter in this browser, without the previewed file. */
export function saveFilesetPlace({ fileset, path, filter }: FilesetPlace): void {
  if (fileset === null) return;
  const place = { fileset, path, filter };
  usePlace.setState({ place });
  storePlace(place);
}

/** The query that the menu entry 'Filesets' carries. */
export function useSavedFilesetQuery(): Record<string, string> {
  const place = usePlace((state) => state.place);
  return place === null ? {} : placeQuery({ ...place, file: null });
}
