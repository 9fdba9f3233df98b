import { useRef, useState } from "react";
import type { GraphDefinition } from "#features/search/graphs/model/graph.ts";
import { confirm } from "#ui/confirm.ts";

/** What stands beside the graphs or over them. */
export type GraphsPanel =
  /** The editor of a graph, or of a new one where `id` is null. */
  | GraphEditorPanel
  /** The dataset's templates; afterwards the editor that was open. */
  | { kind: "templates"; back: GraphsPanel }
  /** The question for a template's name; afterwards the editor that it came from. */
  | { kind: "save-template"; definition: GraphDefinition; back: GraphsPanel }
  | null;

export interface GraphEditorPanel {
  kind: "editor";
  id: string | null;
  draft: GraphDefinition;
  hasWarned: boolean;
}

/** The editor that is open, also while a dialog stands over it. */
export function editorOf(panel: GraphsPanel): GraphEditorPanel | null {
  if (panel === null || panel.kind === "editor") return panel;
  return editorOf(panel.back);
}

/** What an editor has changed and not saved. It outlives the editor itself while another view is shown. */
export interface DraftKeeper {
  kept: () => GraphDefinition | null;
  keep: (draft: GraphDefinition) => void;
}

export interface GraphsPanelState {
  panel: GraphsPanel;
  /** Shows another panel. Where that is another editor and the open one has changes, asks first. */
  show: (next: GraphsPanel) => void;
  /** Counts the editors: each has a draft of its own. */
  editor: number;
  draft: DraftKeeper;
}

/** The panel of a search's graphs. Dialogs stand over an editor and leave it as it is. */
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
      const yes = await confirm({
        title: "Discard Changes?",
        text: `The graph in the editor, ${changed.current.title.trim() || "without a title"}, has changes that are not saved.`,
        confirmLabel: "Discard Changes",
      });
      if (!yes) return;
    }
    changed.current = null;
    setEditor((before) => before + 1);
    setPanel(next);
  };
  const [draft] = useState<DraftKeeper>(() => ({
    kept: () => changed.current,
    keep: (edited) => {
      changed.current = edited;
    },
  }));
  return { panel, show: (next) => void show(next), editor, draft };
}
