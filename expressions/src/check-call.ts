import { similarName } from "@fairway/contract/filter-similar-name";
import { isZone } from "@fairway/contract/time-zones";
import type { Accepted, FunctionDescription, Parameter, Takes } from "./function-description.ts";
import { arity, describeFunction } from "./functions.ts";
import { inQuotes } from "./quoting.ts";
import { differentTypes, wrongType } from "./type-errors.ts";
import type { Call, Expression, ExpressionType, FunctionName, NumberKind, Span } from "./tree.ts";
import { addUnits, dayUnits, startUnits } from "./units.ts";

/** Takes errors. Answers undefined, so that it can be returned in place of a tree. */
export interface Report {
  add(span: Span, message: string): undefined;
}

/** Checks the values of one function or operator, and answers the node of the tree. */
export class CallChecker {
  readonly #text: string;
  readonly #report: Report;

  constructor(text: string, report: Report) {
    this.#text = text;
    this.#report = report;
  }

  /** `args` has undefined for a value with an error of its own: then only the others are checked. `name` is where errors of the number of values are. */
  check(name: FunctionName, args: readonly (Expression | undefined)[], span: Span, called: Span = span): Call | undefined {
    const description = describeFunction(name);
    if (name === "case") return this.#case(description, args, span);
    const { least, most } = arity(description);
    if (args.length < least || args.length > most) return this.#report.add(called, wrongCount(description, args.length));
    const { parameters } = description;
    return this.#checked(
      description,
      args,
      args.map((_, index) => parameters[index] ?? parameters.at(-1) ?? anyValue),
      span,
    );
  }

  /** Conditions and results by turns; a last one without a condition is the result otherwise. */
  #case(description: FunctionDescription, args: readonly (Expression | undefined)[], span: Span): Call | undefined {
    const isOtherwise = (index: number) => index === args.length - 1 && index % 2 === 0;
    const parameters = args.map((_, index) =>
      index % 2 === 0 && !isOtherwise(index) ? condition : (description.parameters[0] ?? anyValue),
    );
    return this.#checked(description, args, parameters, span);
  }

  #checked(
    description: FunctionDescription,
    all: readonly (Expression | undefined)[],
    parameters: readonly Parameter[],
    span: Span,
  ): Call | undefined {
    const fit = parameters.map((parameter, index) => this.#fits(description, all[index], parameter, index));
    const alike = this.#areAlike(description, all, parameters, span);
    if (!fit.every(Boolean) || !alike) return undefined;
    const args = all.filter((arg) => arg !== undefined);
    const zone = args[parameters.findIndex(({ takes }) => takes === "zone")];
    if (zone !== undefined && args[0]?.day === true) {
      const source = this.#text.slice(args[0].span.from, args[0].span.to);
      return this.#report.add(zone.span, `${inQuotes(source)} has whole days, which are the same in every zone.`);
    }
    const alikeArgs = args.filter((_, index) => parameters[index]?.takes === "same" || parameters[index]?.takes === "orderable");
    const type = typeOf(description, alikeArgs);
    const numberKind = type === "number" ? kindOf(description, args, alikeArgs) : null;
    return {
      kind: "call",
      name: description.name,
      args,
      type,
      numberKind,
      day: type === "time" && isDay(description.name, args, alikeArgs),
      span,
    };
  }

  #fits(description: FunctionDescription, arg: Expression | undefined, { takes }: Parameter, index: number): boolean {
    if (arg === undefined) return false;
    if (takes === "any" || takes === "same" || takes === "orderable") return true;
    if (takes === "zone" || takes === "start unit" || takes === "add unit") return this.#isKnownWord(arg, takes, description, index);
    if (accepts(takes, arg)) return true;
    this.#report.add(arg.span, wrongType(description, index, takes, arg, this.#text));
    return false;
  }

  #isKnownWord(arg: Expression, takes: Takes, description: FunctionDescription, index: number): boolean {
    const isZoneName = takes === "zone";
    const refused = isZoneName
      ? "The zone is written in quotes, such as 'America/New_York'."
      : `The unit is written in quotes, such as 'month'.`;
    if (arg.kind !== "literal" || arg.type !== "text") return this.#refuse(arg, refused);
    if (isZoneName)
      return isZone(arg.value) || this.#refuse(arg, `${inQuotes(arg.value)} is not a time zone; name one such as America/New_York.`);
    const units: readonly string[] = takes === "start unit" ? startUnits : addUnits;
    if (units.includes(arg.value)) return true;
    const similar = similarName(arg.value, units);
    const advice =
      similar === undefined
        ? `${describeFunction(description.name).name} takes ${units.join(", ")}.`
        : `Did you mean ${inQuotes(similar)}?`;
    void index;
    return this.#refuse(arg, `There is no unit ${inQuotes(arg.value)}. ${advice}`);
  }

  #refuse({ span }: Expression, message: string): false {
    this.#report.add(span, message);
    return false;
  }

  /** Whether the values that must be of one type are. */
  #areAlike(
    description: FunctionDescription,
    args: readonly (Expression | undefined)[],
    parameters: readonly Parameter[],
    span: Span,
  ): boolean {
    const same = parameters.flatMap(({ takes }, index) => (takes === "same" || takes === "orderable" ? [{ takes, arg: args[index] }] : []));
    if (same.length === 0) return true;
    const typed = same.flatMap(({ arg }) => (arg === undefined || arg.type === null ? [] : [arg]));
    const [first] = typed;
    if (first === undefined) {
      if (same.every(({ arg }) => arg !== undefined)) this.#report.add(span, "All values are null here: one of them needs a type.");
      return false;
    }
    const other = typed.find(({ type }) => type !== first.type);
    if (other !== undefined) return this.#refuse(other, differentTypes(description, first, other, this.#text));
    if (first.type !== "boolean" || same[0]?.takes !== "orderable") return true;
    return this.#refuse(first, wrongType(description, 0, ["text", "number", "time"], first, this.#text));
  }
}

