import { type AlertCondition, alertLimits, conditionText } from "@fairway/contract/alerts";
import type { Operator } from "@fairway/contract/columns";
import { formatCount, manyOf, pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { NewNotification } from "#personal/notify.ts";
import type { AlertMessage } from "./judge.ts";

export const alertsLink = "/alerts";

/** Text of a message to the owner of an alert. */
export interface AlertText {
  readonly title: string;
  readonly text: string;
}

/** A message for the owner of an alert, by email at once or not at all. */
export const notificationOf = ({ email }: { readonly email: boolean }, text: AlertText, link = alertsLink): NewNotification => ({
  ...text,
  link,
  email: email ? "at-once" : "never",
});

interface Named {
  readonly name: string;
  readonly condition: AlertCondition;
  readonly dataset: DatasetRef;
  readonly savedSearch: string;
}

export function textOf(message: AlertMessage, { name, condition, dataset, savedSearch }: Named): AlertText {
  const origin = `in the dataset ${dataset.datasetId}, by the saved search “${savedSearch}”`;
  switch (message.kind) {
    case "new-rows":
      return { title: `${name}: ${pluralize(message.newRows, "new row")}`, text: `Found ${origin}.` };
    case "rows":
      return {
        title: `${name}: ${pluralize(message.rows, "row")}`,
        text: `Found ${origin}. You asked to be notified of ${conditionText(condition)}.`,
      };
    case "changed":
      return { title: `${name}: ${pluralize(message.rows, "row")}, ${changeText(message)}`, text: `Found ${origin}.` };
    case "over":
      return {
        title: `${name}: back to ${pluralize(message.rows, "row")}`,
        text: `Found ${origin}. ${capitalized(conditionText(condition))}: no longer.`,
      };
    case "figure":
      return {
        title: `${name}: ${figureText(message.value, message.unit)}`,
        text: `Found ${origin}. You asked to be notified of ${conditionText(condition)}.`,
      };
    case "figure-over": {
      const now = message.value === null ? "no value any more" : `back to ${figureText(message.value, message.unit)}`;
      return { title: `${name}: ${now}`, text: `Found ${origin}. ${capitalized(conditionText(condition))}: no longer.` };
    }
    case "groups":
      return {
        title: `${name}: ${groupsTitle(message, condition)}`,
        text: `Found ${origin}. You asked to be notified of ${conditionText(condition)}.`,
      };
    default:
      return message satisfies never;
  }
}

const figureText = (value: number, unit: string | null): string => {
  const text = value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return unit === null ? text : unit === "%" ? `${text}%` : `${text} ${unit}`;
};

const limitWords: Readonly<Record<Operator, string>> = {
  "=": "at",
  "<>": "not at",
  "<": "below",
  "<=": "at most at",
  ">": "above",
  ">=": "at or above",
};

/** `3 origins above 15 min: SBP 22.0, MRY 18.3, FAT 15.6`, with the furthest of many. */
function groupsTitle({ groups, unit }: Extract<AlertMessage, { kind: "groups" }>, condition: AlertCondition): string {
  if (condition.kind !== "groups") return pluralize(groups.length, "group");
  const digits = groups.every(({ value }) => Number.isInteger(value)) ? 0 : 1;
  const figures = new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const named = groups.slice(0, alertLimits.namedGroups).map((group) => `${shortened(group.name)} ${figures.format(group.value)}`);
  const more = groups.length - named.length;
  const many = manyOf(condition.by);
  const one = many.startsWith("values of ") ? `value of ${condition.by}` : condition.by;
  const others = more === 0 ? "" : ` and ${formatCount(more)} more`;
  const limit = figureText(condition.value, unit);
  return `${pluralize(groups.length, one, many)} ${limitWords[condition.operator]} ${limit}: ${named.join(", ")}${others}`;
}

const nameCharacters = 40;
const shortened = (name: string): string => (name.length > nameCharacters ? `${name.slice(0, nameCharacters)}…` : name);

/** `30% more than 100`; without a share where there was none before. */
function changeText({ rows, before }: { readonly rows: number; readonly before: number }): string {
  if (before === 0) return "after none";
  const percent = Math.round((Math.abs(rows - before) / before) * 1_000) / 10;
  return `${formatCount(percent)}% ${rows > before ? "more" : "fewer"} than ${formatCount(before)}`;
}

export const pausedText = (name: string, reason: string): AlertText => ({
  title: `${name} is paused`,
  text: `${reason} The alert resumes as soon as it can.`,
});

export const deadWebhookText = (name: string, problem: string): AlertText => ({
  title: `${name}: no more messages are sent to its webhook`,
  text: `The webhook ${problem}. To use it again, send a test or save the alert.`,
});

export const endedText = (name: string, reason: string): AlertText => ({ title: `${name} was ended by an administrator`, text: reason });

export const resumedText = (name: string): AlertText => ({ title: `${name} is active again`, text: "" });

export const testText = (name: string): AlertText => ({ title: `${name}: this is a test`, text: "Messages from this alert reach you." });

export interface WebhookEvent {
  readonly type: "alert.firing" | "alert.over" | "alert.paused" | "alert.resumed" | "alert.test";
  readonly alert: { readonly id: string; readonly name: string };
  readonly text: AlertText;
  /** Path within the web app. */
  readonly link: string;
  /** Numbers that the check found. */
  readonly found?: { readonly dataset: DatasetRef; readonly rows: number | null; readonly newRows: number | null };
}

/** The JSON that a webhook gets, as Standard Webhooks shapes it. Without the portal's address, links are paths. */
export const webhookBody = ({ type, alert, text, link, found }: WebhookEvent, nowMs: number, publicUrl: string | undefined): string =>
  JSON.stringify({
    type,
    timestamp: new Date(nowMs).toISOString(),
    data: { alert, ...text, link: (publicUrl ?? "") + link, ...(found === undefined ? {} : found) },
  });

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
