import { z } from "zod";
import { create } from "zustand";

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
  const path = text("path")
    .split("/")
    .filter((folder) => folder !== "")
    .join("/");
  return { fileset: text("fileset") || null, path, filter: text("filter"), file: text("file") || null };
}

const key = "fairway.filesets";
const saved = z.object({ username: z.string(), fileset: z.string(), path: z.string(), filter: z.string() });
type SavedPlace = z.infer<typeof saved>;

/** Storage may be blocked or full, or hold something else. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const read = (): SavedPlace | null =>
  saved.safeParse(attempt(() => JSON.parse(localStorage.getItem(key) ?? "null") as unknown)).data ?? null;

const usePlace = create<{ place: SavedPlace | null }>(() => ({ place: read() }));

/** Decision 0260: the last fileset, path and filter of this user in this browser, without the previewed file. */
export function saveFilesetPlace(username: string, { fileset, path, filter }: FilesetPlace): void {
  if (fileset === null) return;
  const place = { username, fileset, path, filter };
  usePlace.setState({ place });
  attempt(() => localStorage.setItem(key, JSON.stringify(place)));
}

/** The query that the menu entry 'Filesets' carries. */
export function useSavedFilesetQuery(username: string): Record<string, string> {
  const place = usePlace((state) => state.place);
  return place?.username === username ? placeQuery({ ...place, file: null }) : {};
}
