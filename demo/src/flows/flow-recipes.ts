/** One step in the life of a request, in order of time. */
export type FlowStep =
  | { readonly kind: "iteration"; readonly by: string; readonly content: string; readonly reason?: string }
  /** `line`: a text that the commented line of the last iteration contains, and that occurs once. */
  | { readonly kind: "comment"; readonly by: string; readonly text: string; readonly line?: string }
  | { readonly kind: "submit" | "accept" | "reject" | "abandon" | "review"; readonly by: string };

export interface FlowRequestRecipe {
  readonly name: string;
  readonly reason?: string;
  /** Minutes before the portal's first start, of each step in order. */
  readonly minutesAgo: readonly number[];
  /** Begins with an iteration, whose author creates the request. */
  readonly steps: readonly FlowStep[];
}

export interface FlowWithRequests {
  readonly name: string;
  /** By creation time. */
  readonly requests: readonly FlowRequestRecipe[];
}

export interface FlowGroupRecipe {
  readonly entity: { readonly name: string; readonly displayName: string; readonly description: string };
  readonly flows: readonly FlowWithRequests[];
}

export interface FlowEnvironmentRecipe {
  readonly name: string;
  readonly displayName: string;
  readonly baseUrl: string;
  readonly readTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly ca: string;
}
