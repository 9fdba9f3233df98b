import { create } from "zustand";

const key = "fairway.panel";
// Narrower windows have no room for the second panel.
const wideQuery = matchMedia("(min-width: 1181px)");

interface PanelState {
  /** Whether the second panel is shown next to the rail. */
  open: boolean;
  /** The id of the group shown in it. */
  group: string;
  /** On a phone: whether rail and panel are open over the page. */
  drawer: boolean;
}

const isStoredOpen = (): boolean => {
  try {
    return localStorage.getItem(key) !== "closed";
  } catch (error) {
    if (error instanceof DOMException) return true;
    throw error;
  }
};

export const usePanel = create<PanelState>(() => ({ open: wideQuery.matches && isStoredOpen(), group: "search", drawer: false }));

wideQuery.addEventListener("change", () => usePanel.setState({ open: wideQuery.matches && isStoredOpen() }));

/** Shows or hides the second panel. Remembered for wide windows only. */
export function setPanelOpen(open: boolean): void {
  usePanel.setState({ open });
  if (!wideQuery.matches) return;
  try {
    localStorage.setItem(key, open ? "open" : "closed");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Shows a group's entries, or hides the panel if they are already shown. */
export function chooseGroup(group: string): void {
  const current = usePanel.getState();
  setPanelOpen(!(current.open && current.group === group));
  usePanel.setState({ group });
}

export const setDrawer = (drawer: boolean): void => usePanel.setState({ drawer });
