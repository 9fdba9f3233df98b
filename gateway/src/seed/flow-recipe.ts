/** One step in the life of a request. `by` is a username. */
type FlowStep =
  | { readonly kind: "iteration"; readonly by: string; readonly content: string; readonly reason?: string }
  /** `line`: what a single line of the last iteration contains; the comment is about that line. */
  | { readonly kind: "comment"; readonly by: string; readonly text: string; readonly line?: string }
  | { readonly kind: "submit" | "accept" | "reject" | "abandon" | "review"; readonly by: string };

export interface FlowRequestRecipe {
  readonly name: string;
  readonly reason?: string;
  /** In order of time. Begins with an iteration, whose author creates the request. */
  readonly steps: readonly FlowStep[];
  /** When each step happened, in minutes before the seeding. */
  readonly minutesAgo: readonly number[];
}

export interface FlowRecipe {
  readonly name: string;
  /** By creation time; at least one. */
  readonly requests: readonly FlowRequestRecipe[];
}

/** Flows of a group with their requests, for an empty portal. */
export interface FlowGroupRecipe {
  readonly group: string;
  readonly flows: readonly FlowRecipe[];
}
