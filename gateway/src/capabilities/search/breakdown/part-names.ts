import type { TimePart } from "@fairway/contract/breakdowns";
import { calendarWords } from "@fairway/contract/filter-calendar";

const twoDigits = (number: number): string => String(number).padStart(2, "0");

const names: Readonly<Record<TimePart, (number: number) => string>> = {
  minuteOfHour: (minute) => `:${twoDigits(minute)}`,
  hourOfDay: (hour) => `${twoDigits(hour)}:00`,
  dayOfWeek: (day) => calendarWords.dayOfWeek.names?.[day - 1] ?? String(day),
  dayOfMonth: (day) => String(day),
  weekOfYear: (week) => `Week ${week}`,
  monthOfYear: (month) => calendarWords.monthOfYear.names?.[month - 1] ?? String(month),
  quarterOfYear: (quarter) => `Q${quarter}`,
};

/** The name of a member of a part of time, such as `Monday`, `17:00`, `:05`, `Week 7` or `Q2`. */
export const partName = (part: TimePart, number: number): string => names[part](number);
