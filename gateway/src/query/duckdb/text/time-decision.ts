import type { ColumnType } from "@fairway/contract/columns";
import { type Alternative, type ColumnDecision, type Facts, decision, found, isDominant, sumOf, text, timeForm } from "./column-facts.ts";
import type { ShapeGroup } from "./evidence.ts";
import { plainText, timeFormat, timeType } from "./text-reading.ts";
import { ordersOf } from "./time-forms.ts";

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
  const swapped = form.days.map((format) => {
    const both = ordersOf(format);
    return both === null ? format : both["day-first"] === format ? both["month-first"] : both["day-first"];
  });
  const lost = orders[0]?.order === "day-first" ? column.orders?.firstAbove12 : column.orders?.secondAbove12;
  const other: Alternative[] =
    orders.length === 0
      ? []
      : [
          {
            type,
            format: timeFormat({ ...form, days: swapped }),
            label: orders[0]?.order === "day-first" ? "month first" : "day first",
            unreadable: lost ?? 0,
          },
        ];
  const isLocal = form.hasClock && times.some(({ time }) => time?.hasOffset !== true);
  const sentences = [
    `${form.hasClock ? "Times" : "Days"}, written as ${form.days.map(shownFormat).join(" or ")}.`,
    ...(isOrderAssumed
      ? [`${orders[0]?.order === "day-first" ? "The day" : "The month"} is taken to stand first: no value says which one does.`]
      : []),
    ...(isOrderWrong ? ["Some values contradict the order of day and month."] : []),
    ...(hasYears ? [`Years of two digits are taken as ${source.century.replace("-", " to ")}.`] : []),
    ...(isLocal ? [`Times without an offset are taken as ${source.zone}.`] : []),
    ...(form.days.includes("YMD") && mayBeDays ? ["Eight digits are taken as a day because of the name."] : []),
  ];
  return decision(facts, good, {
    type,
    format: timeFormat(form),
    day: duckType === "DATE",
    reading: { ...plainText, number: found(facts).number, time: form, duckType },
    sentence: sentences.join(" "),
    also: [...other, text],
    isOpen: { years: hasYears, order: isOrderOpen, mark: false },
    state:
      isOrderAssumed || (hasYears && source.isCenturyAssumed) || (isLocal && source.zone === "UTC") || form.days.includes("YMD")
        ? "assumed"
        : "sure",
  });
}

/** `D.M.Y` as people know it. */
const shownFormat = (format: string): string =>
  format === "ISO"
    ? "YYYY-MM-DD"
    : format
        .replace("Y", "YYYY")
        .replace("y", "YY")
        .replace(/D/, "DD")
        .replace(/M(?!on)/, "MM")
        .replace("Mon", "month");

const isYmd = ({ least, greatest }: ShapeGroup): boolean =>
  [least, greatest].every((value) => /^(?:18|19|20|21)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])/.test(value));

function decideEpoch(facts: Facts): ColumnDecision | undefined {
  const { column, counted, filled, missing, source } = facts;
  if (!timeName.test(column.name)) return undefined;
  const values = counted.filter(({ isMissing }) => !isMissing);
  const isWithin = (digits: number, from: number, to: number) =>
    values.every(({ group }) => group.shape === "9".repeat(digits) && Number(group.least) >= from && Number(group.greatest) < to);
  const unit = isWithin(10, 1e9, 5e9) ? "seconds" : isWithin(13, 1e12, 5e12) ? "milliseconds" : undefined;
  if (unit === undefined) return undefined;
  const type = unit === "seconds" ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS";
  const number = { mark: source.mark, unit: null, exact: null };
  return decision(facts, filled - missing, {
    type,
    format: `epoch-${unit}`,
    reading: { ...plainText, number, duckType: "BIGINT" },
    sentence: `Times in ${unit} since 1970, by the name and the range.`,
    also: [{ type: "integer", format: null, label: "integer", unreadable: 0 }, text],
    state: "assumed",
  });
}
