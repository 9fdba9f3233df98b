import { create } from "zustand";

const key = "fairway.panel";
// Below this the second panel would take the page's room.
const wide = matchMedia("(min-width: 1181px)");

interface PanelState {
  /** The second panel is shown beside the rail. */
  open: boolean;
  /** The group it shows. */
  group: string;
  /** On a phone: rail and panel, over the page. */
  drawer: boolean;
}

const remembered = (): boolean => {
  try {
    return localStorage.getItem(key) !== "closed";
  } catch (error) {
    if (error instanceof DOMException) return true;
    throw error;
  }
};

export const usePanel = create<PanelState>(() => ({ open: wide.matches && remembered(), group: "search", drawer: false }));

wide.addEventListener("change", () => usePanel.setState({ open: wide.matches && remembered() }));

/** Shows or hides the second panel. A wide window remembers it. */
export function setPanelOpen(open: boolean): void {
  usePanel.setState({ open });
  if (!wide.matches) return;
  try {
    localStorage.setItem(key, open ? "open" : "closed");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Shows a group's entries; choosing the one that is shown hides them. */
export function chooseGroup(group: string): void {
  const now = usePanel.getState();
  setPanelOpen(!(now.open && now.group === group));
  usePanel.setState({ group });
}

export const setDrawer = (drawer: boolean): void => usePanel.setState({ drawer });
