import type { Accepted, FunctionDescription } from "./function-description.ts";
import { inQuotes, shortened } from "./quoting.ts";
import type { Expression, ExpressionType } from "./tree.ts";

const taken: Readonly<Record<Accepted, string>> = {
  text: "text",
  number: "a number",
  integer: "an integer",
  boolean: "a condition",
  time: "a time",
};
const given: Readonly<Record<ExpressionType, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  time: "a time",
};
const ordinals = ["first", "second", "third", "fourth"];

/** A part of the text as hints may repeat it, without the parentheses around it. */
const sourceOf = ({ span }: Expression, text: string): string => text.slice(span.from, span.to);
/** A text is quoted already. */
const shownSource = (arg: Expression, text: string): string =>
  arg.kind === "literal" && arg.type === "text" ? shortened(sourceOf(arg, text)) : inQuotes(sourceOf(arg, text));
const typeName = ({ type, numberKind }: Expression, isInteger = false): string =>
  isInteger && numberKind === "decimal" ? "a decimal" : given[type ?? "text"];

/** "'||' joins texts, and 'delay' is a number. Use text(delay)." `index` is that of the value. */
export function wrongType(
  description: FunctionDescription,
  index: number,
  takes: readonly Accepted[],
  arg: Expression,
  text: string,
): string {
  const place = description.parameters.length > 1 ? ` as its ${ordinals[index] ?? "last"} value` : "";
  const types = takes
    .map((one) => taken[one])
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
  const what = description.does ?? `takes ${types}${place}`;
  // Of a case, only conditions may be of a wrong type.
  const subject = description.name === "case" ? "'when' takes a condition" : `${written(description)} ${what}`;
  const is = `${shownSource(arg, text)} is ${typeName(arg, takes.includes("integer"))}`;
  return sentences(`${subject}, and ${is}.`, hintFor(description, takes.length < 3 ? takes.at(-1) : undefined, arg, text));
}

/** "'=' compares values of one type: 'origin' is text and 'code' is a number. Use text(code) or number(origin)." */
export function differentTypes(description: FunctionDescription, first: Expression, other: Expression, text: string): string {
  const subject = `${written(description)} ${description.does === undefined ? "takes values of one type" : sameType(description.does)}`;
  const [one, two] = [first, other].map((arg) => `${shownSource(arg, text)} is ${typeName(arg)}`);
  const find = (type: ExpressionType): Expression | undefined => [first, other].find((arg) => arg.type === type);
  const [ofText, ofNumber, ofTime] = [find("text"), find("number"), find("time")];
  const use = (name: string, arg: Expression): string => `${name}(${shortened(sourceOf(arg, text))})`;
  const hint =
    ofText && ofNumber
      ? `Use ${use("text", ofNumber)} or ${use("number", ofText)}.`
      : ofText && ofTime
        ? `Use ${use("time", ofText)}.`
        : ofNumber && ofTime
          ? `Use ${use("epoch", ofTime)} or ${use("time", ofNumber)}.`
          : "";
  return sentences(`${subject}: ${one} and ${two}.`, hint);
}

const sentences = (...all: readonly string[]): string => all.filter((one) => one !== "").join(" ");

const sameType = (does: string): string => (does.startsWith("compares") ? "compares values of one type" : does);

/** Operators are quoted, functions are not. */
function written({ name, does }: FunctionDescription): string {
  if (does === undefined || name === "case") return name;
  return name === "negate" ? "'-'" : `'${name}'`;
}

function hintFor({ name }: FunctionDescription, needed: Accepted | undefined, arg: Expression, text: string): string {
  const source = shortened(sourceOf(arg, text));
  if (name === "+" && arg.type === "text") return "Texts are joined with '||'.";
  if (name === "+" && arg.type === "time") return `Use add(${source}, …, 'day').`;
  if (name === "-" && arg.type === "time") return "Use days_between or seconds_between.";
  const isConvertible = arg.type === "text" || arg.type === "number";
  if (needed === "text") return `Use text(${source}).`;
  if (needed === "number" && !isConvertible) return arg.type === "time" ? `Use epoch(${source}).` : `Use if(${source}, 1, 0).`;
  if (needed === "boolean") return "Compare it with a value.";
  return needed !== undefined && isConvertible ? `Use ${needed}(${source}).` : "";
}
