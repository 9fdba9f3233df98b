import type { DateOrder } from "@fairway/contract/readings";
import { type RawBuilder, sql } from "kysely";

/** How the times of a column are written. */
export interface TimeForm {
  /** The ways in which days are written, the most frequent first: `ISO`, `D.M.Y`, `D Mon Y`, `YMD` … */
  readonly days: readonly string[];
  /** Whether some have a clock; otherwise they are whole days. */
  readonly hasClock: boolean;
  /** Whether some have an offset from UTC. */
  readonly hasOffset: boolean;
  /** The zone of those without. */
  readonly zone: string;
  /** Meaning of years of two digits. */
  readonly century: Century;
}

export const centuries = ["1970-2069", "1900-1999", "2000-2099"] as const;
export type Century = (typeof centuries)[number];

type Part = "Y" | "y" | "M" | "D" | "Mon";
interface DayForm {
  readonly parts: readonly Part[];
  /** Between the parts, as a pattern. */
  readonly separator: string;
}

const numeric = (format: string): DayForm => {
  const separator = /[./-]/.exec(format)?.[0] ?? "";
  return { parts: format.split(separator) as Part[], separator: separator === "." ? "\\." : separator };
};

// A new form also needs its letters in `words` of evidence.ts: texts with other letters are never looked at as times.
const dayForms: Readonly<Record<string, DayForm>> = {
  ISO: numeric("Y-M-D"),
  ...Object.fromEntries(
    [".", "/", "-"]
      .flatMap((separator) => ["Y.M.D", "D.M.Y", "M.D.Y", "D.M.y", "M.D.y"].map((format) => format.replaceAll(".", separator)))
      .filter((format) => format !== "Y-M-D")
      .map((format) => [format, numeric(format)]),
  ),
  "D Mon Y": { parts: ["D", "Mon", "Y"], separator: "[ ./-]" },
  "D Mon y": { parts: ["D", "Mon", "y"], separator: "[ ./-]" },
  "Mon D Y": { parts: ["Mon", "D", "Y"], separator: "\\.?,? " },
  YMD: { parts: ["Y", "M", "D"], separator: "" },
};

export const isDayFormat = (format: string): boolean => dayForms[format] !== undefined;

/** The two orders of a format whose days and months could be swapped; null if they cannot. */
export function ordersOf(format: string): Readonly<Record<DateOrder, string>> | null {
  const found = /^(?:D([./-])M|M([./-])D)([./-][Yy])$/.exec(format);
  if (found === null) return null;
  const separator = found[1] ?? found[2] ?? "";
  return { "day-first": `D${separator}M${found[3] ?? ""}`, "month-first": `M${separator}D${found[3] ?? ""}` };
}

export const separatorOf = (format: string): string => /[./-]/.exec(format)?.[0] ?? "";

const months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const monthName = `(${months})(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?`;
const weekday = "(?:(?:Mon|Tue|Tues|Wed|Wednes|Thu|Thur|Thurs|Fri|Sat|Satur|Sun)(?:day)?,? )?";

/** `loose`: of shapes, in which every digit is 9. */
const partPatterns = (isLoose: boolean, isPadded: boolean): Readonly<Record<Part, string>> => ({
  Y: "([0-9]{4})",
  y: "([0-9]{2})",
  M: isLoose ? (isPadded ? "([0-9]{2})" : "([0-9]{1,2})") : isPadded ? "(0[1-9]|1[0-2])" : "(0?[1-9]|1[0-2])",
  D: isLoose ? (isPadded ? "([0-9]{2})" : "([0-9]{1,2})") : isPadded ? "(0[1-9]|[12][0-9]|3[01])" : "(0?[1-9]|[12][0-9]|3[01])",
  Mon: monthName,
});

