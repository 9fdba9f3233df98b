import type { ColumnType } from "@fairway/contract/columns";
import type { DateOrder, DecimalMark, ReadingState } from "@fairway/contract/readings";
import type { OrderCount, ShapeGroup } from "./evidence.ts";
import { type NumberShape, numberOf, numberShape } from "./number-forms.ts";
import { type TextReading, booleanWords, decimalType, plainText, timeFormat, timeType } from "./text-reading.ts";
import { type Century, type TimeForm, type TimeShape, ordersOf, timeShape } from "./time-forms.ts";

/** A column of a source before its type is decided. */
export interface ColumnEvidence {
  readonly name: string;
  readonly groups: readonly ShapeGroup[];
  /** Whether the file itself says that all values are numbers, as JSON does: then no number is a code. */
  readonly holdsNumbers: boolean;
  readonly orders: OrderCount | undefined;
  /** Significant digits of the longest number; undefined if none is long. */
  readonly significance: number | undefined;
}

/** The order of days and months. `isOpen`: nothing proves it. `isAssumed`: and nobody has answered. */
export interface FoundOrder {
  readonly order: DateOrder;
  readonly isOpen: boolean;
  readonly isAssumed: boolean;
}

/** What the whole source decides for a column. */
export interface SourceDecisions {
  readonly mark: DecimalMark;
  /** Whether nothing proves the mark, and whether nobody has answered either. */
  readonly isMarkOpen: boolean;
  readonly isMarkAssumed: boolean;
  readonly orderOf: (format: string) => FoundOrder;
  readonly zone: string;
  readonly century: Century;
  readonly isCenturyAssumed: boolean;
  readonly missingWords: ReadonlySet<string>;
}

export interface Alternative {
  readonly type: ColumnType;
  readonly format: string | null;
  readonly label: string;
  readonly unreadable: number;
}

/** How a column is read, and why. */
export interface ColumnDecision {
  readonly type: ColumnType;
  readonly format: string | null;
  readonly day: boolean;
  readonly reading: TextReading;
  readonly state: ReadingState;
  readonly sentence: string;
  readonly also: readonly Alternative[];
  /** Filled values, and those of them that are words for a missing value. */
  readonly filled: number;
  readonly missing: number;
  /** Values that can be read. */
  readonly readable: number;
  /** Whether the casts have to be asked what they can read. */
  readonly needsCount: boolean;
  /** Whether a stored reading or a caller decided. */
  readonly isSettled: boolean;
  /** What the values suggest instead of what is settled. */
  readonly suggested?: { readonly type: ColumnType; readonly format: string | null };
  /** The least and the greatest number as texts; null of other columns. */
  readonly range: { readonly least: string; readonly greatest: string; readonly from: number; readonly to: number } | null;
  /** Whether two-digit years, swapped days and months, or decimal marks could be read otherwise, also where that is answered. */
  readonly isOpen: { readonly years: boolean; readonly order: boolean; readonly mark: boolean };
}

/** The share of invalid values up to which a column is still read as a type; above, it is more likely text. */
const badShare = 0.1;
/** The same if all invalid values are words for missing ones. */
const missingShare = 0.5;

export const isDominant = (good: number, filled: number, missing: number): boolean =>
  good > 0 && filled - good <= filled * (filled - good <= missing ? missingShare : badShare);

/** In a column of such a name, one value that is no number makes all of them texts. */
const isCodeName = (name: string): boolean =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => /^(?:id|ids|code|codes|key|number|zip|postal|phone|account)$|(?:code|number|phone|account|zip)$/.test(word));

const timeName = /(^|_)(time|times?tamp|datetime|date|epoch|ts|at|observed|created|updated|when)(_|$)|(time|date|timestamp)$/i;
const dayName = /(^|_)(date|day|datum|tag|dt|ymd)(_|$)|(date|datum|day)$/i;

interface Counted {
  readonly group: ShapeGroup;
  readonly number: NumberShape | undefined;
  readonly time: TimeShape | undefined;
  readonly isMissing: boolean;
}

export const countedGroups = (groups: readonly ShapeGroup[], missingWords: ReadonlySet<string>): Counted[] =>
  groups.map((group) => {
    const isMissing =
      missingWords.has(group.shape.toLowerCase()) || (group.least === group.greatest && missingWords.has(group.least.toLowerCase()));
    const hasDigits = /[0-9]/.test(group.shape);
    return {
      group,
      isMissing,
      number: hasDigits && !isMissing ? numberShape(group.shape) : undefined,
      time: hasDigits && !isMissing ? timeShape(group.shape) : undefined,
    };
  });

const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { group }) => sum + group.count, 0);

