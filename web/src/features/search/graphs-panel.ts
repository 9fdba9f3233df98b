import type { GraphDefinition } from "#parts/graphs/graph.ts";

/** What stands beside the graphs or over them. */
export type GraphsPanel =
  /** The editor of a graph, or of a new one where `id` is null. */
  | { kind: "editor"; id: string | null; draft: GraphDefinition; hasWarned: boolean }
  | { kind: "templates" }
  /** The question for a template's name; afterwards the editor that it came from. */
  | { kind: "save-template"; definition: GraphDefinition; back: GraphsPanel }
  | null;
