import type { Column } from "@fairway/contract/columns";
import { useRef, useState } from "react";
import type { GraphDefinition } from "#features/search/graphs/model/graph.ts";
import { confirm } from "#ui/confirm.ts";

/** The panel beside the graphs or the dialog over them. */
export type GraphsPanel =
  /** The editor of a graph; `id` is null for a new one. */
  | GraphEditorPanel
  /** The templates of the dataset; `back` is the editor to return to. */
  | { kind: "templates"; back: GraphsPanel }
  /** The form for a new template; `back` is the editor to return to. */
  | { kind: "save-template"; definition: GraphDefinition; back: GraphsPanel }
  | null;

export interface GraphEditorPanel {
  kind: "editor";
  id: string | null;
  /** Null for what suits the search, or the column. */
  draft: GraphDefinition | null;
  column?: Column | undefined;
  hasWarned: boolean;
}

/** The open editor, also while a dialog covers it. */
export function editorOf(panel: GraphsPanel): GraphEditorPanel | null {
  if (panel === null || panel.kind === "editor") return panel;
  return editorOf(panel.back);
}

/** Holds unsaved changes of an editor while another view is shown. */
export interface DraftStore {
  read: () => GraphDefinition | null;
  write: (draft: GraphDefinition) => void;
}

export interface GraphsPanelState {
  panel: GraphsPanel;
  /** Shows another panel. Asks for confirmation if that would replace an editor with unsaved changes. */
  show: (next: GraphsPanel) => void;
  /** Counter of opened editors, used as a key so that each has its own draft. */
  editor: number;
  draft: DraftStore;
}

/** The panel of a search's graphs. Dialogs do not affect the editor below. */
export function useGraphsPanel(): GraphsPanelState {
  const [panel, setPanel] = useState<GraphsPanel>(null);
  const [editor, setEditor] = useState(0);
  const changed = useRef<GraphDefinition | null>(null);
  const show = async (next: GraphsPanel) => {
    const open = editorOf(panel);
    if (panel?.kind === "templates" && next === null) return setPanel(panel.back);
    const isSame = next !== null && (next.kind !== "editor" || (panel !== null && panel.kind !== "editor" && next === panel.back));
    if (isSame) return setPanel(next);
    if (next !== null && open !== null && changed.current !== null) {
      const confirmed = await confirm({
        title: "Discard Changes?",
        text: `The graph in the editor, ${changed.current.title.trim() || "without a title"}, has changes that are not saved.`,
        confirmLabel: "Discard Changes",
      });
      if (!confirmed) return;
    }
    changed.current = null;
    setEditor((count) => count + 1);
    setPanel(next);
  };
  const [draft] = useState<DraftStore>(() => ({
    read: () => changed.current,
    write: (edited) => {
      changed.current = edited;
    },
  }));
  return { panel, show: (next) => void show(next), editor, draft };
}
