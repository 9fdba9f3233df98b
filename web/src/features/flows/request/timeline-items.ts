import type { FlowComment, FlowEvent } from "@fairway/contract/flow-requests";

export type TimelineItem =
  | { key: string; timeMs: number; comment: FlowComment; event: null }
  | { key: string; timeMs: number; comment: null; event: FlowEvent };

/** Comments and events in one timeline, oldest first. Events come before comments of the same time, which may be their reasons. */
export function timelineItems(comments: readonly FlowComment[], events: readonly FlowEvent[]): TimelineItem[] {
  const items: TimelineItem[] = [
    ...events.map((event) => ({ key: `event ${event.id}`, timeMs: event.timeMs, comment: null, event })),
    ...comments.map((comment) => ({ key: `comment ${comment.id}`, timeMs: comment.createdDateMs, comment, event: null })),
  ];
  return items.toSorted((one, other) => one.timeMs - other.timeMs);
}

/** Text of an event, without its time. */
export function eventText({ kind, username, subject }: FlowEvent, iteration: number | undefined): string {
  const which = iteration === undefined ? "An iteration" : `Iteration ${iteration}`;
  switch (kind) {
    case "created":
      return `Request created by ${username}`;
    case "iteration":
      return `${which} added by ${username}`;
    case "submitted":
      return `Submitted for review by ${username}`;
    case "rejected":
      return `Rejected by ${username}, back to In Progress`;
    case "accepted":
      return `${which} accepted by ${username}`;
    case "abandoned":
      return `Abandoned by ${username}`;
    case "reviewer":
      if (subject === "") return `Review returned by ${username}`;
      return subject === username ? `Review taken by ${username}` : `Review given to ${subject} by ${username}`;
    case "deployed":
      return `${which} deployed to ${subject} by ${username}`;
    default:
      return kind satisfies never;
  }
}
