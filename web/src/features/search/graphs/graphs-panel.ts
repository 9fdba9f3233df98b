import type { GraphDefinition } from "#features/search/graphs/model/graph.ts";

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
