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
import { asText, timesOffered } from "./text-decision.ts";
import { decimalType, plainText } from "./text-reading.ts";
import { quoted, wayLabel } from "./way-words.ts";

/** In a column of such a name, one value that is no number makes all of them texts. */
const isCodeName = (name: string): boolean =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => codeWords.has(word) || /(?:code|number|phone|account|zip|nummer)$/.test(word));

/** Names of columns whose values are codes, also where most of them are digits. */
const codeWords = new Set(
  (
    "id ids uuid guid code codes key keys number nr zip postal phone tel telephone fax account " +
    "iban isbn issn ean upc gtin sku vin ssn fips plz postleitzahl telefon konto"
  ).split(" "),
);

const hasMark = ({ core }: NumberShape): boolean => /[.,]/.test(core);

/** Whether a number is one with a single decimal mark only. One without any mark fits both. */
const provesMark = ({ marks }: NumberShape): boolean => marks.length === 1;

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
    if (number === undefined || !hasMark(number)) continue;
    const proven = provenMark(number, group);
    if (proven === ".") found.point += group.count;
    else if (proven === ",") found.comma += group.count;
    else found.open = found.open === "," || number.core.includes(",") ? "," : ".";
  }
  return found;
}

/** The mark that the values of a group prove as the decimal one; null if they fit both. 0,123 is no number of thousands. */
function provenMark(number: NumberShape, group: ShapeGroup): DecimalMark | null {
  if (provesMark(number)) return number.marks[0] ?? null;
  return startsWithZero(group) ? (number.core.includes(",") ? "," : ".") : null;
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
  if (because !== undefined) return asText(facts, `Kept as text: ${because}.`, []);

  const digits = numbers.map(({ number }) => number.digits(mark));
  const most = (part: "whole" | "fraction") => digits.reduce((max, one) => Math.max(max, one[part]), 0);
  const isOpen = {
    ...nothingOpen,
    mark: source.isMarkOpen && numbers.some(({ number }) => hasMark(number) && !provesMark(number)),
  };
  const isMarkAssumed = isOpen.mark && source.isMarkAssumed;
  const hasMarks = numbers.some(({ number }) => hasMark(number));
  const format = hasMarks ? mark : null;
  const exampleOf = ({ group }: (typeof numbers)[number]) => {
    const value = numberOf(group.least, { mark, unit, exact: null });
    return Number.isFinite(value) ? `: ${quoted(group.least)} is ${value}` : "";
  };
  const first = numbers.find(({ number }) => !number.isBracketed) ?? numbers[0];
  const bracketed = numbers.find(({ number }) => number.isBracketed);
  const marked = [
    ...(unit === null || first === undefined ? [] : [`All carry ${unit}, which is kept as the unit${exampleOf(first)}.`]),
    ...(bracketed === undefined ? [] : [`Numbers in parentheses are taken as negative${exampleOf(bracketed)}.`]),
    ...(column.holdsNumbers ? [] : markSentences(numbers, mark, { isOpen: source.isMarkOpen, isAssumed: isMarkAssumed }, exampleOf)),
  ];
  // Values of which none proves the mark fit the other one, too, whatever decides.
  const isOwnMarkOpen =
    !column.holdsNumbers && hasMarks && numbers.every(({ number, group }) => !hasMark(number) || provenMark(number, group) === null);
  const other = mark === "," ? "." : ",";
  const reading = { ...plainText, number: { mark: other, unit, exact: null } as const, duckType: "DOUBLE" };
  const otherMark: Alternative[] = isOwnMarkOpen
    ? [
        {
          type: "decimal",
          format: other,
          label: otherMarkLabel(numbers, other, unit),
          unreadable: 0,
          counted: { reading, values: filled - missing },
        },
      ]
    : [];
  const { time } = found(facts);
  const base = { ...plainText, time };
  // Plain digits are read as their shape says.
  const common = {
    needsCount: numbers.some(({ number }) => number.hasExponent || number.unit !== null || /[^0-9.]/.test(number.core)),
    range: rangeOf(numbers, mark),
    state: isMarkAssumed || bracketed !== undefined ? ("assumed" as const) : ("sure" as const),
  };
  if (numbers.every(({ number }) => number.isWhole(mark))) {
    if (most("whole") > maxDigits) return asText(facts, `Kept as text: numbers of more than ${maxDigits} digits would lose some.`, []);
    const isWide = numbers.some(
      ({ number, group }) =>
        number.digits(mark).whole > 19 || (number.digits(mark).whole === 19 && digitsOf(group.greatest) > "9223372036854775807"),
    );
    return decision(facts, good, {
      type: "integer",
      format,
      reading: { ...base, number: { mark, unit, exact: null }, duckType: isWide ? "HUGEINT" : "BIGINT" },
      sentence: ["Whole numbers.", ...marked].join(" "),
      also: [
        ...otherMark,
        { type: "decimal", format: mark, label: wayLabel("decimal", mark), unreadable: 0 },
        ...timesOffered(facts),
        text,
      ],
      isOpen,
      ...common,
    });
  }
  const needsExact = (column.significance ?? 0) > doubleDigits;
  if (needsExact && (numbers.some(({ number }) => number.hasExponent) || most("whole") + most("fraction") > maxDigits)) {
    return asText(facts, `Kept as text: as numbers, they would lose some of their digits.`, []);
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
        : `Numbers. Exports keep all of their ${exact.digits} digits, and filters compare them; tables and JSON round to about ${doubleDigits}.`,
      ...marked,
    ].join(" "),
    also: [...otherMark, text],
    isOpen,
    ...common,
  });
}

