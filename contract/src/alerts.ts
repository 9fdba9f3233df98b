import { z } from "zod";
import { breakdownLimits, breakdownMeasure, type BreakdownMeasure } from "./breakdowns.ts";
import { operator, type Operator } from "./columns.ts";
import { formatCount, pluralize } from "./counts.ts";
import { datasetRef } from "./datasets.ts";
import type { MeasureAggregation } from "./measure-text.ts";
import { route } from "./route.ts";
import { savedName } from "./saved-searches.ts";
import { requiredProse, singleLine } from "./text.ts";

export const alertLimits = {
  rows: 1_000_000_000_000,
  percent: 10_000,
  /** A week. */
  everyMinutes: 10_080,
  /** Thirty days. */
  snoozeMinutes: 43_200,
  reasonCharacters: 500,
  checksPerPage: 50,
  /** Between two checks or tests of one alert that its owner asks for. */
  askSeconds: 10,
  webhookUrlCharacters: 2_000,
  /** Groups that one alert watches. */
  groups: 1_000,
  /** Groups that a message names. */
  namedGroups: 10,
} as const;

/** A measure without others that it depends on. */
const watchedMeasure = breakdownMeasure.refine(
  ({ aggregation, of }) => aggregation !== "share" && typeof of !== "object",
  "is computed from other figures, which an alert does not watch",
);

const rowLimit = z.int().max(alertLimits.rows);

/** Condition of an alert, by the rows that its search finds: their number, a figure of them, or the figure of each of their groups. */
export const alertCondition = z
  .discriminatedUnion("kind", [
    /** Rows that were not there at the last check. */
    z.object({ kind: z.literal("new-rows") }),
    z.object({ kind: z.literal("above"), rows: rowLimit.min(0) }),
    z.object({ kind: z.literal("below"), rows: rowLimit.min(1) }),
    /** By at least this share of the number that the last message reported, or the first check found. */
    z.object({ kind: z.literal("changed"), percent: z.number().min(0.1).max(alertLimits.percent) }),
    /** Without rows, or without a value, it does not hold. */
    z.strictObject({ kind: z.literal("measure"), measure: watchedMeasure, operator, value: z.number() }),
    /** Of each value of a column that has so many rows. Rows without a value are no group. */
    z.strictObject({
      kind: z.literal("groups"),
      by: z.string().min(1).max(breakdownLimits.idCharacters),
      measure: watchedMeasure,
      operator,
      value: z.number(),
      /** Default: 1. */
      leastRows: z.int().min(1).max(alertLimits.rows).optional(),
    }),
  ])
  .meta({ id: "AlertCondition" });
export type AlertCondition = z.infer<typeof alertCondition>;

/** `more than 100 rows`. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case "new-rows":
      return "any new row";
    case "above":
      return `more than ${pluralize(condition.rows, "row")}`;
    case "below":
      return `fewer than ${pluralize(condition.rows, "row")}`;
    case "changed":
      return `a change of the number of rows by ${formatCount(condition.percent)}% or more`;
    case "measure":
      return `${figureWords(condition.measure)} ${comparedText(condition)}`;
    case "groups": {
      const least = condition.leastRows ?? 1;
      const rows = least > 1 ? ` with at least ${pluralize(least, "row")}` : "";
      return `any ${condition.by}${rows} with ${figureWords(condition.measure)} ${comparedText(condition)}`;
    }
    default:
      return condition satisfies never;
  }
}

const aggregationWords: Readonly<Record<Exclude<MeasureAggregation, "percentile" | "share" | "rate">, string>> = {
  avg: "an average",
  count: "a count",
  distinct: "a distinct count",
  max: "a maximum",
  median: "a median",
  min: "a minimum",
  stddev: "a standard deviation",
  sum: "a sum",
};

const hasWords = (aggregation: string): aggregation is keyof typeof aggregationWords => aggregation in aggregationWords;

/** `an average of delay`, `a 90th percentile of delay`, `a count of rows`. */
function figureWords({ aggregation, column = "*", p, where = [] }: BreakdownMeasure): string {
  const some = where.length > 0 ? " where its conditions hold" : "";
  if (aggregation === "rate") return `a rate${some}`;
  const percentile = `a ${Number(((p ?? 0) * 100).toPrecision(12))}% percentile`;
  const other = aggregation === "percentile" ? percentile : `a ${aggregation}`;
  return `${hasWords(aggregation) ? aggregationWords[aggregation] : other} of ${column === "*" ? "rows" : column}${some}`;
}

const operatorWords: Readonly<Record<Operator, string>> = {
  "=": "of",
  "<>": "other than",
  "<": "below",
  "<=": "of at most",
  ">": "above",
  ">=": "of at least",
};

const comparedText = (condition: { readonly operator: Operator; readonly value: number }): string =>
  `${operatorWords[condition.operator]} ${condition.value.toLocaleString("en-US", { maximumFractionDigits: 10 })}`;

