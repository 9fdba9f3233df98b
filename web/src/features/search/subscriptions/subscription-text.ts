import { formatList } from "@fairway/contract/counts";
import type { SendingTimes, Subscription, SubscriptionDelivery } from "@fairway/contract/subscriptions";

/** From Monday on, whose number is 1. */
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** `08:05`. */
export const clockText = ({ hour, minute }: Pick<SendingTimes, "hour" | "minute">): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** `every day`, `Monday to Friday`, `Monday and Thursday`. */
export function daysText(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((one, other) => one - other);
  const [first = 1, last = 7] = [days[0], days.at(-1)];
  const nameOf = (day: number) => dayNames[day - 1] ?? "";
  if (days.length === dayNames.length) return "every day";
  if (days.length > 2 && last - first === days.length - 1) return `${nameOf(first)} to ${nameOf(last)}`;
  return formatList(days.map(nameOf));
}

/** One sentence on what a subscription sends and when. */
export function subscriptionSentence({ of, ofName, at, onlyIfChanged, withRows }: Subscription): string {
  const noun = of.boardId === undefined ? "Saved search" : "Board";
  const more = [...(onlyIfChanged ? ["only if something changed"] : []), ...(withRows ? ["with its rows"] : [])];
  const times = `${daysText(at.weekdays)} at ${clockText(at)} (${at.zone})`;
  return [`${noun}${ofName === null ? "" : ` “${ofName}”`}: ${times}`, ...more].join(", ");
}

const kindText: Readonly<Record<SubscriptionDelivery["kind"], string>> = {
  sent: "Sent",
  unchanged: "Nothing had changed",
  failed: "Not sent",
  unsure: "May have arrived",
  missed: "Missed",
};

/** Result of a delivery, and what is to be known of it. */
export function deliveryText({ kind, isAsked, notReady, reason }: SubscriptionDelivery): { title: string; details: string } {
  const missing = notReady.length === 0 ? [] : [`Not ready in time: ${notReady.join(", ")}.`];
  return { title: isAsked ? `${kindText[kind]}, as you asked` : kindText[kind], details: [reason, ...missing].filter(Boolean).join(" ") };
}
