import { calendarRanges } from "./filter-limits.ts";
import type { CalendarFilter, CalendarPart } from "./filters.ts";

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** How a part of the calendar is typed, and the names of its members that have some. */
interface CalendarWords {
  readonly word: string;
  readonly names?: readonly string[];
}

/** Days of the week count from Monday, weeks as ISO 8601 counts them. */
export const calendarWords: Readonly<Record<CalendarPart, CalendarWords>> = {
  minuteOfHour: { word: "minute" },
  hourOfDay: { word: "hour" },
  dayOfWeek: { word: "weekday", names: dayNames },
  dayOfMonth: { word: "day" },
  weekOfYear: { word: "week" },
  monthOfYear: { word: "month", names: monthNames },
  quarterOfYear: { word: "quarter" },
};
/** A part of the calendar as it is typed. */
export function calendarText({ part, zone, in: numbers }: CalendarFilter["value"]): string {
  const { word, names } = calendarWords[part];
  const [first] = calendarRanges[part];
  const members = numbers.map((number) => names?.[number - first] ?? String(number)).join(", ");
  return `${names ? "" : `${word} `}${members}${zone === "UTC" ? "" : ` in ${zone}`}`;
}