/** The decimal marks that some value of a column proves; undefined if it does not hold numbers. */
export function provenMarks(
  groups: readonly ShapeGroup[],
  missingWords: ReadonlySet<string>,
): { point: number; comma: number; open: "," | "." | null } | undefined {
  const counted = countedGroups(groups, missingWords);
  const numbers = counted.filter(({ number, time }) => number !== undefined && time === undefined);
  if (!isDominant(sumOf(numbers), sumOf(counted), sumOf(counted.filter(({ isMissing }) => isMissing)))) return undefined;
  const found: { point: number; comma: number; open: "," | "." | null } = { point: 0, comma: 0, open: null };
  for (const { number, group } of numbers) {
    if (number === undefined || !/[.,]/.test(number.core)) continue;
    const isOpen = number.marks.length === 2;
    const shown = number.core.includes(",") ? "," : ".";
    // 0,123 is no number of thousands.
    const proven = isOpen ? (startsWithZero(group) ? shown : null) : number.marks[0];
    if (proven === ".") found.point += group.count;
    else if (proven === ",") found.comma += group.count;
    else found.open = found.open === "," ? "," : shown;
  }
  return found;
}

const digitsOf = (text: string): string => text.replace(/^[^0-9.,]*/u, "");
/** Whether some value of the group begins with a zero. */
const startsWithZero = ({ least, greatest }: ShapeGroup): boolean => digitsOf(least).startsWith("0") || digitsOf(greatest).startsWith("0");

/** Decides the type and form of a column from all of its values. */
export function decideColumn(column: ColumnEvidence, source: SourceDecisions): ColumnDecision {
  const counted = countedGroups(column.groups, source.missingWords);
  const filled = sumOf(counted);
  const missing = sumOf(counted.filter(({ isMissing }) => isMissing));
  const facts: Facts = { column, counted, filled, missing, source };
  if (filled === missing) {
    const sentence = filled === 0 ? "It has no values." : "It holds nothing but words for missing values.";
    return asText(facts, sentence, []);
  }
  return decideBoolean(facts) ?? decideTime(facts) ?? decideNumber(facts) ?? asText(facts, "Text.", []);
}

interface Facts {
  readonly column: ColumnEvidence;
  readonly counted: readonly Counted[];
  readonly filled: number;
  readonly missing: number;
  readonly source: SourceDecisions;
}

export const nothingOpen = { years: false, order: false, mark: false };

function decision(
  { filled, missing }: Facts,
  good: number,
  part: Pick<ColumnDecision, "type" | "format" | "reading" | "sentence" | "also"> & Partial<ColumnDecision>,
): ColumnDecision {
  const isOpen = part.isOpen ?? nothingOpen;
  const state = filled - missing > good ? "mixed" : (part.state ?? "sure");
  return { day: false, filled, missing, isOpen, readable: good, needsCount: true, isSettled: false, range: null, ...part, state };
}

/**
 * The same decision with the number of values that the casts read, of those that mean that there is no value, and of those that are
 * written as they should be.
 */
export function withCount(found: ColumnDecision, readable: number, emptied: number, written: number): ColumnDecision {
  const missing = found.missing + emptied;
  const counted: ColumnDecision = { ...found, readable: readable - emptied, missing, needsCount: false };
  const unreadable = found.filled - missing - counted.readable;
  if (unreadable <= 0) return { ...counted, state: found.state === "mixed" ? "sure" : found.state };
  if (!found.isSettled && !isDominant(written, found.filled, found.missing)) {
    return {
      ...counted,
      type: "STRING",
      format: null,
      day: false,
      reading: { ...found.reading, duckType: "VARCHAR" },
      state: "sure",
      sentence: "Text: most values look like times or numbers, but are none.",
      also: [{ type: found.type, format: found.format, label: "what most values look like", unreadable }],
      readable: found.filled,
      missing: 0,
      isOpen: nothingOpen,
      range: null,
    };
  }
  return { ...counted, state: "mixed" };
}

function asText(facts: Facts, sentence: string, also: readonly Alternative[]): ColumnDecision {
  const { number, time } = found(facts);
  const reading = { ...plainText, number, time };
  return decision({ ...facts, missing: 0 }, facts.filled, {
    type: "STRING",
    format: null,
    reading,
    sentence,
    needsCount: false,
    also: [...also, ...booleansOffered(facts), ...numbersOffered(facts)],
  });
}

