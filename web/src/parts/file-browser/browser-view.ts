import { create } from "zustand";

export type BrowserView = "list" | "grid";

const key = "fairway.filesets.view";

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

const useChosenView = create<{ view: BrowserView | null }>(() => ({ view: null }));

const storedView = (): BrowserView => (attempt(() => localStorage.getItem(key)) === "grid" ? "grid" : "list");

/** The view of every file browser, remembered in this browser. Decision 0260: a list until the user chooses. */
export const useBrowserView = (): BrowserView => useChosenView(({ view }) => view) ?? storedView();

export function setBrowserView(view: BrowserView): void {
  useChosenView.setState({ view });
  attempt(() => localStorage.setItem(key, view));
}