type Numbers = readonly { readonly number: NumberShape; readonly group: ShapeGroup }[];

const markNames = { ",": "comma", ".": "point" } as const;

/** Sentences on marks: which one is taken as the decimal mark if no value shows it, and that others only separate thousands. */
function markSentences(
  numbers: Numbers,
  mark: DecimalMark,
  { isOpen, isAssumed }: { readonly isOpen: boolean; readonly isAssumed: boolean },
  exampleOf: (one: Numbers[number]) => string,
): string[] {
  const open = numbers.find(({ number }) => hasMark(number) && !provesMark(number));
  if (isAssumed && open !== undefined)
    return [`The ${markNames[mark]} is taken as the decimal mark, though no value shows which one is${exampleOf(open)}.`];
  const isProven = numbers.some(({ number, group }) => hasMark(number) && provenMark(number, group) !== null);
  const thousands = mark === "," ? "." : ",";
  const separated = numbers.find(({ number }) => number.core.includes(thousands));
  if (separated !== undefined) {
    const why = isProven ? "" : isOpen ? ", as chosen" : `, as other values of the file have a decimal ${markNames[mark]}`;
    return [`${thousands === "," ? "Commas" : "Points"} only separate thousands${why}${exampleOf(separated)}.`];
  }
  if (open !== undefined && !isProven)
    return [`The ${markNames[mark]} is the decimal mark, ${isOpen ? "as chosen" : "as other values of the file show"}${exampleOf(open)}.`];
  const spaced = numbers.find(({ number }) => /[^0-9.,eE+-]/.test(number.core));
  return spaced === undefined
    ? []
    : [`${/['\u2019]/.test(spaced.number.core) ? "Apostrophes" : "Spaces"} only separate thousands${exampleOf(spaced)}.`];
}

/** `number with a decimal comma (1,234 is 1.234)`, by a value of the column. */
function otherMarkLabel(numbers: Numbers, mark: DecimalMark, unit: string | null): string {
  const text = numbers.find(({ number }) => hasMark(number))?.group.least ?? "";
  return `number with a decimal ${markNames[mark]} (${text.slice(0, 40)} is ${numberOf(text, { mark, unit, exact: null })})`;
}

function rangeOf(numbers: Numbers, mark: DecimalMark): ColumnDecision["range"] {
  const ends = numbers.flatMap(({ number, group }) =>
    [group.least, group.greatest].map((value) => ({ text: value, value: numberOf(value, { mark, unit: number.unit, exact: null }) })),
  );
  const sorted = ends.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.value - b.value);
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? null : { least: first.text, greatest: last.text, from: first.value, to: last.value };
}

/** Why numbers are codes or would lose something. */
function reasonForText({ column, counted }: Facts, numbers: Numbers, good: number, signs: number): string | undefined {
  const example = (group: ShapeGroup) => `such as '${group.least.slice(0, 40)}'`;
  if (signs > 1) return "its numbers carry different signs, or only some carry one";
  if (column.holdsNumbers) return lostDigits(numbers);
  const zero = numbers.find(({ group }) => [group.least, group.greatest].some((value) => /^0[0-9]/.test(digitsOf(value))));
  if (zero !== undefined) return `numbers would lose the zeros in front, ${example(zero.group)}`;
  const plus = numbers.filter(({ number }) => number.sign === "+").reduce((sum, { group }) => sum + group.count, 0);
  if (plus === good)
    return `numbers would lose the + in front, ${example(numbers[0]?.group ?? { shape: "", count: 0, least: "+", greatest: "", padded: 0 })}`;
  const code = counted.find(({ group }) => /^9+[eE]9+$/.test(group.shape));
  if (code !== undefined) return `values look like codes rather than numbers, ${example(code.group)}`;
  const other = isCodeName(column.name) ? counted.find(({ number, isMissing }) => number === undefined && !isMissing) : undefined;
  if (other !== undefined) return `by its name it holds codes, of which '${other.group.least.slice(0, 40)}' is no number`;
  return lostDigits(numbers);
}

/** Numbers with an exponent are doubles, in which long integers lose digits. */
function lostDigits(numbers: Numbers): string | undefined {
  if (!numbers.some(({ number }) => number.hasExponent)) return undefined;
  const long = numbers.find(
    ({ number, group }) =>
      !number.hasExponent &&
      number.core.length >= 16 &&
      Math.abs(numberOf(group.greatest, { mark: ".", unit: number.unit, exact: null })) > maxExactInteger,
  );
  return long === undefined
    ? undefined
    : `beside a number with an exponent, as in 8.2E+17, long ones would lose digits, such as '${long.group.greatest.slice(0, 40)}'`;
}
