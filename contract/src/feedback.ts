import { z } from "zod";
import { entityId } from "./entities.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

export const feedbackLimits = {
  attachments: 3,
  attachmentBytes: 10_000_000,
  descriptionCharacters: 20_000,
  datasets: 200,
  fileNameCharacters: 200,
} as const;

/** Number of submissions per status that administrators see; older ones stay in the database. */
export const maxReceivedPerStatus = 1_000;

/** In display order. */
export const feedbackTypes = ["algorithm", "bug", "data", "feedback"] as const;
export type FeedbackType = (typeof feedbackTypes)[number];

/** Progress of the administrators. */
export const feedbackStatuses = ["new", "in progress", "done"] as const;
export type FeedbackStatus = (typeof feedbackStatuses)[number];

/** Allowed file extensions of attachments; the content has to match. */
export const attachmentEndings = [
  "png",
  "jpg",
  "jpeg",
  "gif",
  "webp",
  "pdf",
  "txt",
  "log",
  "md",
  "csv",
  "tsv",
  "json",
  "geojson",
  "xml",
  "yaml",
  "yml",
  "ipynb",
  "docx",
  "xlsx",
  "pptx",
  "odt",
  "ods",
  "odp",
  "zip",
] as const;

const attachment = z.object({ id: z.string(), filename: z.string() }).meta({ id: "FeedbackAttachment" });
export type FeedbackAttachment = z.infer<typeof attachment>;

/** `categoryId/datasetId`; ids contain no slash. */
const datasetPath = z.string().refine((text) => {
  const [category, dataset, ...more] = text.split("/");
  return more.length === 0 && entityId.safeParse(category).success && entityId.safeParse(dataset).success;
}, "is not categoryId/datasetId");

const feedbackDraft = z
  .object({
    /** The signed-in user; any other name is refused. Name and email are stored as the account has them. */
    username: z.string(),
    name: z.string(),
    email: z.string(),
    type: z.enum(feedbackTypes),
    description: storableText.trim().min(1, "is blank").max(feedbackLimits.descriptionCharacters),
    datasets: z.array(datasetPath).max(feedbackLimits.datasets),
    /** Ids returned by the uploads. */
    attachments: z.array(z.string().max(100)).max(feedbackLimits.attachments),
  })
  .refine(({ type, datasets }) => type !== "data" || datasets.length > 0, {
    path: ["datasets"],
    message: "is empty: a data product request names at least one",
  })
  .meta({ id: "FeedbackDraft" });
export type FeedbackDraft = z.input<typeof feedbackDraft>;

const ownFeedback = z
  .object({
    id: z.string(),
    type: z.enum(feedbackTypes),
    description: z.string(),
    datasets: z.array(z.string()),
    attachments: z.array(attachment),
    status: z.enum(feedbackStatuses),
    createdDateMs: z.number(),
    /** When the status last changed; null if it never did. */
    statusDateMs: z.number().nullable(),
  })
  .meta({ id: "OwnFeedback" });
export type OwnFeedback = z.infer<typeof ownFeedback>;

const receivedFeedback = ownFeedback
  .extend({
    username: z.string(),
    name: z.string(),
    email: z.string(),
    attachments: z.array(attachment.extend({ size: z.int() })),
  })
  .meta({ id: "ReceivedFeedback" });
export type ReceivedFeedback = z.infer<typeof receivedFeedback>;

export const feedback = {
  upload: route({
    method: "POST",
    path: "/feedback/upload",
    access: "signed-in",
    summary:
      "Upload one file, for feedback that is submitted soon afterwards. 413 above 10,000,000 bytes, and where the user has no room left; 415 for a type that is not taken.",
    file: { field: "file", maxBytes: feedbackLimits.attachmentBytes },
    response: attachment,
    status: 201,
  }),
  create: route({
    method: "POST",
    path: "/feedback/create",
    access: "signed-in",
    summary: "Submit feedback. Administrators read it and set its status.",
    body: feedbackDraft,
    response: ownFeedback,
    status: 201,
  }),
  own: route({
    method: "GET",
    path: "/feedback/own",
    access: "signed-in",
    summary: "The user's own feedback, newest first, at most 200.",
    response: z.array(ownFeedback),
  }),
};

const admin = { role: "admin" } as const;

export const feedbackAdministration = {
  list: route({
    method: "GET",
    path: "/admin/feedback",
    access: admin,
    summary: "All feedback, newest first, at most 1,000 of each status.",
    response: z.array(receivedFeedback),
  }),
  setStatus: route({
    method: "PUT",
    path: "/admin/feedback",
    access: admin,
    summary: "Set the status of feedback.",
    body: z.object({ id: z.string().max(100), status: z.enum(feedbackStatuses) }),
    response: receivedFeedback,
  }),
  attachment: route({
    method: "GET",
    path: "/admin/feedback/attachments/:id",
    access: admin,
    summary: "An attachment, as a download whatever it is.",
    params: z.object({ id: z.string().max(100) }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["application/octet-stream"],
    cookie: true,
  }),
};
