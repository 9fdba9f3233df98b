import { z } from "zod";
import { route } from "./route.ts";

/** Number of notifications per page. */
export const notificationsPage = 25;

/** A message from the portal to one user about something that concerns them. Texts are plain, not Markdown. */
export const notification = z
  .object({
    id: z.string(),
    title: z.string(),
    /** Empty if the title says everything. */
    text: z.string(),
    /** Path within the web app, such as `/data-catalog/nature/storms`; null if there is nothing to open. */
    link: z.string().nullable(),
    isRead: z.boolean(),
    createdDateMs: z.number(),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof notification>;

const notificationPage = z
  .object({
    /** Newest first. */
    notifications: z.array(notification),
    /** Of all pages together. */
    unread: z.int(),
    total: z.int(),
    hasMore: z.boolean(),
  })
  .meta({ id: "NotificationPage" });
export type NotificationPage = z.infer<typeof notificationPage>;

const notificationId = z.string().max(100);

const readNotifications = z
  .object({
    ids: z.array(notificationId).max(1_000).optional(),
    /** Instead of `ids`: all of them. */
    all: z.literal(true).optional(),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), { path: ["ids"], message: "is required, or else all" })
  .meta({ id: "ReadNotifications" });

export const notifications = {
  list: route({
    method: "GET",
    path: "/notifications",
    access: "signed-in",
    summary: `The user's notifications, newest first, ${notificationsPage} at a time.`,
    query: z.object({
      /** The last notification of the previous page. */
      before: notificationId.optional(),
    }),
    response: notificationPage,
  }),
  read: route({
    method: "PUT",
    path: "/notifications/read",
    access: "signed-in",
    summary: "Mark notifications as read; other ids change nothing. Returns how many are unread now.",
    body: readNotifications,
    response: z.object({ unread: z.int() }).meta({ id: "UnreadNotifications" }),
  }),
};
