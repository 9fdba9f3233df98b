import type { ReactNode } from "react";

/** What a comparison shows, and how it is joined with the conversation of its request. */
export interface ComparisonProps {
  group: string;
  flowId: number;
  iteration: { id: number; number: number };
  /** `none`: nothing, so that everything is added. */
  against: "accepted" | "none" | { id: number; number: number };
  /** Threads on a component, shown below it; drafts in them must survive unmounting. */
  threads?: ((component: { id: string; name: string }) => ReactNode) | undefined;
  /** Starts a comment on a component. */
  onComment?: ((component: { id: string; name: string }) => void) | undefined;
  /** Shows the component whenever this object is a new one. */
  target?: { readonly componentId: string } | undefined;
}

/** What a comparison calls, apart from how it is shown. */
export type Compared = Pick<ComparisonProps, "group" | "flowId" | "iteration" | "against">;