function dayPattern({ parts, separator }: DayForm, isLoose: boolean): string {
  // 1.2.10 is a version, and 24-1-2 may be anything.
  const isPadded = separator === "" || (parts.includes("y") && separator !== "/" && !parts.includes("Mon"));
  const patterns = partPatterns(isLoose, isPadded);
  const day = parts
    .map((part, index) => {
      // A comma may follow the day of a month's name: Jan 2, 2024.
      const between = index === 0 ? "" : parts[0] === "Mon" && index === 2 ? ",? " : separator;
      return between + patterns[part];
    })
    .join("");
  return parts.includes("Mon") ? weekday + day : day;
}

const between = "(?:[Tt]|,?[ \\t\u00a0]+)";
const hour = "(?:[01]?[0-9]|2[0-3])";
const offset = "(Z|[+-][0-9]{2}(?::?[0-9]{2})?)";
const outer = "[\\s\u00a0]*";

/** Year, month and day as the engine takes them, from the groups of `dayPattern`. */
function isoDay({ parts }: DayForm, century: Century): string {
  const group = (part: Part) => `\\${parts.indexOf(part) + 1}`;
  const year = parts.includes("y") ? `${century === "1900-1999" ? "19" : "20"}${group("y")}` : group("Y");
  return `${year}-${group("M")}-${group("D")}`;
}

/** Between what is read and the rest of a text that does not match. */
const marker = "\u0001";

/** The replacement of a text that matches as a whole; otherwise empty. */
const rewritten = (value: RawBuilder<unknown>, pattern: string, replacement: string): RawBuilder<unknown> =>
  sql`split_part(regexp_replace(${value}, ${sql.lit(`^${outer}${pattern}${outer}$`)}, ${sql.lit(marker + replacement)}), ${sql.lit(marker)}, 2)`;

/** Ways of writing a clock; the groups follow those of the day. */
interface ClockForm {
  readonly pattern: string;
  readonly replacement: string;
  readonly isZoned: boolean;
}

const clocks: readonly ClockForm[] = (["", offset, "(?:UTC|GMT|utc|gmt|z)"] as const).flatMap((zone): ClockForm[] => {
  const isZoned = zone !== "";
  const suffix = isZoned ? ` ?${zone}` : "";
  const shown = zone === offset ? "\\6" : isZoned ? "Z" : "";
  return [
    { pattern: `(${hour}:[0-5][0-9]:[0-5][0-9])(?:[.,]([0-9]{1,9}))?${suffix}`, replacement: ` \\4.\\5${shown}`, isZoned },
    { pattern: `(${hour}:[0-5][0-9])()${suffix}`, replacement: ` \\4:00${shown}`, isZoned },
  ];
});

const halfDay = "([AaPp])\\.?[Mm]\\.?";
const halfDayClocks = [
  { pattern: `(0?[1-9]|1[0-2])(:[0-5][0-9]:[0-5][0-9]) ?${halfDay}`, format: "%I:%M:%S %p" },
  { pattern: `(0?[1-9]|1[0-2])(:[0-5][0-9]) ?${halfDay}`, format: "%I:%M %p" },
] as const;

/** ISO 8601 without separators: 20240131T120000Z. */
const basicClocks: readonly ClockForm[] = ["", offset].flatMap((zone): ClockForm[] => [
  {
    pattern: `([01][0-9]|2[0-3])([0-5][0-9])([0-5][0-9])${zone}`,
    replacement: ` \\4:\\5:\\6.${zone === "" ? "" : "\\7"}`,
    isZoned: zone !== "",
  },
  { pattern: `([01][0-9]|2[0-3])([0-5][0-9])()${zone}`, replacement: ` \\4:\\5:00${zone === "" ? "" : ".\\7"}`, isZoned: zone !== "" },
]);

