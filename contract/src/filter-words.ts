import { type Operator, operator } from "./columns.ts";
import { type CalendarFilter, type CalendarPart, calendarRanges, type PlainFilter } from "./filters.ts";

/** The operators of one condition. */
export type PlainOperator = PlainFilter["operator"];
/** Those that are words. */
export type WordOperator = Exclude<PlainOperator, Operator>;

/** An operator where it stands in a text. */
export interface FoundOperator {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly operator: PlainOperator;
  /** It is `is empty` or `is not empty`, which takes no value. */
  readonly isEmpty: boolean;
}

/** How each sign may be typed. */
const spellings: Readonly<Record<Operator, readonly string[]>> = {
  "=": ["=", "=="],
  "<>": ["<>", "!=", "≠"],
  "<": ["<"],
  "<=": ["<=", "≤"],
  ">": [">"],
  ">=": [">=", "≥"],
};
/** The longest first: `<=` also begins with `<`. */
const signs = operator.options
  .flatMap((one) => spellings[one].map((spelling) => ({ operator: one, spelling })))
  .toSorted((one, other) => other.spelling.length - one.spelling.length);
const signCharacters = new Set(signs.flatMap(({ spelling }) => Array.from(spelling)));

/** Whether a sign begins with this character. */
export const isSignCharacter = (character: string): boolean => signCharacters.has(character);

const emptyText = /is\s+(not\s+)?empty(?![\p{L}\p{N}_])/iuy;
const wordText = /(not\s+)?(in|between|contains|starts\s+with|when)(?![\p{L}\p{N}_])/iuy;
const words: Readonly<Record<string, readonly [plain: WordOperator, negative: WordOperator]>> = {
  in: ["in", "not in"],
  between: ["between", "not between"],
  contains: ["contains", "not contains"],
  "starts with": ["starts with", "not starts with"],
  when: ["when", "not when"],
};

/** The operator that begins at a place of a text; null where none does. */
export function operatorAt(text: string, from: number): FoundOperator | null {
  const sign = signs.find(({ spelling }) => text.startsWith(spelling, from));
  if (sign) return { from, to: from + sign.spelling.length, text: sign.spelling, operator: sign.operator, isEmpty: false };
  const empty = matchAt(emptyText, text, from);
  if (empty) return { from, to: from + empty[0].length, text: empty[0], operator: empty[1] === undefined ? "=" : "<>", isEmpty: true };
  const found = matchAt(wordText, text, from);
  const pair = found && words[(found[2] ?? "").toLowerCase().replace(/\s+/, " ")];
  return pair
    ? { from, to: from + found[0].length, text: found[0], operator: found[1] === undefined ? pair[0] : pair[1], isEmpty: false }
    : null;
}

/** Matches a sticky pattern at a place of a text. */
export function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

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
const parts = Object.entries(calendarWords) as [CalendarPart, CalendarWords][];

/** What may be typed after `when`. */
export const calendarExamples = "Saturday, Sunday · May · hour 17, 18 · minute, day, week or quarter with numbers";

const zoneSuffix = /\sin\s+([A-Za-z][\w+\-/]*)$/;
const partStart = new RegExp(String.raw`^(${parts.map(([, { word }]) => word).join("|")})s?(?![\p{L}\p{N}_])\s*`, "iu");

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

/** The same as it would be typed. */
export function calendarText({ part, zone, in: numbers }: CalendarFilter["value"]): string {
  const { word, names } = calendarWords[part];
  const [first] = calendarRanges[part];
  const members = numbers.map((number) => names?.[number - first] ?? String(number)).join(", ");
  return `${names ? "" : `${word} `}${members}${zone === "UTC" ? "" : ` in ${zone}`}`;
}
