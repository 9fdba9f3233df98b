import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { FunctionDescription, Takes } from "@fairway/expressions/function-description";
import { describeFunction, findCalled, functionTable } from "@fairway/expressions/functions";
import { printName } from "@fairway/expressions/print";
import type { ExpressionColumn } from "@fairway/expressions/tree";
import { addUnits, startUnits } from "@fairway/expressions/units";

export interface CompletedColumn extends ExpressionColumn {
  readonly unit?: string | undefined;
  /** A value that the column has. */
  readonly example?: string | undefined;
}

const words = [
  "and",
  "or",
  "not",
  "in (",
  "between",
  "is null",
  "is not null",
  "case when",
  "then",
  "else",
  "end",
  "null",
  "true",
  "false",
];

const typeNames = {
  STRING: "text",
  BOOLEAN: "true or false",
  integer: "number",
  decimal: "number",
  TIMESTAMP_SECONDS: "time",
  TIMESTAMP_MILLS: "time",
} as const;

/** Completes columns and functions, each with its type and an example, and in texts the units and zones that a function takes there. */
export const formulaCompletions =
  (columns: () => readonly CompletedColumn[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (node.name === "Text" || node.name === "UnclosedText") return wordsOfText(context, node);
    const word = node.firstChild === null ? context.state.sliceDoc(node.from, context.pos) : "";
    const isQuoted = /^["[]/.test(word);
    const isWord = isQuoted || /^[\p{L}_]/u.test(word);
    if (!isWord && !context.explicit) return null;
    const from = isWord ? node.from : context.pos;
    const own = columns().map((column) => columnOption(column, isQuoted));
    if (isQuoted) return { from: from + 1, options: own, validFor: /^[^"\]]*$/ };
    const functions = functionTable.flatMap((description) =>
      findCalled(description.name) === undefined ? [] : [functionOption(description)],
    );
    const keywords = words.map((label): Completion => ({ label, type: "keyword", boost: -1 }));
    return { from, options: [...own, ...functions, ...keywords], validFor: /^[\p{L}\p{M}\p{N}_]*$/u };
  };

function columnOption({ name, type, day, unit, example }: CompletedColumn, isQuoted: boolean): Completion {
  const kind = [day === true ? "day" : typeNames[type], ...(unit === undefined ? [] : [unit])].join(", ");
  return {
    label: name,
    type: "column",
    detail: example === undefined ? kind : `${kind} · ${example}`,
    boost: 1,
    apply: isQuoted ? (view, _completion, from, to) => replaceQuoted(view, name, from - 1, to) : printName(name),
  };
}

/** Takes the quotes that were typed away, unless the name needs them. */
function replaceQuoted(view: EditorView, name: string, from: number, to: number): void {
  const after = view.state.sliceDoc(to, to + 1);
  const end = after === '"' || after === "]" ? to + 1 : to;
  const insert = printName(name);
  view.dispatch({ changes: { from, to: end, insert }, selection: { anchor: from + insert.length } });
}

function functionOption({ name, signature, example, gives, description }: FunctionDescription): Completion {
  return {
    label: name,
    displayLabel: signature,
    type: "function",
    detail: description,
    info: `${example} = ${gives}`,
    apply: (view, _completion, from, to) => {
      const opened = view.state.sliceDoc(to, to + 1) === "(";
      const insert = opened ? name : `${name}()`;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + name.length + 1 } });
    },
  };
}

/** The texts that a function knows at this place. */
function wordsOfText(context: CompletionContext, node: ReturnType<typeof syntaxTree>["topNode"]): CompletionResult | null {
  const known = namesFor(takenAt(context, node));
  if (known.length === 0) return null;
  const isClosed = node.name === "Text";
  const options = known.map((label): Completion => ({ label, type: "text", apply: isClosed ? label : `${label}'` }));
  return { from: node.from + 1, to: isClosed ? node.to - 1 : node.to, options, filter: true, validFor: /^[\w/+-]*$/ };
}

function takenAt(context: CompletionContext, node: ReturnType<typeof syntaxTree>["topNode"]): Takes | undefined {
  const call = node.parent?.name === "Arguments" ? node.parent.parent : null;
  const name = call?.getChild("FunctionName");
  const called = name ? findCalled(context.state.sliceDoc(name.from, name.to)) : undefined;
  if (called === undefined) return undefined;
  let index = 0;
  for (let before = node.prevSibling; before !== null; before = before.prevSibling) if (before.name === ",") index += 1;
  return describeFunction(called).parameters[index]?.takes;
}

function namesFor(takes: Takes | undefined): readonly string[] {
  if (takes === "start unit") return startUnits;
  if (takes === "add unit") return addUnits;
  return takes === "zone" ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : [];
}