/** Texts that are no times become null. The result has a zone if the form has offsets or a zone. */
export function asTime(value: RawBuilder<unknown>, form: TimeForm): RawBuilder<unknown> {
  const isZoned = isZonedForm(form);
  const text = sql.id("text");
  const ways = form.days.flatMap((format) => waysOf(text, format, form));
  const times = ways.map(({ time, isZoned: hasOffset }) => (isZoned && !hasOffset ? localTime(time, form.zone) : time));
  const [only] = times;
  if (only === undefined) return isZoned ? sql`cast(null as timestamptz)` : sql`cast(null as timestamp)`;
  // Within a list, the engine tries only as many of them as it needs.
  const time = times.length === 1 ? only : sql`coalesce(${sql.join(times)})`;
  return sql`list_transform([${value}], lambda text: ${time})[1]`;
}

/** Days alone have no zone. */
export const isZonedForm = ({ hasOffset, hasClock, zone }: TimeForm): boolean => hasOffset || (hasClock && zone !== "UTC");

/** A clock of a zone. Of an hour that occurs twice the first, and none for an hour that is skipped. */
function localTime(time: RawBuilder<unknown>, zone: string): RawBuilder<unknown> {
  if (zone === "UTC") return sql`cast(${time} as timestamptz)`;
  const named = sql.lit(zone);
  const moment = sql`timezone(${named}, ${time})`;
  // The engine answers the second of two hours, and moves a skipped one.
  const candidates = sql`[${moment} - interval 1 hour, ${moment} - interval 30 minutes, ${moment}]`;
  return sql`list_filter(${candidates}, lambda candidate: timezone(${named}, candidate) = ${time})[1]`;
}

interface Way {
  readonly time: RawBuilder<unknown>;
  readonly isZoned: boolean;
}

function waysOf(value: RawBuilder<unknown>, format: string, form: TimeForm): Way[] {
  const dayForm = dayForms[format];
  if (dayForm === undefined) return [];
  if (dayForm.parts.includes("Mon")) return namedMonthWays(value, dayForm, form);
  const pattern = dayPattern(dayForm, false);
  const iso = isoDay(dayForm, form.century);
  const cast = (text: RawBuilder<unknown>, isZoned: boolean): Way => ({
    time: inCentury(sql`try_cast(${text} as ${sql.raw(isZoned ? "timestamptz" : "timestamp")})`, dayForm, form),
    isZoned,
  });
  const plain = cast(rewritten(value, pattern, iso), false);
  if (!form.hasClock) return [plain];
  if (format === "YMD") {
    const basic = basicClocks.filter(({ isZoned }) => form.hasOffset || !isZoned);
    return [...basic.map((clock) => cast(rewritten(value, `${pattern}T${clock.pattern}`, iso + clock.replacement), clock.isZoned)), plain];
  }
  const halves = halfDayClocks.map(({ pattern: clock, format: written }): Way => {
    const text = rewritten(value, `${pattern}${between}${clock}`, `${iso} \\4\\5 \\6M`);
    return { time: inCentury(sql`try_strptime(${text}, ${sql.lit(`%Y-%m-%d ${written}`)})`, dayForm, form), isZoned: false };
  });
  // The usual form of ISO 8601 needs no rewriting, which takes most of the time.
  const usual = format === "ISO" ? [usualIso(value, false), ...(form.hasOffset ? [usualIso(value, true)] : [])] : [];
  const written = clocks
    .filter(({ isZoned }) => form.hasOffset || !isZoned)
    .map((clock) => cast(rewritten(value, `${pattern}${between}${clock.pattern}`, iso + clock.replacement), clock.isZoned));
  return [...usual, ...written, ...halves, plain];
}

function usualIso(value: RawBuilder<unknown>, isZoned: boolean): Way {
  const zone = isZoned ? "(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)" : "";
  const pattern = `^([0-9]{4}-[0-9]{2}-[0-9]{2}[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?${zone})$`;
  return {
    time: sql`try_cast(regexp_extract(${value}, ${sql.lit(pattern)}, 1) as ${sql.raw(isZoned ? "timestamptz" : "timestamp")})`,
    isZoned,
  };
}

