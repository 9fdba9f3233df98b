import { z } from "zod";
import { client } from "./clients.ts";
import { isoUtc } from "./iso-utc.ts";
import { route } from "./route.ts";
import { prose } from "./text.ts";

/** Events per page. */
export const auditPageSize = 50;

/** Above this, the number of events that match a filter is reported as a lower bound. */
export const auditMaxExactTotal = 100_000;

const optionalText = (max: number) =>
  prose(max)
    .transform((text) => (text === "" ? undefined : text))
    .optional();

const wholeNumber = (pattern: RegExp, message: string) => z.string().regex(pattern, message).transform(Number);
const isOrdered = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || Date.parse(from) <= Date.parse(to);

/** Filters of the audit log; all of them have to match. An empty text matches everything. */
const auditFilters = z.object({
  username: optionalText(200),
  responseCode: z
    .union([z.literal("").transform(() => undefined), wholeNumber(/^[1-5]\d\d$/, "is not a response code")], "is not a response code")
    .optional(),
  method: z
    .union(
      [z.literal("").transform(() => undefined), z.enum(["GET", "HEAD", "POST", "PUT", "DELETE"])],
      "is not GET, HEAD, POST, PUT or DELETE",
    )
    .optional(),
  /** A part of the path, ignoring case. */
  path: optionalText(500),
  /** Both ends are inclusive. */
  from: isoUtc.optional(),
  to: isoUtc.optional(),
  /** Leaves out successful reads that pages make by themselves, such as looking for new notices. */
  hideBackground: z
    .enum(["true", "false"])
    .transform((value) => (value === "true" ? true : undefined))
    .optional(),
});
export type AuditFilters = z.output<typeof auditFilters>;

export const auditEvent = z
  .object({
    id: z.string(),
    responseCode: z.int(),
    method: z.string(),
    /** Decoded and without the query. Parameters that grant access by themselves are removed. */
    path: z.string(),
    /** Empty for a sign-in with an unknown username: people sometimes type passwords into that field. */
    username: z.string(),
    /** When the call arrived. */
    requestTimeMs: z.number(),
    ipAddress: z.string(),
    client,
    details: z.object({
      durationMs: z.int(),
      /** The user's id at the time; null if the user is unknown. */
      userId: z.string().nullable(),
      /** Name, at the time, of the API key that the user called with; null = none. */
      apiKey: z.string().nullable(),
      /** Path of the route as in the API reference, such as `/datasets/:category/:datasetId`. */
      route: z.string(),
      userAgent: z.string(),
      /** The subject of the call, such as the name of a dataset that is shared and the number of its shares. Never values. */
      note: z.string().optional(),
      /**
       * Whatever there is and was withheld from the caller, who got the answer of something that does not exist: `dataset`, `no rows`, or
       * a column such as `column salary`; at most five.
       */
      denied: z.array(z.string()).optional(),
    }),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.infer<typeof auditEvent>;

const auditPage = z
  .object({
    /** Newest first. */
    content: z.array(auditEvent),
    /** Zero-based, unlike in the query. */
    pageable: z.object({ pageNumber: z.int(), pageSize: z.int() }),
    last: z.boolean(),
    totalElements: z.int(),
    /** True if a filter matches more than `totalElements` events. */
    totalIsLowerBound: z.boolean(),
  })
  .meta({ id: "AuditPage" });
export type AuditPage = z.infer<typeof auditPage>;

const admin = { role: "admin" } as const;

/** Every authorized call and every sign-in attempt, for administrators. */
export const auditing = {
  events: route({
    method: "GET",
    path: "/auditing/events",
    access: admin,
    summary: "A page of 50 audit events, newest first. Give `to` with the first page, so that later events do not shift the pages.",
    query: auditFilters
      .extend({ pageNumber: wholeNumber(/^[1-9]\d{0,6}$/, "is not a page number, counted from one").default(1) })
      .refine(isOrdered, { path: ["from"], message: "is after 'to'" }),
    response: auditPage,
  }),
  event: route({
    method: "GET",
    path: "/auditing/events/:id",
    access: admin,
    summary: "One audit event.",
    params: z.object({ id: z.string().max(30) }),
    response: auditEvent,
  }),
  usernames: route({
    method: "GET",
    path: "/auditing/usernames",
    access: admin,
    summary: "The usernames in the audit log, sorted.",
    response: z.array(z.string()),
  }),
  responseCodes: route({
    method: "GET",
    path: "/auditing/responseCodes",
    access: admin,
    summary: "The response codes in the audit log, ascending.",
    response: z.array(z.int()),
  }),
  export: route({
    method: "GET",
    path: "/auditing/export",
    access: admin,
    summary:
      "All audit events that match, newest first, as text/csv or application/json; the file's name ends in -cut if it does not contain all.",
    query: auditFilters
      .extend({ format: z.enum(["csv", "json"]).default("csv") })
      .refine(isOrdered, { path: ["from"], message: "is after 'to'" }),
    response: z.string(),
    streamed: true,
    mediaTypes: ["text/csv", "application/json"],
    cookie: true,
  }),
};
