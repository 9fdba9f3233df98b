import { z } from "zod";
import { entityId } from "./entities.ts";
import { route } from "./route.ts";
import { requiredProse } from "./text.ts";

/** Urgency of a notice, shown by color and label. */
export const noticeSeverities = ["info", "warning", "critical"] as const;

const epochMs = z.int().min(0).max(8_640_000_000_000_000).nullable().default(null);

/** A notice as administrators configure it. */
export const noticeEntity = z
  .object({
    /** Assigned by the server. */
    id: entityId,
    /** Name of a Font Awesome Free solid icon, such as `bullhorn`. */
    faIcon: requiredProse(100),
    title: requiredProse(200),
    /** Markdown without HTML. */
    message: requiredProse(20_000),
    severity: z.enum(noticeSeverities).default("info"),
    /** Shown to holders of any of these roles; empty = everyone. */
    roles: z
      .array(z.object({ roleName: z.string().min(1).max(200) }))
      .max(200)
      .default([]),
    /** Shown from this time on; null = immediately. */
    startMs: epochMs,
    /** Shown until this time; null = indefinitely. */
    endMs: epochMs,
    /** Assigned by the server. */
    createdDateMs: z.int().min(0),
  })
  .refine(({ startMs, endMs }) => startMs === null || endMs === null || startMs < endMs, {
    path: ["endMs"],
    message: "is not after the start",
  })
  .meta({ id: "NoticeEntity" });
export type NoticeEntity = z.infer<typeof noticeEntity>;

/** A notice as users see it, without roles and times. */
export const notice = z
  .object({
    id: z.string(),
    title: z.string(),
    message: z.string(),
    faIcon: z.string(),
    // Missing in responses of older servers.
    severity: z.enum(noticeSeverities).default("info"),
    createdDateMs: z.number(),
  })
  .meta({ id: "Notice" });
export type Notice = z.infer<typeof notice>;

export const notices = {
  list: route({
    method: "GET",
    path: "/notices",
    access: "signed-in",
    summary: "The notices for this user, newest first.",
    response: z.array(notice),
  }),
  fresh: route({
    method: "GET",
    path: "/notices/new",
    access: "signed-in",
    summary: "The notices for this user that they have not viewed yet, newest first.",
    response: z.array(notice),
  }),
  viewed: route({
    method: "PUT",
    path: "/notices/viewed",
    access: "signed-in",
    summary: "Mark notices as viewed by this user; other ids change nothing. Returns the ids that were marked.",
    body: z.array(z.string().max(200)).max(1_000),
    response: z.array(z.string()),
  }),
};
