import { z } from "zod";
import { route } from "./route.ts";
import { savedName } from "./saved-searches.ts";
import { zoneName } from "./time-zones.ts";

export const subscriptionLimits = {
  /** Enforced inside the insert. */
  perUser: 20,
  /** Time to gather what one message says; what is not ready by then is named in it. */
  gatherSeconds: 60,
  /** Rows of the attached file, and rows that tell whether something changed. */
  rows: 10_000,
  /** Of the attached file. */
  csvBytes: 5_000_000,
  /** Between two messages of one subscription that its owner asks for. */
  askSeconds: 60,
  deliveriesPerPage: 50,
  /** Older deliveries are forgotten. */
  deliveryDays: 90,
} as const;

/** 1 is Monday, 7 is Sunday. */
export const weekday = z.int().min(1).max(7);

const id = z.string().max(100);

const subject = z.object({ boardId: id.optional(), savedSearchId: id.optional() });

/** The content of a subscription: a board, or a saved search. */
export const subscribed = subject
  .refine(
    ({ boardId, savedSearchId }) => (boardId === undefined) !== (savedSearchId === undefined),
    "is neither a board nor a saved search",
  )
  .meta({ id: "Subscribed" });
export type Subscribed = z.infer<typeof subscribed>;

const times = z.object({ hour: z.int(), minute: z.int(), weekdays: z.array(z.int()), zone: z.string() });

/** When it is sent: at this time of the chosen days, by the clock of the zone. A time that the clock skips is an hour later, one that it repeats comes once. */
export const sendingTimes = times
  .extend({
    hour: z.int().min(0).max(23),
    minute: z.int().min(0).max(59),
    weekdays: z
      .array(weekday)
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, "names a day twice"),
    zone: zoneName,
  })
  .meta({ id: "SendingTimes" });
export type SendingTimes = z.infer<typeof sendingTimes>;

export const subscriptionDraft = z
  .object({
    name: savedName,
    of: subscribed,
    at: sendingTimes,
    /** Sends nothing while figures and the first 10,000 rows are those of the last delivery. */
    onlyIfChanged: z.boolean().default(false),
    /** Attaches the rows of a saved search as CSV. Only where the portal allows it. */
    withRows: z.boolean().default(false),
  })
  .meta({ id: "SubscriptionDraft" });
export type SubscriptionDraft = z.input<typeof subscriptionDraft>;

const subscription = z
  .object({
    id: z.string(),
    name: z.string(),
    of: subject,
    /** Name of the board or saved search; null if the owner may not read it now. */
    ofName: z.string().nullable(),
    /** Path of the board or of the results within the web app; null if there is nothing to open. */
    link: z.string().nullable(),
    at: times,
    onlyIfChanged: z.boolean(),
    withRows: z.boolean(),
    /** `paused`: the last attempt could not be made, for the reason given. The portal tries again on the next chosen day, unless it is for good. */
    state: z.enum(["active", "paused"]),
    /** Why it is paused; empty if it is not. */
    reason: z.string(),
    lastSentMs: z.number().nullable(),
    /** Null if it is paused for good. */
    nextMs: z.number().nullable(),
    /** Whether its owner asked for a message that is not sent yet. */
    isAsked: z.boolean(),
    createdDateMs: z.number(),
  })
  .meta({ id: "Subscription" });
export type Subscription = z.infer<typeof subscription>;

const subscriptionList = z
  .object({
    subscriptions: z.array(subscription),
    /** Recipient of the messages; null if the portal sends no emails or the account has no usable address. */
    emailAddress: z.string().nullable(),
    /** Whether the portal sends emails at all. */
    sendsEmail: z.boolean(),
    /** Whether rows may be attached. */
    allowsRows: z.boolean(),
  })
  .meta({ id: "SubscriptionList" });
export type SubscriptionList = z.infer<typeof subscriptionList>;

/**
 * `sent`: the mail server accepted it. `unchanged`: nothing was sent, because nothing had changed. `failed`: the mail server did not accept it,
 * or there was nothing to send. `unsure`: it was being sent when the connection or the gateway ended, and is not sent again. `missed`: the
 * portal was not running on that day.
 */
export const deliveryKind = z.enum(["sent", "unchanged", "failed", "unsure", "missed"]);

const delivery = z
  .object({
    id: z.string(),
    startedMs: z.number(),
    kind: deliveryKind,
    /** Whether its owner asked for it. */
    isAsked: z.boolean(),
    /** Parts that were not ready in time. */
    notReady: z.array(z.string()),
    /** Why it was not sent; empty if it was. */
    reason: z.string(),
    durationMs: z.int(),
  })
  .meta({ id: "SubscriptionDelivery" });
export type SubscriptionDelivery = z.infer<typeof delivery>;

const deliveryPage = z.object({ deliveries: z.array(delivery), hasMore: z.boolean() }).meta({ id: "SubscriptionDeliveries" });

const params = z.object({ id });

export const subscriptions = {
  list: route({
    method: "GET",
    path: "/subscriptions",
    access: "signed-in",
    summary: "What the user gets by email regularly, by name.",
    response: subscriptionList,
  }),
  create: route({
    method: "POST",
    path: "/subscriptions",
    access: "signed-in",
    summary: `Get a board or saved search by email on chosen days. 409 when the user has a subscription of that name, in any case, or ${subscriptionLimits.perUser} of them.`,
    body: subscriptionDraft,
    response: subscription,
    status: 201,
  }),
  edit: route({
    method: "PUT",
    path: "/subscriptions/:id",
    access: "signed-in",
    summary: "Replace the user's own subscription. Nothing is sent a second time on the same day.",
    params,
    body: subscriptionDraft,
    response: subscription,
  }),
  remove: route({
    method: "DELETE",
    path: "/subscriptions/:id",
    access: "signed-in",
    summary: "Delete the user's own subscription with its deliveries.",
    params,
    response: z.undefined(),
  }),
  send: route({
    method: "POST",
    path: "/subscriptions/:id/send",
    access: "signed-in",
    summary: `Send the user's own subscription as soon as possible, whether or not something changed. 429 within ${subscriptionLimits.askSeconds} seconds of the last time.`,
    params,
    response: subscription,
  }),
  deliveries: route({
    method: "GET",
    path: "/subscriptions/:id/deliveries",
    access: "signed-in",
    summary: `The deliveries of the user's own subscription, newest first, ${subscriptionLimits.deliveriesPerPage} at a time.`,
    params,
    query: z.object({
      /** The last delivery of the previous page. */
      before: z
        .string()
        .regex(/^[1-9]\d{0,17}$/)
        .optional(),
    }),
    response: deliveryPage,
  }),
};

const ending = {
  path: "/subscriptions/ending",
  access: "public",
  /** As the link of a message has it. */
  query: z.object({ token: z.string().max(2_000) }),
  response: z.string(),
  streamed: true,
  mediaTypes: ["text/html"],
  hiddenParams: ["token"],
} as const;

/** For whoever has a message: ends its subscription without signing in. */
export const subscriptionEnding = {
  page: route({
    ...ending,
    method: "GET",
    summary: "A page with one button, which ends the subscription that a message was sent for. Opening it changes nothing.",
  }),
  end: route({
    ...ending,
    method: "POST",
    summary: "End the subscription that a message was sent for, as the page's button and mail programs do. Ending it twice is no error.",
    rawBody: true,
  }),
};