/** Months by their English names; the engine's own parser knows these, but accepts more than is right. */
function namedMonthWays(value: RawBuilder<unknown>, dayForm: DayForm, form: TimeForm): Way[] {
  const pattern = `(?i)${dayPattern(dayForm, false)}`;
  const group = (part: Part) => `\\${dayForm.parts.indexOf(part) + 1}`;
  const year = dayForm.parts.includes("y") ? `20${group("y")}` : group("Y");
  const text = `${year}-${group("Mon")}-${group("D")}`;
  const parse = (clock: string, replacement: string, format: string, isZoned: boolean): Way => ({
    time: inCentury(
      sql`try_strptime(${rewritten(value, clock === "" ? pattern : `${pattern}${between}${clock}`, text + replacement)}, ${sql.lit(`%Y-%b-%d${format}`)})`,
      dayForm,
      form,
    ),
    isZoned,
  });
  const plain = parse("", "", "", false);
  if (!form.hasClock) return [plain];
  return [
    parse(`(${hour}:[0-5][0-9]:[0-5][0-9])`, " \\4", " %H:%M:%S", false),
    parse(`(${hour}:[0-5][0-9])`, " \\4", " %H:%M", false),
    ...(form.hasOffset
      ? [
          parse(`(${hour}:[0-5][0-9]:[0-5][0-9]) ?(?:UTC|GMT|Z)`, " \\4+00", " %H:%M:%S%z", true),
          parse(`(${hour}:[0-5][0-9]:[0-5][0-9]) ?([+-][0-9]{2}:?[0-9]{2})`, " \\4\\5", " %H:%M:%S%z", true),
        ]
      : []),
    ...halfDayClocks.map((half) => parse(half.pattern, " \\4\\5 \\6M", ` ${half.format}`, false)),
    plain,
  ];
}

/** Years of two digits have been read as 2000 to 2099. */
function inCentury(time: RawBuilder<unknown>, { parts }: DayForm, { century }: TimeForm): RawBuilder<unknown> {
  if (!parts.includes("y") || century === "2000-2099") return time;
  if (century === "1900-1999" && !parts.includes("Mon")) return time;
  const from = century === "1900-1999" ? 2000 : 2070;
  return sql`list_transform([${time}], lambda moment: moment - to_years(100 * cast(year(moment) >= ${sql.lit(from)} as integer)))[1]`;
}

/** Properties of a time that the shape of its text, with all digits as 9, shows. */
export interface TimeShape {
  /** The formats of the day that fit; days and months may be swapped in the second one. */
  readonly format: string;
  readonly hasClock: boolean;
  readonly hasOffset: boolean;
}

const looseClock = `(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)`;
const shapePatterns = Object.entries(dayForms)
  // Swapped days and months have the same shape.
  .filter(([format]) => !format.startsWith("M.") && !format.startsWith("M/") && !format.startsWith("M-"))
  .map(([format, form]) => {
    const day = dayPattern(form, true);
    const clock =
      format === "YMD" ? `T[0-9]{4}(?:[0-9]{2})?(${offset})?` : `${between}${looseClock}(?: ?${halfDay}| ?(${offset}|UTC|GMT))?`;
    return { format, day: new RegExp(`^${day}$`, "iu"), clock: new RegExp(`^${day}${clock}$`, "iu") };
  });

/** Undefined if it is no time. Eight digits alone are a day only where other things say so. */
export function timeShape(shape: string): TimeShape | undefined {
  for (const { format, day, clock } of shapePatterns) {
    if (day.test(shape)) return { format, hasClock: false, hasOffset: false };
    if (clock.test(shape))
      return { format, hasClock: true, hasOffset: /(?:Z|UTC|GMT|[0-9][+-][0-9]{2}:?(?:[0-9]{2})?|:[0-9.,]+ ?[+-][0-9:]+)$/iu.test(shape) };
  }
  return undefined;
}