function booleansOffered({ counted, filled, missing }: Facts): Alternative[] {
  return booleanWords.slice(1).flatMap((words) => {
    const good = sumOf(counted.filter(({ group }) => words.includes(group.shape.toLowerCase())));
    return isDominant(good, filled, missing)
      ? [
          {
            type: "BOOLEAN" as const,
            format: words.join("/"),
            label: `true or false (${words.join("/")})`,
            unreadable: filled - missing - good,
          },
        ]
      : [];
  });
}

function numbersOffered({ counted, filled, missing, source }: Facts): Alternative[] {
  const numbers = counted.filter(({ number }) => number?.marks.includes(source.mark) === true);
  const good = sumOf(numbers);
  if (good * 2 < filled - missing || good === 0) return [];
  const whole = sumOf(numbers.filter(({ number }) => number?.isWhole(source.mark) === true));
  const unreadable = filled - missing - good;
  return [
    ...(whole === good ? [{ type: "integer" as const, format: null, label: "integer", unreadable }] : []),
    { type: "decimal", format: source.mark, label: "decimal", unreadable },
  ];
}

function decideBoolean(facts: Facts): ColumnDecision | undefined {
  const { counted, filled, missing } = facts;
  const good = sumOf(counted.filter(({ group }) => /^(?:true|false)$/i.test(group.shape)));
  if (!isDominant(good, filled, missing)) return undefined;
  const reading: TextReading = { ...plainText, ...found(facts), duckType: "BOOLEAN" };
  return decision(facts, good, {
    type: "BOOLEAN",
    format: "true/false",
    reading,
    sentence: "True or false.",
    also: [text],
    needsCount: false,
  });
}

const text: Alternative = { type: "STRING", format: null, label: "text", unreadable: 0 };

/** The forms of numbers and times that described types need, whatever the values are. */
function found(facts: Facts): { readonly number: TextReading["number"]; readonly time: TimeForm } {
  const { counted, source } = facts;
  const times = counted.filter(({ time }) => time !== undefined);
  return {
    number: { mark: source.mark, unit: null, exact: null },
    time: times.length === 0 ? { ...plainText.time, zone: source.zone, century: source.century } : timeForm(times, source),
  };
}

function timeForm(times: readonly Counted[], { orderOf, zone, century }: SourceDecisions): TimeForm {
  const days = new Map<string, number>();
  for (const { time, group } of times) {
    if (time === undefined) continue;
    const orders = ordersOf(time.format);
    const format = orders === null ? time.format : orders[orderOf(time.format).order];
    days.set(format, (days.get(format) ?? 0) + group.count);
  }
  return {
    days: [...days].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([format]) => format),
    hasClock: times.some(({ time }) => time?.hasClock === true),
    hasOffset: times.some(({ time }) => time?.hasOffset === true),
    zone,
    century,
  };
}

