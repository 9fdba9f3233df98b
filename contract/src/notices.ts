import { z } from "zod";
import { entityId } from "./entities.ts";
import { route } from "./route.ts";
import { requiredProse } from "./text.ts";

/** How urgent a notice is; the screen tells by color and word. */
export const noticeSeverities = ["info", "warning", "critical"] as const;

const moment = z.int().min(0).max(8_640_000_000_000_000).nullable().default(null);

/** A notice as administrators keep it. */
export const noticeEntity = z
  .object({
    /** Given by the server. */
    id: entityId,
    /** A solid icon of Font Awesome Free by its name, such as `bullhorn`. */
    faIcon: requiredProse(100),
    title: requiredProse(200),
    /** Markdown without HTML. */
    message: requiredProse(20_000),
    severity: z.enum(noticeSeverities).default("info"),
    /** Whoever holds one of them is told; none: everyone. */
    roles: z
      .array(z.object({ roleName: z.string().min(1).max(200) }))
      .max(200)
      .default([]),
    /** Told from this moment on; null: at once. */
    startMs: moment,
    /** Told until this moment; null: for good. */
    endMs: moment,
    /** Given by the server. */
    createdDateMs: z.int().min(0),
  })
  .refine(({ startMs, endMs }) => startMs === null || endMs === null || startMs < endMs, {
    path: ["endMs"],
    message: "is not after the start",
  })
  .meta({ id: "NoticeEntity" });
export type NoticeEntity = z.infer<typeof noticeEntity>;

/** A notice as it is told; for whom and until when stays with the administrators. */
export const notice = z
  .object({
    id: z.string(),
    title: z.string(),
    message: z.string(),
    faIcon: z.string(),
    // Missing in the answers of older servers.
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
    summary: "Mark notices as viewed by this user; ids of no notice for them change nothing. Answers the ids that are marked.",
    body: z.array(z.string().max(200)).max(1_000),
    response: z.array(z.string()),
  }),
};
