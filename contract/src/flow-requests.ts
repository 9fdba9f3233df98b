import { z } from "zod";

/** Of flows, their requests and what these consist of. */
export const flowPartId = z.int().min(1).max(2_147_483_647);

export const flowRequestStatus = { unknown: -1, inProgress: 0, readyForReview: 1, abandoned: 2, accepted: 3 } as const;
export type FlowRequestStatus = (typeof flowRequestStatus)[keyof typeof flowRequestStatus];

/** Shown for each status, in this order. */
export const flowRequestStatusLabels: readonly { readonly status: FlowRequestStatus; readonly label: string }[] = [
  { status: flowRequestStatus.unknown, label: "Unknown" },
  { status: flowRequestStatus.inProgress, label: "In Progress" },
  { status: flowRequestStatus.readyForReview, label: "Ready for Review" },
  { status: flowRequestStatus.abandoned, label: "Abandoned" },
  { status: flowRequestStatus.accepted, label: "Accepted" },
];

/** A final request never changes again. */
export const isFinal = (status: number): boolean => status === flowRequestStatus.abandoned || status === flowRequestStatus.accepted;

export const flowRequest = z
  .object({
    id: flowPartId,
    name: z.string(),
    /** Why the flow should change; empty if nobody said so. */
    reason: z.string(),
    flowId: flowPartId,
    flowName: z.string(),
    status: z.int(),
    createdDateMs: z.number(),
    /** Of the last iteration, comment, status or change of the reviewer. */
    lastUpdatedMs: z.number(),
    creatorUsername: z.string(),
    /** Who reviews it; null if nobody has taken the review. */
    reviewerUsername: z.string().nullable(),
    iterations: z.int(),
    lastIterationId: flowPartId,
    comments: z.int(),
    /** The caller created it. */
    isOwn: z.boolean(),
    /** It is ready for review, not the caller's own, and the caller or nobody has taken the review. */
    needsMyReview: z.boolean(),
    /** The caller may accept and reject it now. */
    canDecide: z.boolean(),
  })
  .meta({ id: "FlowRequest" });
export type FlowRequest = z.infer<typeof flowRequest>;

export const flowFormats = ["json", "xml", "yaml", "unknown"] as const;
export type FlowFormat = (typeof flowFormats)[number];

export const flowIteration = z
  .object({
    id: flowPartId,
    /** 1 to n by creation time. */
    number: z.int(),
    creatorUsername: z.string(),
    createdDateMs: z.number(),
    bytes: z.int(),
    /** Recognized from the content. */
    format: z.enum(flowFormats),
    /** The change and the reason for it; empty if none was given. */
    reason: z.string(),
    /** Null if the response would be too large: read it by `GET …/iterations/{id}`. */
    content: z.string().nullable(),
  })
  .meta({ id: "FlowIteration" });
export type FlowIteration = z.infer<typeof flowIteration>;

/** Target of a comment that is not about the request as a whole. Line numbers start at 1. */
export const flowCommentAnchor = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("line"),
      iterationId: flowPartId,
      line: z.int().min(1),
      /** The lines as they were, cut to 300 characters each and with spaces for control characters other than tabs, to find the place in other iterations. */
      text: z.string(),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
    z.object({ kind: z.literal("component"), iterationId: flowPartId, componentId: z.string(), name: z.string() }),
  ])
  .meta({ id: "FlowCommentAnchor" });
export type FlowCommentAnchor = z.infer<typeof flowCommentAnchor>;

export const flowComment = z
  .object({
    id: flowPartId,
    commenterUsername: z.string(),
    createdDateMs: z.number(),
    /** Markdown without HTML; empty if deleted. */
    text: z.string(),
    editedDateMs: z.number().nullable(),
    isDeleted: z.boolean(),
    isOwn: z.boolean(),
    /** Usernames of members that the text mentions as `@username`. */
    mentions: z.array(z.string()),
    anchor: flowCommentAnchor.nullable(),
  })
  .meta({ id: "FlowComment" });
export type FlowComment = z.infer<typeof flowComment>;

/** Other entries in the timeline of a request, oldest first. */
export const flowEvent = z
  .object({
    id: flowPartId,
    kind: z.enum(["created", "iteration", "submitted", "rejected", "accepted", "abandoned", "reviewer", "deployed"]),
    username: z.string(),
    timeMs: z.number(),
    /** The iteration that was added, submitted, decided on or deployed. */
    iterationId: flowPartId.nullable(),
    /** Who reviews from then on, or the environment; empty otherwise. */
    subject: z.string(),
  })
  .meta({ id: "FlowEvent" });
export type FlowEvent = z.infer<typeof flowEvent>;

export const mainIteration = z
  .object({
    /** When it was accepted. */
    timeMs: z.number(),
    iteration: flowIteration,
    requestId: flowPartId,
    requestName: z.string(),
    acceptedByUsername: z.string(),
  })
  .meta({ id: "MainIteration" });
export type MainIteration = z.infer<typeof mainIteration>;