function decideTime(facts: Facts): ColumnDecision | undefined {
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

/** Doubles above this may have been integers with more digits. */
const maxExactInteger = 9_007_199_254_740_992;
const doubleDigits = 17;
const maxDigits = 38;

function decideNumber(facts: Facts): ColumnDecision | undefined {
  const { column, counted, filled, missing, source } = facts;
  const { mark } = source;
  const numbers = counted.flatMap(({ number, group }) => (number?.marks.includes(mark) === true ? [{ number, group }] : []));
  const good = numbers.reduce((sum, { group }) => sum + group.count, 0);
  if (!isDominant(good, filled, missing)) return undefined;
  const signs = new Set(numbers.map(({ number }) => number.unit));
  const [unit = null] = signs;
  const because = reasonForText(facts, numbers, good, signs.size);
  if (because !== undefined) return asText(facts, `Text: ${because}.`, []);

  const digits = numbers.map(({ number }) => number.digits(mark));
  const most = (part: "whole" | "fraction") => digits.reduce((max, one) => Math.max(max, one[part]), 0);
  const isOpen = {
    ...nothingOpen,
    mark: source.isMarkOpen && numbers.some(({ number }) => /[.,]/.test(number.core) && number.marks.length === 2),
  };
  const isMarkAssumed = isOpen.mark && source.isMarkAssumed;
  const hasMarks = numbers.some(({ number }) => /[.,]/.test(number.core));
  const format = hasMarks ? mark : null;
  const marked = [
    ...(unit === null ? [] : [`All carry the sign ${unit}.`]),
    ...(isMarkAssumed ? [`The ${mark === "," ? "comma" : "point"} is taken as the decimal mark: no value says which one is.`] : []),
  ];
  const otherMark: Alternative[] = isOpen.mark
    ? [
        {
          type: "decimal",
          format: mark === "," ? "." : ",",
          label: mark === "," ? "point as decimal mark" : "comma as decimal mark",
          unreadable: 0,
        },
      ]
    : [];
  const { time } = found(facts);
  const base = { ...plainText, time };
  // Plain digits are read as their shape says.
  const common = {
    needsCount: numbers.some(({ number }) => number.hasExponent || number.unit !== null || /[^0-9.]/.test(number.core)),
    range: rangeOf(numbers, mark),
    state: isMarkAssumed ? ("assumed" as const) : ("sure" as const),
  };
  if (numbers.every(({ number }) => number.isWhole(mark))) {
    if (most("whole") > maxDigits) return asText(facts, `Text: integers of more than ${maxDigits} digits.`, []);
    const isWide = numbers.some(
      ({ number, group }) =>
        number.digits(mark).whole > 19 || (number.digits(mark).whole === 19 && digitsOf(group.greatest) > "9223372036854775807"),
    );
    const reading: TextReading = { ...base, number: { mark, unit, exact: null }, duckType: isWide ? "HUGEINT" : "BIGINT" };
    return decision(facts, good, {
      type: "integer",
      format,
      reading,
      sentence: ["Whole numbers.", ...marked].join(" "),
      also: [...otherMark, { type: "decimal", format: mark, label: "decimal", unreadable: 0 }, text],
      isOpen,
      ...common,
    });
  }
  const needsExact = (column.significance ?? 0) > doubleDigits;
  if (needsExact && (numbers.some(({ number }) => number.hasExponent) || most("whole") + most("fraction") > maxDigits)) {
    return asText(facts, `Text: the numbers have more digits than can be kept.`, []);
  }
  const exact = needsExact ? { digits: Math.max(1, most("whole") + most("fraction")), scale: most("fraction") } : null;
  const number = { mark, unit, exact };
  return decision(facts, good, {
    type: "decimal",
    format,
    reading: { ...base, number, duckType: decimalType(number) },
    sentence: [
      exact === null
        ? "Numbers."
        : `Numbers. Exports keep all of their ${exact.digits} digits; tables and JSON round to about ${doubleDigits}.`,
      ...marked,
    ].join(" "),
    also: [...otherMark, text],
    isOpen,
    ...common,
  });
}

function rangeOf(
  numbers: readonly { readonly number: NumberShape; readonly group: ShapeGroup }[],
  mark: DecimalMark,
): ColumnDecision["range"] {
  const ends = numbers.flatMap(({ number, group }) =>
    [group.least, group.greatest].map((value) => ({ text: value, value: numberOf(value, { mark, unit: number.unit, exact: null }) })),
  );
  const sorted = ends.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.value - b.value);
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? null : { least: first.text, greatest: last.text, from: first.value, to: last.value };
}

/** Why numbers are codes or would lose something. */
function reasonForText(
  { column, counted }: Facts,
  numbers: readonly { readonly number: NumberShape; readonly group: ShapeGroup }[],
  good: number,
  signs: number,
): string | undefined {
  const example = (group: ShapeGroup) => `such as '${group.least.slice(0, 40)}'`;
  if (signs > 1) return "the numbers carry different signs";
  if (column.holdsNumbers) return lostDigits(numbers);
  const zero = numbers.find(({ group }) => [group.least, group.greatest].some((value) => /^0[0-9]/.test(digitsOf(value))));
  if (zero !== undefined) return `values begin with zeros, ${example(zero.group)}`;
  const plus = numbers.filter(({ number }) => number.sign === "+").reduce((sum, { group }) => sum + group.count, 0);
  if (plus === good) return `all values begin with +, ${example(numbers[0]?.group ?? { shape: "", count: 0, least: "+", greatest: "" })}`;
  const code = counted.find(({ group }) => /^9+[eE]9+$/.test(group.shape));
  if (code !== undefined) return `values look like codes, ${example(code.group)}`;
  const other = isCodeName(column.name) ? counted.find(({ number, isMissing }) => number === undefined && !isMissing) : undefined;
  if (other !== undefined) return `a value of these codes is no number ('${other.group.least.slice(0, 40)}')`;
  return lostDigits(numbers);
}

/** Numbers with an exponent are doubles, in which long integers lose digits. */
function lostDigits(numbers: readonly { readonly number: NumberShape; readonly group: ShapeGroup }[]): string | undefined {
  if (!numbers.some(({ number }) => number.hasExponent)) return undefined;
  const long = numbers.find(
    ({ number, group }) =>
      !number.hasExponent &&
      number.core.length >= 16 &&
      Math.abs(numberOf(group.greatest, { mark: ".", unit: number.unit, exact: null })) > maxExactInteger,
  );
  return long === undefined
    ? undefined
    : `a number in E notation would take digits from others, such as '${long.group.greatest.slice(0, 40)}'`;
}
