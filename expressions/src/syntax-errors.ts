import type { SyntaxNode, Tree } from "@lezer/common";
import * as terms from "./grammar/parser.terms.ts";
import { inQuotes } from "./quoting.ts";
import type { ExpressionError } from "./tree.ts";

interface Token {
  readonly type: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Tokens that a value stands before, of those that do not end one themselves. */
const endsValue = new Set<number>([terms.Name, terms.QuotedName, terms.Number, terms.Text, terms.Null, terms.True, terms.False, terms.End]);

/** Operators of other languages, and how they are written here. */
const foreignOperators: readonly (readonly [written: string, advice: string])[] = [
  ["!=", "'!=' is written '<>'."],
  ["==", "'==' is written '='."],
  ["&&", "'&&' is written 'and'."],
  ["**", "'**' is written power(a, b)."],
  ["::", "'::' is written text(…), number(…), integer(…) or time(…)."],
  ["^", "'^' is written power(a, b)."],
  ["&", "'&' is written '||', which joins texts."],
  ["!", "'!' is written 'not'."],
  [";", "A formula has no ';'."],
  ["“", "Texts stand in straight quotes: 'text'."],
  ["”", "Texts stand in straight quotes: 'text'."],
  ["‘", "Texts stand in straight quotes: 'text'."],
  ["’", "Texts stand in straight quotes: 'text'."],
];

/** Words of other languages that stand between values, and what to use. */
const foreignWords: Readonly<Record<string, string>> = {
  as: "There is no 'as'; see text, number, integer and time.",
  like: "There is no 'like'; see contains, starts_with and ends_with.",
  ilike: "There is no 'ilike'; see lower, contains, starts_with and ends_with.",
  rlike: "There is no 'rlike'; see contains, starts_with and ends_with.",
  similar: "There is no 'similar'; see contains, starts_with and ends_with.",
  mod: "There is no 'mod'; write a % b.",
  div: "There is no 'div'; write integer(a / b).",
  over: "There is no 'over': a formula sees one row.",
  from: "There is no 'from': a formula sees one row.",
};

/** The first mistake in the form of a text; undefined if the text has the form of a formula. */
export function syntaxError(text: string, tree: Tree): ExpressionError | undefined {
  const { tokens, firstError } = leavesOf(text, tree);
  const unclosed = tokens.find(({ type }) => type === terms.UnclosedText || type === terms.UnclosedName);
  if (unclosed !== undefined) {
    const what = unclosed.type === terms.UnclosedText ? "text" : "name";
    return at(unclosed, `The ${what} that begins here is never closed.`);
  }
  if (firstError === undefined) return undefined;
  if (text.trim() === "") return { message: "The formula is empty.", from: 0, to: text.length };
  const before = tokens.findLast(({ to }) => to <= firstError);
  const next = tokens.find(({ from }) => from >= firstError);
  return foreignOperator(text, firstError) ?? missing(before, next) ?? unbalanced(tokens, before, next) ?? unexpected(text, before, next);
}

const at = ({ from, to }: Pick<Token, "from" | "to">, message: string): ExpressionError => ({ message, from, to });

function foreignOperator(text: string, position: number): ExpressionError | undefined {
  for (const [written, advice] of foreignOperators)
    for (let from = Math.max(0, position - written.length + 1); from <= position; from += 1)
      if (text.startsWith(written, from)) return at({ from, to: from + written.length }, advice);
  return undefined;
}

/** The token before the mistake needs something behind it, and a value does not follow. */
function missing(before: Token | undefined, next: Token | undefined): ExpressionError | undefined {
  if (before === undefined || endsValue.has(before.type) || before.text === ")") return undefined;
  const from = before.to;
  if (before.type === terms.Case) {
    const message = "A case begins with a condition: case when … then … end.";
    return next === undefined ? { message, from, to: from } : at(next, message);
  }
  return { message: `Something is missing after ${inQuotes(before.text)}.`, from, to: from };
}

/** A parenthesis or a case without its end, or an end without its beginning. */
function unbalanced(tokens: readonly Token[], before: Token | undefined, next: Token | undefined): ExpressionError | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token === next) break;
    if (token.text === "(" || token.type === terms.Case) open.push(token);
    if (token.text === ")" || token.type === terms.End) open.pop();
  }
  const last = open.at(-1);
  if (next === undefined && last !== undefined) {
    if (last.text === "(") return at(last, "The parenthesis that opens here is never closed.");
    const hasThen = tokens.some(({ type, from }) => type === terms.Then && from > last.from);
    return at(last, hasThen ? "The case that begins here has no 'end'." : "The case that begins here has no 'then'.");
  }
  if (next?.text === ")" && last === undefined && before !== undefined) return at(next, "No parenthesis is open here.");
  return undefined;
}

function unexpected(text: string, before: Token | undefined, next: Token | undefined): ExpressionError {
  if (next === undefined) return { message: "Something is missing at the end.", from: text.length, to: text.length };
  const word = next.text.toLowerCase();
  if (before !== undefined && Object.hasOwn(foreignWords, word)) return at(next, foreignWords[word] ?? "");
  if (before === undefined) return at(next, `A formula does not begin with ${inQuotes(next.text)}.`);
  const areValues = endsValue.has(before.type) && (endsValue.has(next.type) || next.type === terms.FunctionName || next.text === "(");
  if (areValues) return at(next, `An operator is missing between ${inQuotes(before.text)} and ${inQuotes(next.text)}.`);
  return at(next, `${inQuotes(next.text)} does not fit here.`);
}

/** The tokens of a text, and where the parser found its first mistake. */
function leavesOf(text: string, tree: Tree): { tokens: readonly Token[]; firstError: number | undefined } {
  const tokens: Token[] = [];
  let firstError: number | undefined;
  const token = (type: number, from: number, to: number) => tokens.push({ type, text: text.slice(from, to), from, to });
  tree.iterate({
    enter(node) {
      if (node.type.isError) {
        firstError = firstError === undefined ? node.from : Math.min(firstError, node.from);
        if (isLeaf(node.node) && node.to > node.from) token(-1, node.from, node.to);
        return;
      }
      if (isLeaf(node.node) && node.to > node.from) token(node.type.id, node.from, node.to);
    },
  });
  return { tokens, firstError };
}

const isLeaf = (node: SyntaxNode): boolean => node.firstChild === null;