const anyValue: Parameter = { name: "value", takes: "any" };
const condition: Parameter = { name: "condition", takes: ["boolean"] };

/** Null stands for a value of any type. */
const accepts = (types: readonly Accepted[], { type, numberKind }: Expression): boolean =>
  type === null || types.some((one) => one === type || (one === "integer" && numberKind === "integer"));

function wrongCount(description: FunctionDescription, count: number): string {
  const { least, most } = arity(description);
  const counts =
    most === Infinity
      ? `at least ${least}`
      : most === least
        ? String(least)
        : most === least + 1
          ? `${least} or ${most}`
          : `${least} to ${most}`;
  return `${description.name} takes ${counts} ${counts.endsWith(" 1") || counts === "1" ? "value" : "values"}, not ${count}.`;
}

function typeOf({ result, parameters }: FunctionDescription, alike: readonly Expression[]): ExpressionType {
  if (result === "text" || result === "boolean" || result === "time") return result;
  const [first] = parameters;
  const isOfValues = result === "same" || (result === "first" && (first?.takes === "same" || first?.takes === "orderable"));
  return (isOfValues ? alike.find(({ type }) => type !== null)?.type : undefined) ?? "number";
}

function kindOf({ result }: FunctionDescription, args: readonly Expression[], alike: readonly Expression[]): NumberKind {
  if (result === "integer" || result === "decimal") return result;
  if (result === "first") return args[0]?.numberKind ?? alike[1]?.numberKind ?? "integer";
  const numbers = result === "same" ? alike : args;
  return numbers.some(({ numberKind }) => numberKind === "decimal") ? "decimal" : "integer";
}

/** Whether a time is a whole day. */
function isDay(name: FunctionName, args: readonly Expression[], alike: readonly Expression[]): boolean {
  const [time, , unit] = args;
  if (name === "start_of") return time?.day === true;
  if (name === "add") return time?.day === true && unit?.kind === "literal" && dayUnits.has(String(unit.value));
  const times = alike.filter(({ type }) => type === "time");
  return times.length > 0 && times.every(({ day }) => day);
}
