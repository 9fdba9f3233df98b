import { create } from "zustand";
import { readLocal, writeLocal } from "#lib/browser/local-storage.ts";

export type BrowserView = "list" | "grid";

const key = "fairway.filesets.view";

const useChosenView = create<{ view: BrowserView | null }>(() => ({ view: null }));

const storedView = (): BrowserView => (readLocal(key) === "grid" ? "grid" : "list");

/** The view of every file browser, remembered in this browser. Decision 0260: a list until the user chooses. */
export const useBrowserView = (): BrowserView => useChosenView(({ view }) => view) ?? storedView();

export function setBrowserView(view: BrowserView): void {
  useChosenView.setState({ view });
  writeLocal(key, view);
}