/** An address without credentials, which a signature makes superfluous. */
const webhookUrl = singleLine(alertLimits.webhookUrlCharacters)
  .refine((text) => z.url({ protocol: /^https?$/ }).safeParse(text).success, "is not an http or https address")
  .refine((text) => !/^[^/]*\/\/[^/?#]*@/.test(text), "must not contain a user name");

/** `every 5 minutes`, `every hour`. */
export function intervalText(everyMinutes: number): string {
  const [amount, unit] =
    everyMinutes % 1_440 === 0
      ? [everyMinutes / 1_440, "day"]
      : everyMinutes % 60 === 0
        ? [everyMinutes / 60, "hour"]
        : [everyMinutes, "minute"];
  return amount === 1 ? `every ${unit}` : `every ${pluralize(amount, unit)}`;
}

export const alertDraft = z
  .object({
    name: savedName,
    /** A saved search that is the user's own or shared with the user. */
    savedSearchId: z.string().max(100),
    condition: alertCondition,
    /** At least the limit `alertLeastMinutes`. */
    everyMinutes: z.int().min(1).max(alertLimits.everyMinutes),
    /** Also notify when the condition no longer holds. Ignored for new rows and changes. */
    tellWhenOver: z.boolean().default(false),
    /** Tell by email, too, at the address of the account. */
    email: z.boolean().default(false),
    /** URL that messages are posted to as well; null for none. */
    webhookUrl: webhookUrl.nullable().default(null),
  })
  .meta({ id: "AlertDraft" });
export type AlertDraft = z.input<typeof alertDraft>;

/**
 * `new`: not checked yet. `firing`: the last check found what the alert waits for. `snoozed`: checked, but without messages.
 * `paused`: not watching, for the reason given.
 */
export const alertState = z.enum(["new", "ok", "firing", "snoozed", "paused"]);
export type AlertState = z.infer<typeof alertState>;

const seen = z.object({
  rows: z.int().nullable(),
  /** Time of the newest row that is not ahead of the clock, for new rows of datasets with a time. */
  newestMs: z.number().nullable(),
});

const alert = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Null once the saved search is deleted, or no longer shared with the user. */
    savedSearch: z.object({ id: z.string(), name: z.string() }).nullable(),
    dataset: datasetRef,
    /** Path of the results within the web app; null if the search is gone or too long for an address. */
    link: z.string().nullable(),
    condition: alertCondition,
    everyMinutes: z.int(),
    tellWhenOver: z.boolean(),
    email: z.boolean(),
    /** Null without one. `dead`: it gets no messages any more, until a test reaches it or the alert is saved. */
    webhook: z
      .object({
        /** For API keys only scheme and host, because the rest may be a secret. */
        url: z.string(),
        state: z.enum(["ok", "failing", "dead"]),
        /** Completes "The webhook …"; empty if the last message arrived. */
        problem: z.string(),
      })
      .nullable(),
    state: alertState,
    /** Who paused it. The portal resumes by itself what it paused; null: it is not paused. */
    pausedBy: z.enum(["owner", "portal", "administrator"]).nullable(),
    /** Why it is paused; empty if it is not, or if its owner paused it. */
    reason: z.string(),
    snoozedUntilMs: z.number().nullable(),
    lastCheckedMs: z.number().nullable(),
    nextCheckMs: z.number().nullable(),
    /** Result of the last check; null before the first, and while its reader sees something else of the dataset. */
    seen: seen.nullable(),
    createdDateMs: z.number(),
  })
  .meta({ id: "Alert" });
export type Alert = z.infer<typeof alert>;

/** With the secret that signs the messages of a new webhook address, which is not shown again; null without a new address. */
const savedAlert = alert.extend({ webhookSecret: z.string().nullable() }).meta({ id: "SavedAlert" });
export type SavedAlert = z.infer<typeof savedAlert>;

const alertList = z
  .object({
    alerts: z.array(alert),
    /** Recipient of emails; null if the portal sends none or the account has no usable address. */
    emailAddress: z.string().nullable(),
    /** Whether the portal sends emails at all. */
    sendsEmail: z.boolean().optional(),
  })
  .meta({ id: "AlertList" });
export type AlertList = z.infer<typeof alertList>;

const alertCheck = z
  .object({
    id: z.string(),
    checkedMs: z.number(),
    kind: z.enum(["ok", "firing", "failed", "paused", "resumed"]),
    /** Null if nothing was counted, and while its reader sees something else of the dataset. */
    seen: seen.extend({ newRows: z.int().nullable() }).nullable(),
    /** Channels that a message was sent through. */
    told: z.array(z.enum(["portal", "email", "webhook"])),
    /** Why it failed or was paused. */
    reason: z.string(),
    /** Time that the search took, waiting included. */
    durationMs: z.int(),
  })
  .meta({ id: "AlertCheck" });
export type AlertCheck = z.infer<typeof alertCheck>;

