import type { Operator } from "./columns.ts";
import type { PlainFilter } from "./filters.ts";

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
const signs = (Object.keys(spellings) as Operator[])
  .flatMap((one) => spellings[one].map((spelling) => ({ operator: one, spelling })))
  .toSorted((one, other) => other.spelling.length - one.spelling.length);
const signCharacters = new Set(signs.flatMap(({ spelling }) => Array.from(spelling)));

/** Whether the text of a sign is the start of another one. */
export const startsLongerSign = (text: string): boolean => signs.some(({ spelling }) => spelling !== text && spelling.startsWith(text));

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
