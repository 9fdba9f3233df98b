import { z } from "zod";
import { entityId } from "./entities.ts";
import { noticeSeverities } from "./notices.ts";
import { requiredProse } from "./text.ts";

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