const alertHistory = z.object({ checks: z.array(alertCheck), hasMore: z.boolean() }).meta({ id: "AlertHistory" });
export type AlertHistory = z.infer<typeof alertHistory>;

const params = z.object({ id: z.string().max(100) });

export const alerts = {
  list: route({
    method: "GET",
    path: "/alerts",
    access: "signed-in",
    summary: "The user's own alerts, by name.",
    response: alertList,
    apiKey: true,
  }),
  create: route({
    method: "POST",
    path: "/alerts",
    access: "signed-in",
    summary: "Create an alert on a saved search. 409 when the user has an alert of that name, in any case, or as many as there can be.",
    body: alertDraft,
    response: savedAlert,
    status: 201,
  }),
  edit: route({
    method: "PUT",
    path: "/alerts/:id",
    access: "signed-in",
    summary: "Replace the user's own alert. Earlier checks are forgotten if its search or condition changes.",
    params,
    body: alertDraft,
    response: savedAlert,
  }),
  remove: route({
    method: "DELETE",
    path: "/alerts/:id",
    access: "signed-in",
    summary: "Delete the user's own alert with its history.",
    params,
    response: z.undefined(),
  }),
  snooze: route({
    method: "PUT",
    path: "/alerts/:id/snooze",
    access: "signed-in",
    summary: "Send no messages for a number of minutes, or send them again with null. What happened in between is reported afterward.",
    params,
    body: z.object({ minutes: z.int().min(1).max(alertLimits.snoozeMinutes).nullable() }).meta({ id: "AlertSnooze" }),
    response: alert,
  }),
  pause: route({
    method: "PUT",
    path: "/alerts/:id/pause",
    access: "signed-in",
    summary: "Stop checking the user's own alert, or resume. 409 when an administrator ended it.",
    params,
    body: z.object({ paused: z.boolean() }).meta({ id: "AlertPause" }),
    response: alert,
  }),
  check: route({
    method: "POST",
    path: "/alerts/:id/check",
    access: "signed-in",
    summary: `Check the user's own alert as soon as possible. 429 within ${alertLimits.askSeconds} seconds of the last check, 409 when it is paused.`,
    params,
    response: alert,
  }),
  test: route({
    method: "POST",
    path: "/alerts/:id/test",
    access: "signed-in",
    summary: `Send a message of the user's own alert as a test, and wait for its webhook. 429 within ${alertLimits.askSeconds} seconds of the last one.`,
    params,
    response: z
      .object({
        /** Completes "The webhook …"; null if it took the message, or without one. */
        webhookProblem: z.string().nullable(),
      })
      .meta({ id: "AlertTest" }),
  }),
  history: route({
    method: "GET",
    path: "/alerts/:id/history",
    access: "signed-in",
    summary: `The checks of the user's own alert, newest first, ${alertLimits.checksPerPage} at a time.`,
    params,
    query: z.object({
      /** The last check of the previous page. */
      before: z
        .string()
        .regex(/^[1-9]\d{0,17}$/)
        .optional(),
      /** `true`: only those that found another state than the one before, failed, or sent a message. */
      changes: z.enum(["true", "false"]).default("false"),
    }),
    response: alertHistory,
    apiKey: true,
  }),
};

const ownedAlert = z
  .object({
    id: z.string(),
    name: z.string(),
    owner: z.object({ id: z.string(), username: z.string(), locked: z.boolean() }),
    dataset: datasetRef,
    condition: alertCondition,
    everyMinutes: z.int(),
    state: alertState,
    reason: z.string(),
    /** Whether an administrator ended it. */
    isEnded: z.boolean(),
    lastCheckedMs: z.number().nullable(),
    /** Of the last 24 hours. */
    checks: z.int(),
    failed: z.int(),
    /** Time that these checks took together, waiting for the engine included. */
    durationMs: z.number(),
  })
  .meta({ id: "OwnedAlert" });
export type OwnedAlert = z.infer<typeof ownedAlert>;

const ownedAlertList = z
  .object({
    /** Those that took longest first, at most 1,000. */
    alerts: z.array(ownedAlert),
    /** Of all users together, also of those that are not listed. */
    total: z.int(),
    /** Of the last 24 hours. */
    checks: z.int(),
    durationMs: z.number(),
  })
  .meta({ id: "OwnedAlertList" });
export type OwnedAlertList = z.infer<typeof ownedAlertList>;

export const alertAdministration = {
  list: route({
    method: "GET",
    path: "/admin/alerts",
    access: { role: "admin" },
    summary: "The alerts of all users, and what their checks of the last 24 hours took.",
    response: ownedAlertList,
  }),
  end: route({
    method: "PUT",
    path: "/admin/alerts/:id/end",
    access: { role: "admin" },
    summary: "Stop any user's alert for good and tell its owner why. 409 when it is ended already.",
    params,
    body: z.object({ reason: requiredProse(alertLimits.reasonCharacters) }).meta({ id: "AlertEnd" }),
    response: z.undefined(),
  }),
};
