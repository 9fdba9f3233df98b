import { afterBlanks, clausesOf, type TextColumn } from "./filter-clauses.ts";
import { type PlainOperator, startsLongerSign } from "./filter-words.ts";

/** The part of a text that is typed at its end. `from` is where that part starts. */
export type TypingStage<Column extends TextColumn = TextColumn> =
  | { readonly kind: "column"; readonly from: number; readonly typed: string }
  | { readonly kind: "operator"; readonly from: number; readonly typed: string; readonly field: Column }
  | {
      readonly kind: "value";
      /** Start of its condition. */
      readonly clauseFrom: number;
      readonly from: number;
      readonly typed: string;
      readonly field: Column;
      readonly operator: PlainOperator;
      /** Values of the same list that are typed before it. */
      readonly before: readonly string[];
    }
  | { readonly kind: "done" };

/** The part of a filter that a person is typing at the end of a text. */
export function typingStage<Column extends TextColumn>(text: string, columns: readonly Column[]): TypingStage<Column> {
  const clause = clausesOf(text, columns, true).at(-1);
  if (!clause || clause.closes > 0) return { kind: "done" };
  const { column, condition, values } = clause;
  const field = columns.find((one) => one === clause.field);
  if (condition === null) {
    const afterColumn = text.slice(column.to);
    if (field && afterColumn.trimStart() !== afterColumn) {
      const from = afterBlanks(text, column.to);
      return { kind: "operator", field, from, typed: text.slice(from) };
    }
    return { kind: "column", from: column.from, typed: text.slice(column.from) };
  }
  if (!field || condition.isEmpty) return { kind: "done" };
  if (condition.to === text.length && mayGoOn(condition.text))
    return { kind: "operator", field, from: condition.from, typed: condition.text };
  const value = values.at(-1);
  if (!value || (value.isQuoted && isClosed(text, value))) return { kind: "done" };
  return {
    kind: "value",
    field,
    operator: condition.operator,
    clauseFrom: column.from,
    from: value.from,
    typed: value.text,
    before: values.slice(0, -1).map((one) => one.text),
  };
}

/**
 * The start of the alternative that is open at the end of a text: what is typed next holds together with the conditions from there
 * on, while those before belong to other alternatives. 0 where none is open.
 */
export function openAlternative(text: string, columns: readonly TextColumn[]): number {
  const starts = [0];
  for (const { opens, closes, column, link, next } of clausesOf(text, columns, true)) {
    if (opens > 0) starts.push(column.from);
    if (closes > 0 && starts.length > 1) starts.pop();
    if (link === "or") starts.splice(-1, 1, next ?? text.length);
  }
  return starts.at(-1) ?? 0;
}

/** An operator without anything after it may become another one, and a word may be the start of a longer one. */
const mayGoOn = (typed: string): boolean => /\p{L}$/u.test(typed) || startsLongerSign(typed);

const isClosed = (text: string, { from, to }: { from: number; to: number }): boolean =>
  to === text.length ? text.length > from + 1 && /["']$/.test(text) : true;
