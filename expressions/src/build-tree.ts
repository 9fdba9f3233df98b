import type { SyntaxNode, Tree } from "@lezer/common";
import { similarName } from "@fairway/contract/filter-similar-name";
import { CallChecker, type Report } from "./check-call.ts";
import { Columns } from "./columns.ts";
import { foreignHint } from "./foreign-functions.ts";
import { findCalled } from "./functions.ts";
import * as terms from "./grammar/parser.terms.ts";
import { inQuotes } from "./quoting.ts";
import {
  calledNames,
  type Call,
  type Expression,
  type ExpressionColumn,
  type FunctionName,
  type Literal,
  type OperatorName,
  type Span,
} from "./tree.ts";

const [leastInteger, mostInteger] = [-(2n ** 63n), 2n ** 63n - 1n];

const isOperand = ({ type }: SyntaxNode): boolean => !notOperands.has(type.id) && !["(", ")", ","].includes(type.name);
const notOperands = new Set<number>([
  terms.Minus,
  terms.Plus,
  terms.Product,
  terms.Concatenation,
  terms.Comparison,
  terms.And,
  terms.Or,
  terms.Not,
  terms.In,
  terms.Between,
  terms.Is,
  terms.Case,
  terms.When,
  terms.Then,
  terms.Else,
  terms.End,
  terms.FunctionName,
]);

/** Makes the typed tree of a text that has the form of a formula. Answers undefined for parts with an error, which is reported. */
export class TreeBuilder {
  readonly #text: string;
  readonly #columns: Columns;
  readonly #report: Report;
  readonly #calls: CallChecker;
  /** How many values, columns, functions and operators there are. */
  nodes = 0;

  constructor(text: string, columns: readonly ExpressionColumn[], report: Report) {
    this.#text = text;
    this.#columns = new Columns(columns);
    this.#report = report;
    this.#calls = new CallChecker(text, report);
  }

  build(tree: Tree): Expression | undefined {
    const top = tree.topNode.firstChild;
    return top === null ? undefined : this.#expression(top);
  }

  #expression(node: SyntaxNode): Expression | undefined {
    const span = { from: node.from, to: node.to };
    if (node.type.id === terms.Parenthesized) return this.#only(node);
    this.nodes += 1;
    switch (node.type.id) {
      case terms.Number:
        return this.#number(this.#textOf(node), span);
      case terms.Text:
        return { ...untyped, kind: "literal", type: "text", value: this.#textOf(node).slice(1, -1).replaceAll("''", "'"), span };
      case terms.True:
      case terms.False:
        return { ...untyped, kind: "literal", type: "boolean", value: node.type.id === terms.True, span };
      case terms.Null:
        return { ...untyped, kind: "literal", type: null, value: null, span };
      case terms.Column:
        return this.#column(this.#textOf(node), span);
      case terms.Call:
        return this.#called(node, span);
      case terms.CaseExpression:
        return this.#calls.check("case", this.#operands(node), span);
      case terms.UnaryMinus:
        return this.#negated(node, span);
      case terms.UnaryNot:
        return this.#calls.check("not", this.#operands(node), span);
      case terms.NullTest:
        // The `null` of `is null` is a word of it, no operand.
        return this.#perhapsNot(node, this.#calls.check("is null", this.#operands(node).slice(0, 1), span), span);
      case terms.Membership:
        return this.#perhapsNot(node, this.#calls.check("in", this.#operands(node), span), span);
      case terms.Range:
        return this.#perhapsNot(node, this.#calls.check("between", this.#operands(node), span), span);
      default:
        return this.#calls.check(this.#operatorOf(node), this.#operands(node), span);
    }
  }

  #textOf({ from, to }: Span): string {
    return this.#text.slice(from, to);
  }

  #operands(node: SyntaxNode): (Expression | undefined)[] {
    const operands = node.type.id === terms.Call ? (node.lastChild ?? node) : node;
    const found: (Expression | undefined)[] = [];
    for (let child = operands.firstChild; child !== null; child = child.nextSibling) {
      if (node.type.id === terms.NullTest && found.length > 0) break;
      if (isOperand(child)) found.push(this.#expression(child));
    }
    return found;
  }

  #only(node: SyntaxNode): Expression | undefined {
    return this.#operands(node)[0];
  }

  #operatorOf(node: SyntaxNode): OperatorName {
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (!isOperand(child) && child.type.name !== "(") return this.#textOf(child).toLowerCase() as OperatorName;
    throw new Error(`${node.name} has no operator.`);
  }

  #perhapsNot(node: SyntaxNode, tested: Call | undefined, span: Span): Call | undefined {
    if (node.getChild(terms.Not) === null) return tested;
    this.nodes += 1;
    return this.#calls.check("not", [tested], span);
  }

  /** The minus of a number that is written belongs to it: -9223372036854775808 is an integer, but its digits alone are none. */
  #negated(node: SyntaxNode, span: Span): Expression | undefined {
    let inner = node.lastChild;
    while (inner?.type.id === terms.Parenthesized) inner = inner.firstChild?.nextSibling ?? null;
    if (inner?.type.id === terms.Number) return this.#number(`-${this.#textOf(inner)}`, span);
    const [operand] = this.#operands(node);
    if (operand?.kind !== "literal" || operand.type !== "number") return this.#calls.check("negate", [operand], span);
    return this.#number(operand.text.startsWith("-") ? operand.text.slice(1) : `-${operand.text}`, span);
  }

  #number(text: string, span: Span): Literal | undefined {
    const typed = { kind: "literal", type: "number", day: false, text, span } as const;
    if (/^-?\d+$/.test(text)) {
      const value = BigInt(text);
      if (value >= leastInteger && value <= mostInteger) return { ...typed, numberKind: "integer", value };
      return this.#report.add(span, `${inQuotes(text)} is no integer of 64 bits. Write it as a decimal, with a point.`);
    }
    const value = Number(text);
    if (Number.isFinite(value)) return { ...typed, numberKind: "decimal", value };
    return this.#report.add(span, `${inQuotes(text)} is too large.`);
  }

  #column(written: string, span: Span): Expression | undefined {
    const quote = /^["[]/.exec(written)?.[0] ?? "";
    const close = quote === "[" ? "]" : '"';
    const name = quote === "" ? written : written.slice(1, -1).replaceAll(close + close, close);
    const found = this.#columns.find(name, quote, span);
    return typeof found === "string" ? this.#report.add(span, found) : found;
  }

  #called(node: SyntaxNode, span: Span): Call | undefined {
    const called = node.firstChild ?? node;
    const name = this.#textOf(called);
    const args = this.#operands(node);
    const known: FunctionName | undefined = findCalled(name);
    if (known !== undefined) return this.#calls.check(known, args, span, called);
    return this.#report.add(called, `There is no function ${inQuotes(name)}${foreignHint(name) ?? this.#similar(name)}`);
  }

  #similar(name: string): string {
    const similar = similarName(name, calledNames);
    return similar === undefined ? "." : `. Did you mean ${inQuotes(similar)}?`;
  }
}

const untyped = { numberKind: null, day: false } as const;
