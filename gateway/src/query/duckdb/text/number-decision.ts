import type { DecimalMark } from "@fairway/contract/readings";
import {
  type Alternative,
  type ColumnDecision,
  type Facts,
  countedGroups,
  decision,
  found,
  isDominant,
  nothingOpen,
  sumOf,
  text,
} from "./column-facts.ts";
import type { ShapeGroup } from "./evidence.ts";
import { type NumberShape, numberOf } from "./number-forms.ts";
import { asText } from "./text-decision.ts";
import { type TextReading, decimalType, plainText } from "./text-reading.ts";

/** In a column of such a name, one value that is no number makes all of them texts. */
const isCodeName = (name: string): boolean =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => /^(?:id|ids|code|codes|key|number|zip|postal|phone|account)$|(?:code|number|phone|account|zip)$/.test(word));

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

/** Doubles above this may have been integers with more digits. */
const maxExactInteger = 9_007_199_254_740_992;
const doubleDigits = 17;
const maxDigits = 38;

export function decideNumber(facts: Facts): ColumnDecision | undefined {
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
