import type { ColumnType } from "@fairway/contract/columns";
import { plural, pluralize } from "@fairway/contract/counts";
import type { DateOrder, DecimalMark, ReadingState } from "@fairway/contract/readings";
import type { OrderCount, ShapeGroup } from "./evidence.ts";
import { type NumberShape, numberShape } from "./number-forms.ts";
import { type TextReading, plainText } from "./text-reading.ts";
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

/** Decisions of the whole source that hold for a column. */
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
  /** How the casts find out how many of so many values they can read; undefined if `unreadable` is known. */
  readonly counted?: { readonly reading: TextReading; readonly values: number };
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
  /** Whether some times have more digits than milliseconds. */
  readonly hasFineTimes?: boolean;
  /** Whether all of its times name their offset. */
  readonly hasOffsets?: boolean;
  /** Whether a stored reading or a caller decided. */
  readonly isSettled: boolean;
  /** The reading that the values suggest instead of the settled one. */
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

export interface Counted {
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

export const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { group }) => sum + group.count, 0);

export interface Facts {
  readonly column: ColumnEvidence;
  readonly counted: readonly Counted[];
  readonly filled: number;
  readonly missing: number;
  readonly source: SourceDecisions;
}

export const nothingOpen = { years: false, order: false, mark: false };

export function decision(
  { counted, filled, missing }: Facts,
  good: number,
  part: Pick<ColumnDecision, "type" | "format" | "reading" | "sentence" | "also"> & Partial<ColumnDecision>,
): ColumnDecision {
  const isOpen = part.isOpen ?? nothingOpen;
  const state = filled - missing > good ? "mixed" : (part.state ?? "sure");
  const sentence = [part.sentence, ...missingSentence(counted, missing)].join(" ");
  return { day: false, filled, missing, isOpen, readable: good, needsCount: true, isSettled: false, range: null, ...part, sentence, state };
}

/** A remark on words that are read as no value. */
function missingSentence(counted: readonly Counted[], missing: number): string[] {
  if (missing === 0) return [];
  const words = counted.flatMap(({ group, isMissing }) => (isMissing ? [`'${group.least}'`] : []));
  const shown = words.length <= 2 ? words.join(" or ") : `${words.slice(0, 2).join(", ")} or the like`;
  return [
    `${pluralize(missing, "value")} that ${plural(missing, "reads", "read")} ${shown} ${plural(missing, "is", "are")} taken as no value.`,
  ];
}

export const text: Alternative = { type: "STRING", format: null, label: "text", unreadable: 0 };

/** The forms of numbers and times that described types need, whatever the values are. */
export function found(facts: Facts): { readonly number: TextReading["number"]; readonly time: TimeForm } {
  const { counted, source } = facts;
  const times = counted.filter(({ time }) => time !== undefined);
  return {
    number: { mark: source.mark, unit: null, exact: null },
    time: times.length === 0 ? { ...plainText.time, zone: source.zone, century: source.century } : timeForm(times, source),
  };
}

export function timeForm(times: readonly Counted[], { orderOf, zone, century }: SourceDecisions): TimeForm {
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
