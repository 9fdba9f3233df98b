import { calendarWords } from "./filter-calendar.ts";
import { calendarRanges } from "./filter-limits.ts";
import type { CalendarFilter, CalendarPart } from "./filters.ts";

const parts = Object.entries(calendarWords) as [CalendarPart, (typeof calendarWords)[CalendarPart]][];

/** Texts that may be typed after `when`. */
const calendarExamples = "Saturday, Sunday · May · hour 17, 18 · minute, day, week or quarter with numbers";

const zoneSuffix = /\sin\s+([A-Za-z][\w+\-/]*)$/;
const partStart = /^(minute|hour|weekday|day|week|month|quarter)s?(?![\p{L}\p{N}_])\s*/iu;

/** Whether a text begins like a member of the calendar: a number, a part or a name. */
export const beginsCalendar = (text: string): boolean =>
  /^\d/.test(text) || partStart.test(text) || memberByName(/^\p{L}+/u.exec(text)?.[0] ?? "") !== undefined;

/** Reads `Saturday, Sunday`, `hour 17, 18` or `May in Europe/Berlin`. Without a zone, UTC. */
export function readCalendar(text: string): { readonly value: CalendarFilter["value"] } | { readonly problem: string } {
  const zone = zoneSuffix.exec(text);
  const members = (zone ? text.slice(0, zone.index) : text).trim();
  const start = partStart.exec(members);
  const named = start && parts.find(([, { word }]) => word === start[1]?.toLowerCase());
  const items = members
    .slice(start ? start[0].length : 0)
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const read = items.map((item) => ({ item, ...memberOf(item, named?.[0]) }));
  const part = named?.[0] ?? read[0]?.part;
  const wrong = read.find((one) => one.number === undefined || one.part !== part);
  if (part === undefined || wrong || items.length === 0) {
    if (wrong && named) {
      const [first, last] = calendarRanges[named[0]];
      return { problem: `'${wrong.item}' is not a ${named[1].word}: they go from ${first} to ${last}.` };
    }
    return { problem: `${wrong ? `'${wrong.item}' can't follow "when".` : `Add what it is to be after "when".`} Try ${calendarExamples}.` };
  }
  return { value: { part, zone: zone?.[1] ?? "UTC", in: read.flatMap(({ number }) => number ?? []) } };
}

function memberOf(item: string, part: CalendarPart | undefined): { part?: CalendarPart; number?: number } {
  if (!/^\d{1,2}$/.test(item)) return memberByName(item, part) ?? {};
  if (part === undefined) return {};
  const number = Number(item);
  const [first, last] = calendarRanges[part];
  return number >= first && number <= last ? { part, number } : {};
}

/** A day or month by its name or the first three letters of it. */
function memberByName(text: string, only?: CalendarPart): { part: CalendarPart; number: number } | undefined {
  const typed = text.toLowerCase();
  if (typed.length < 3) return undefined;
  for (const [part, { names = [] }] of parts) {
    const index = names.findIndex((name) => name.toLowerCase().startsWith(typed));
    if (index >= 0 && (only === undefined || only === part)) return { part, number: calendarRanges[part][0] + index };
  }
  return undefined;
}
