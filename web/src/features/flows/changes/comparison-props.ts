import type { ReactNode } from "react";

/** The content of a comparison, and how it is joined with the conversation of its request. */
export interface ComparisonProps {
  group: string;
  flowId: number;
  iteration: { id: number; number: number };
  /** `none`: nothing, so that everything is added. */
  against: "accepted" | "none" | { id: number; number: number };
  /** Components that comments are on. Should be the same array while they are the same. */
  commented?: readonly CommentedComponent[] | undefined;
  /**
   * Threads on a component, shown below it; drafts in them must survive unmounting. `formerIds` are ids of `commented` that the
   * component had in other exports of the flow.
   */
  threads?: ((component: { id: string; name: string }, formerIds: readonly string[]) => ReactNode) | undefined;
  /** Starts a comment on a component. */
  onComment?: ((component: { id: string; name: string }) => void) | undefined;
  /** Shows the texts, for what has no components to compare. */
  onShowText?: (() => void) | undefined;
  /** Shows the component whenever this object is a new one. */
  target?: { readonly componentId: string } | undefined;
}

/** A component as a comment names it. */
export interface CommentedComponent {
  readonly id: string;
  readonly name: string;
  /** Whether the shown iteration mentions the id. */
  readonly isInContent: boolean;
}

/** The compared contents, apart from how they are shown. */
export type Compared = Pick<ComparisonProps, "group" | "flowId" | "iteration" | "against">;
