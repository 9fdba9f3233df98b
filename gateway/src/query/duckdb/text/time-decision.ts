import type { ColumnType } from "@fairway/contract/columns";
import {
  type Alternative,
  type ColumnDecision,
  type Counted,
  type Facts,
  type FoundOrder,
  decision,
  found,
  isDominant,
  sumOf,
  text,
  timeForm,
} from "./column-facts.ts";
import type { ShapeGroup } from "./evidence.ts";
import { epochs, isEpoch } from "./text-decision.ts";
import { plainText, timeFormat, timeType } from "./text-reading.ts";
import { ordersOf } from "./time-forms.ts";
import { dayInWords, orderOf, quoted, wayLabel } from "./way-words.ts";

const timeName = /(^|_)(time|times?tamp|datetime|date|epoch|ts|at|observed|created|updated|when)(_|$)|(time|date|timestamp)$/i;
const dayName = /(^|_)(date|day|datum|tag|dt|ymd)(_|$)|(date|datum|day)$/i;

export function decideTime(facts: Facts): ColumnDecision | undefined {
  const { column, counted, filled, missing, source } = facts;
  // Eight digits are a day only where the name and all values say so.
  const mayBeDays =
    dayName.test(column.name) && counted.every(({ time, group, isMissing }) => isMissing || time?.format !== "YMD" || isYmd(group));
  const times = counted.filter(({ time }) => time !== undefined && (time.format !== "YMD" || time.hasClock || mayBeDays));
  const good = sumOf(times);
  if (!isDominant(good, filled, missing)) return decideEpoch(facts);
  const form = timeForm(times, source);
  const orders = form.days.flatMap((format) => (ordersOf(format) === null ? [] : [{ format, ...source.orderOf(format) }]));
  const isOrderOpen = orders.some(({ isOpen }) => isOpen);
  const isOrderAssumed = orders.some(({ isAssumed }) => isAssumed);
  const hasYears = form.days.some((format) => format.includes("y"));
  const duckType = timeType(form);
  const type: ColumnType = duckType === "DATE" ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS";
  const isOrderWrong = (column.orders?.firstAbove12 ?? 0) > 0 && (column.orders?.secondAbove12 ?? 0) > 0;
  const isProven = (column.orders?.firstAbove12 ?? 0) + (column.orders?.secondAbove12 ?? 0) > 0;
  const lost = orders[0]?.order === "day-first" ? column.orders?.firstAbove12 : column.orders?.secondAbove12;
  const isLocal = form.hasClock && times.some(({ time }) => time?.hasOffset !== true);
  const isCompact = form.days.includes("YMD") && mayBeDays;
  const sentences = [
    `${form.hasClock ? "Dates and times" : "Dates"}, such as ${examplesOf(times)}.`,
    ...orders.slice(0, 1).map((order) => orderSentence(order, times, isProven)),
    ...(isOrderWrong ? ["Some values contradict that order."] : []),
    ...(hasYears ? [`Years of two digits are taken as ${source.century.replace("-", " to ")}.`] : []),
    ...(isLocal ? [`${form.hasOffset ? "Those that name no zone" : "They name no zone and"} are taken as ${source.zone}.`] : []),
    ...(isCompact ? [`Eight digits are taken as a date because of the name${compactExample(times)}.`] : []),
  ];
  return decision(facts, good, {
    type,
    format: timeFormat(form),
    day: duckType === "DATE",
    reading: { ...plainText, number: found(facts).number, time: form, duckType },
    sentence: sentences.join(" "),
    // The other order is offered unless most values contradict it.
    also: [...((lost ?? 0) * 2 > good ? [] : swappedOrder(type, form, lost ?? 0)), text],
    isOpen: { years: hasYears, order: isOrderOpen, mark: false },
    hasOffsets: form.hasClock && !isLocal,
    hasFineTimes: times.some(({ group }) => /:99[.,]9{4,9}/.test(group.shape)),
    state:
      isOrderAssumed || (hasYears && source.isCenturyAssumed) || (isLocal && source.zone === "UTC") || form.days.includes("YMD")
        ? "assumed"
        : "sure",
  });
}

/** The most frequent ways of writing, each by one of its values. */
function examplesOf(times: readonly Counted[]): string {
  const wayOf = ({ time }: Counted) => `${time?.format} ${time?.hasClock}`;
  const first = times.filter((one, index) => times.findIndex((other) => wayOf(other) === wayOf(one)) === index);
  return first
    .slice(0, 2)
    .map(({ group }) => quoted(group.least))
    .join(" and ");
}

/** Whether the day or the month stands first, a value read that way, and the reason. */
function orderSentence(
  { format, isAssumed, isOpen }: FoundOrder & { readonly format: string },
  times: readonly Counted[],
  isProven: boolean,
): string {
  const values = times
    .filter(({ time }) => time !== undefined && ordersOf(time.format) !== null)
    .flatMap(({ group }) => [group.least, group.greatest]);
  // 01/01/2024 shows nothing.
  const isTelling = (value: string) => !/^([0-9]+)[./-]\1[./-]/.test(value.replaceAll(/(^|[./-])0/g, "$1"));
  const examples = [...values.filter(isTelling), ...values].flatMap((value) => {
    const words = dayInWords(value, format);
    return words === null ? [] : [`${quoted(value)} is ${words}`];
  });
  const part = orderOf(format) === "day-first" ? "day" : "month";
  const what = isAssumed
    ? `The ${part} is taken to stand first, though no value shows which one does`
    : `The ${part} stands first${isProven || isOpen ? "" : ", as another column shows"}`;
  return `${what}${examples[0] === undefined ? "" : `: ${examples[0]}`}.`;
}

function compactExample(times: readonly Counted[]): string {
  const value = times.find(({ time }) => time?.format === "YMD")?.group.least ?? "";
  const words = dayInWords(value, "YMD");
  return words === null ? "" : `: ${quoted(value)} is ${words}`;
}

/** The same with days and months the other way round. */
function swappedOrder(type: ColumnType, form: ReturnType<typeof timeForm>, unreadable: number): Alternative[] {
  if (form.days.every((format) => ordersOf(format) === null)) return [];
  const days = form.days.map((format) => ordersOf(format)?.[orderOf(format) === "day-first" ? "month-first" : "day-first"] ?? format);
  const format = timeFormat({ ...form, days });
  return [{ type, format, label: wayLabel(type, format), unreadable }];
}

const isYmd = ({ least, greatest }: ShapeGroup): boolean =>
  [least, greatest].every((value) => /^(?:18|19|20|21)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])/.test(value));

function decideEpoch(facts: Facts): ColumnDecision | undefined {
  const { column, counted, filled, missing, source } = facts;
  if (!timeName.test(column.name)) return undefined;
  const values = counted.filter(({ isMissing }) => !isMissing);
  const found = epochs.find((epoch) => values.every(({ group }) => isEpoch(group, epoch)));
  if (found === undefined) return undefined;
  const { unit, type } = found;
  const least = values[0]?.group.least ?? "";
  const moment = new Date(Number(least) * (unit === "seconds" ? 1_000 : 1));
  const day = moment.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  const number = { mark: source.mark, unit: null, exact: null };
  return decision(facts, filled - missing, {
    type,
    format: `epoch-${unit}`,
    reading: { ...plainText, number, duckType: "BIGINT" },
    sentence: `Taken as times in ${unit} since 1970 because of the name and the size: ${quoted(least)} is ${day}.`,
    also: [{ type: "integer", format: null, label: wayLabel("integer", null), unreadable: 0 }, text],
    state: "assumed",
  });
}
