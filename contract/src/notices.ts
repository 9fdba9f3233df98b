import { z } from "zod";
import { route } from "./route.ts";

/** Urgency of a notice, shown by color and label. */
export const noticeSeverities = ["info", "warning", "critical"] as const;

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
