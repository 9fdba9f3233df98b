import { foldersOf } from "@fairway/contract/folders";
import { z } from "zod";
import { create } from "zustand";
import { rememberInBrowser } from "../browser/browser-memory.ts";

/** State of the filesets screen that its address holds. */
export interface FilesetView {
  fileset: string | null;
  /** Folders joined by slashes; empty for the root. */
  path: string;
  filter: string;
  /** Name of the previewed file within the folder. */
  file: string | null;
}

/** The query parameters of a view, without empty ones. */
export const filesetQuery = ({ fileset, path, filter, file }: FilesetView): Record<string, string> => ({
  ...(fileset === null ? {} : { fileset }),
  ...(path === "" ? {} : { path }),
  ...(filter === "" ? {} : { filter }),
  ...(file === null ? {} : { file }),
});

export function filesetView(query: Record<string, unknown>): FilesetView {
  const text = (name: string): string => {
    const value = query[name];
    return typeof value === "string" ? value : "";
  };
  const path = foldersOf(text("path")).join("/");
  return { fileset: text("fileset") || null, path, filter: text("filter"), file: text("file") || null };
}

const saved = z.object({ fileset: z.string(), path: z.string(), filter: z.string() });
type SavedView = z.infer<typeof saved>;

const useSavedView = create<{ view: SavedView | null }>(() => ({ view: null }));

const storeView = rememberInBrowser("filesets", {
  restore: (stored) => useSavedView.setState({ view: saved.safeParse(stored).data ?? null }),
  forget: () => useSavedView.setState({ view: null }),
});

/** Decision 0260: the user's last fileset, path and filter in this browser, without the previewed file. */
export function saveFilesetView({ fileset, path, filter }: FilesetView): void {
  if (fileset === null) return;
  const view = { fileset, path, filter };
  useSavedView.setState({ view });
  storeView(view);
}

/** The query that the menu entry 'Filesets' carries. */
export function useSavedFilesetQuery(): Record<string, string> {
  const view = useSavedView((state) => state.view);
  return view === null ? {} : filesetQuery({ ...view, file: null });
}
