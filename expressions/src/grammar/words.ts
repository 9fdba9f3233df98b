import { ExternalTokenizer, type InputStream, type Stack } from "@lezer/lr";
import * as terms from "./parser.terms.ts";

/** Words that join or close, which only fit after a value. */
const joining: ReadonlyMap<string, number> = new Map([
  ["and", terms.And],
  ["or", terms.Or],
  ["in", terms.In],
  ["between", terms.Between],
  ["is", terms.Is],
  ["not", terms.Not],
  ["when", terms.When],
  ["then", terms.Then],
  ["else", terms.Else],
  ["end", terms.End],
]);

const constants: ReadonlyMap<string, number> = new Map([
  ["null", terms.Null],
  ["true", terms.True],
  ["false", terms.False],
]);

/** Before these, `not` is a column. */
const followsColumn = new Set(["and", "or", "in", "between", "is"]);

const letter = /^[\p{L}_]$/u;
const letterOrDigit = /^[\p{L}\p{M}\p{N}_]$/u;
/** The space of the grammar. */
const space = /^[ \t\n\r\u00a0\u202f\u3000\u2028\u2029]$/;
const beginsValue = /^[\p{L}\p{N}_'"[(.-]$/u;

/** The character at an offset from the present position, of one or two UTF-16 units. Empty at the end. */
function characterAt(input: InputStream, offset: number): string {
  const first = input.peek(offset);
  if (first < 0) return "";
  const second = first >= 0xd800 && first < 0xdc00 ? input.peek(offset + 1) : -1;
  return second >= 0xdc00 && second < 0xe000 ? String.fromCharCode(first, second) : String.fromCharCode(first);
}

/** The word at an offset, empty if there is none. */
function wordAt(input: InputStream, offset: number): string {
  let word = "";
  for (
    let next = characterAt(input, offset);
    (word === "" ? letter : letterOrDigit).test(next);
    next = characterAt(input, offset + word.length)
  )
    word += next;
  return word;
}

/**
 * Names, names of functions and keywords, in any case. The same word may be a column or a keyword: a keyword only counts where the
 * grammar has a place for it, and of those that may also begin a value, `not` and `case` count if a value follows.
 */
export const words = new ExternalTokenizer(
  (input, stack) => {
    const word = wordAt(input, 0);
    if (word === "") return;
    let after = word.length;
    while (space.test(characterAt(input, after))) after += 1;
    input.acceptToken(termOf(word.toLowerCase(), stack, characterAt(input, after), wordAt(input, after).toLowerCase()), word.length);
  },
  { contextual: true },
);

function termOf(word: string, stack: Stack, next: string, nextWord: string): number {
  const isAfterValue = !stack.canShift(terms.Name);
  const keyword = joining.get(word);
  const isBeforeValue = beginsValue.test(next);
  const fits = isAfterValue || (word === "not" && isBeforeValue && !followsColumn.has(nextWord));
  if (keyword !== undefined && fits && stack.canShift(keyword)) return keyword;
  if (word === "case" && !isAfterValue && isBeforeValue && (nextWord === "when" || !joining.has(nextWord))) return terms.Case;
  if (next === "(") return terms.FunctionName;
  return constants.get(word) ?? terms.Name;
}
