import type { ColumnType } from "@fairway/contract/columns";
import type { DateOrder } from "@fairway/contract/readings";
import { parseTimeFormat } from "./text-reading.ts";
import { ordersOf, separatorOf } from "./time-forms.ts";

/** A way to read a column, as its users know it: `date, day first (05/03/2024 is March 5)`. */
export function wayLabel(type: ColumnType, format: string | null): string {
  switch (type) {
    case "STRING":
      return "text";
    case "BOOLEAN":
      return format === null || format === "true/false" ? "true or false" : `true or false (${format.replace("/", " or ")})`;
    case "integer":
      return format === null ? "whole number" : `whole number (${format === "," ? "1.234" : "1,234"} is 1234)`;
    case "decimal":
      return format === "," ? "number with a decimal comma (1,5)" : "number";
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return timeLabel(format);
    default:
      return type satisfies never;
  }
}

/** The same within a sentence: `a whole number`. */
export const wayInSentence = (type: ColumnType, format: string | null): string =>
  `${type === "STRING" || type === "BOOLEAN" ? "" : "a "}${wayLabel(type, format)}`;

/** The same moment in both, as people write it and as a number. */
const epochExamples: Readonly<Record<string, string>> = { seconds: "1700000000", milliseconds: "1700000000000" };

function timeLabel(format: string | null): string {
  if (format === null) return "time";
  if (format.startsWith("epoch-")) {
    const unit = format.slice("epoch-".length);
    return `time in ${unit} since 1970 (${epochExamples[unit] ?? ""} is November 14, 2023)`;
  }
  const form = parseTimeFormat(format);
  if (form === undefined) return format;
  const noun = form.hasClock ? "date and time" : "date";
  const ordered = form.days.find((day) => ordersOf(day) !== null);
  if (ordered !== undefined) {
    const isDayFirst = orderOf(ordered) === "day-first";
    return `${noun}, ${isDayFirst ? "day" : "month"} first (${exampleOf(ordered)} is ${isDayFirst ? "March 5" : "May 3"})`;
  }
  const examples = form.days.slice(0, 2).map((day) => exampleOf(day) + (!form.hasClock ? "" : day === "YMD" ? "T1430" : " 14:30"));
  return `${noun} (${examples.join(" or ")}${form.days.includes("YMD") ? " is March 5, 2024" : ""})`;
}

/** March 5, 2024, or with the same digits May 3. */
function exampleOf(format: string): string {
  if (format === "ISO") return "2024-03-05";
  if (ordersOf(format) !== null) {
    const separator = separatorOf(format);
    return ["05", "03", format.endsWith("Y") ? "2024" : "24"].join(separator);
  }
  if (format.includes("Mon")) {
    const year = format.endsWith("Y") ? "2024" : "24";
    return format.startsWith("Mon") ? `Mar 5, ${year}` : `5 Mar ${year}`;
  }
  return format.replace("Y", "2024").replace("y", "24").replace("M", "03").replace("D", "05");
}

export const orderOf = (format: string): DateOrder => (ordersOf(format)?.["day-first"] === format ? "day-first" : "month-first");

const monthNames = "January February March April May June July August September October November December".split(" ");

/** The day that a text begins with, in words: `March 5, 2024`. Null if its parts are no day. */
export function dayInWords(text: string, format: string): string | null {
  const order = ordersOf(format);
  const found =
    format === "YMD" ? /^([0-9]{4})([0-9]{2})([0-9]{2})/.exec(text) : /^([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})(?![0-9])/.exec(text);
  if (found === null || (order === null && format !== "YMD")) return null;
  const [first, second, third] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [year, month, day] =
    format === "YMD" ? [first, second, third] : order?.["day-first"] === format ? [third, second, first] : [third, first, second];
  const name = monthNames[month - 1];
  return name === undefined || day < 1 || day > 31 ? null : `${name} ${day}, ${year}`;
}

/** A value in a sentence. */
export const quoted = (text: string): string => `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
