import { FlowUnreadable, maxDepth } from "./flow-model.ts";

/** More objects, lists and values than any flow of the largest size has. */
const maxValues = 2_000_000;

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code("\\"), code(",")];
const [openBrace, closeBrace, openBracket, closeBracket] = [code("{"), code("}"), code("["), code("]")];

/** Throws FlowUnreadable for JSON that takes much memory or a deep stack to work with. Ignores whether it is valid. */
export function refuseJsonBomb(text: string): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString) {
      if (character === backslash) index += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === openBrace || character === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new FlowUnreadable("dangerous", `The JSON is nested more than ${maxDepth} deep.`);
    } else if (character === closeBrace || character === closeBracket) depth -= 1;
    else if (character === comma) values += 1;
  }
  if (values > maxValues) throw new FlowUnreadable("dangerous", `The JSON has more than ${maxValues} values.`);
}

/** Like `JSON.parse`, but throws FlowUnreadable with line and column, and never quotes the text. */
export function parseJson(text: string): unknown {
  refuseJsonBomb(text);
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = lineAndColumn(text, findSyntaxError(text));
    throw new FlowUnreadable("syntax", `This is not valid JSON: line ${line}, column ${column} is unexpected.`);
  }
}

/** Both from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "end";

/** Offset of the first character that no JSON text could have there; the length of the text if only its end is missing. */
export function findSyntaxError(text: string): number {
  const open: ("{" | "[")[] = [];
  let index = 0;
  let expected: Expected = "value";
  const afterValue = (): Expected => (open.length === 0 ? "end" : "comma-or-end");
  for (;;) {
    while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
    const character = text.charAt(index);
    if (character === "") return text.length;
    const closed = character === "}" ? "{" : character === "]" ? "[" : undefined;
    const mayClose = expected === "comma-or-end" || expected === "value-or-end" || expected === "key-or-end";
    if (closed !== undefined && mayClose && open.at(-1) === closed) {
      open.pop();
      index += 1;
      expected = afterValue();
    } else if (expected === "colon" && character === ":") {
      index += 1;
      expected = "value";
    } else if (expected === "comma-or-end" && character === ",") {
      index += 1;
      expected = open.at(-1) === "{" ? "key" : "value";
    } else if (expected === "value" || expected === "value-or-end") {
      if (character === "{" || character === "[") {
        open.push(character);
        index += 1;
        expected = character === "{" ? "key-or-end" : "value-or-end";
      } else {
        const scalar = readScalar(text, index);
        if (!scalar.isValid) return scalar.end;
        index = scalar.end;
        expected = afterValue();
      }
    } else if ((expected === "key" || expected === "key-or-end") && character === '"') {
      const key = readString(text, index);
      if (!key.isValid) return key.end;
      index = key.end;
      expected = "colon";
    } else return index;
  }
}

/** `end` is behind the scalar, or where it is invalid. */
interface Scalar {
  readonly isValid: boolean;
  readonly end: number;
}

function readScalar(text: string, start: number): Scalar {
  if (text.charAt(start) === '"') return readString(text, start);
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, start)) return { isValid: true, end: start + word.length };
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = start;
  const isNumber = number.test(text);
  return { isValid: isNumber, end: isNumber ? number.lastIndex : start };
}

function readString(text: string, start: number): Scalar {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) return { isValid: true, end: index + 1 };
    if (character < 0x20) return { isValid: false, end: index };
    if (character !== backslash) continue;
    const isEscape = /^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(index + 1, index + 6));
    if (!isEscape) return { isValid: false, end: index };
    index += 1;
  }
  return { isValid: false, end: text.length };
}
