import type { Column } from "@fairway/contract/columns";
import { useMemo, useRef, useState } from "react";
import type { GraphDefinition } from "@fairway/contract/charts/graph";
import { confirmDiscard, discardQuestionOf, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";

/** The panel beside the graphs or the dialog over them. */
export type GraphsPanel =
  /** The editor of a graph; `id` is null for a new one. */
  | GraphEditorPanel
  /** The templates of the dataset; `back` is the editor to return to. */
  | { kind: "templates"; back: GraphsPanel }
  /** The form for a new template; `back` is the editor to return to. */
  | { kind: "save-template"; template: NewTemplate; back: GraphsPanel }
  | null;

/** A template to be saved: the title of its graph, and the JSON that it keeps. */
export interface NewTemplate {
  title: string;
  json: string;
}

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
  /** Null if nothing differs from what the editor opened with. */
  write: (draft: GraphDefinition | null) => void;
}

export interface GraphsPanelState {
  panel: GraphsPanel;
  /**
   * Shows another panel. Asks for confirmation if that would replace an editor with unsaved changes; null closes the editor
   * without a question, after Save and by Cancel.
   */
  show: (next: GraphsPanel) => void;
  /** Closes the editor. Resolves to false if the user keeps its unsaved changes. */
  close: () => Promise<boolean>;
  /** Counter of opened editors, used as a key so that each has its own draft. */
  editor: number;
  draft: DraftStore;
}

/** The panel of a search's graphs. Dialogs do not affect the editor below. */
export function useGraphsPanel(): GraphsPanelState {
  const [panel, setPanel] = useState<GraphsPanel>(null);
  const [editor, setEditor] = useState(0);
  const changed = useRef<GraphDefinition | null>(null);
  const [changedTitle, setChangedTitle] = useState<string | null>(null);
  const question = useMemo(
    () =>
      changedTitle === null
        ? undefined
        : discardQuestionOf(`The graph in the editor, ${changedTitle.trim() || "without a title"}, has changes that are not saved.`),
    [changedTitle],
  );
  // Here and not in the editor, because the changes are kept while another view of the results is shown.
  useUnsavedChanges(question !== undefined, question && { question });
  const mayDiscard = () => question === undefined || confirmDiscard([{ question }]);
  const write = (edited: GraphDefinition | null) => {
    changed.current = edited;
    setChangedTitle(edited?.title ?? null);
  };
  const show = async (next: GraphsPanel) => {
    const open = editorOf(panel);
    if (panel?.kind === "templates" && next === null) return setPanel(panel.back);
    const isSame = next !== null && (next.kind !== "editor" || (panel !== null && panel.kind !== "editor" && next === panel.back));
    if (isSame) return setPanel(next);
    if (next !== null && open !== null && !(await mayDiscard())) return;
    write(null);
    setEditor((count) => count + 1);
    setPanel(next);
  };
  const close = async () => {
    if (!(await mayDiscard())) return false;
    await show(null);
    return true;
  };
  return { panel, show: (next) => void show(next), close, editor, draft: { read: () => changed.current, write } };
}
