import type { Column } from "@fairway/contract/columns";
import { check } from "@fairway/expressions/check";
import type { DatasetDraft } from "./dataset-draft.ts";

/** The column with another formula, and the type that follows from it. While the formula has mistakes, the type stays. */
export function withExpression(column: Column, expression: string, usable: readonly Column[]): Column {
  const { day: _, ...rest } = column;
  const { result } = check(expression, usable);
  if (result === undefined) return { ...column, computed: { expression } };
  return { ...rest, type: result.type, computed: { expression }, ...(result.day ? { day: true } : {}) };
}

/** The draft with a new computed column at the end. */
export function withComputed({ schema }: DatasetDraft): Partial<DatasetDraft> {
  const taken = new Set(schema.columns.map(({ name }) => name.toLowerCase()));
  let number = 1;
  while (taken.has(`computed_${number}`)) number += 1;
  const column: Column = { name: `computed_${number}`, type: "STRING", description: "", combined: null, computed: { expression: "" } };
  return { schema: { ...schema, columns: [...schema.columns, column] } };
}

/** The draft with a computed column before the one that was computed before it. */
export function withEarlier({ schema }: DatasetDraft, index: number): Partial<DatasetDraft> {
  const before = schema.columns.findLastIndex((one, at) => at < index && one.computed !== undefined);
  const moved = schema.columns[index];
  if (before < 0 || moved === undefined) return {};
  return { schema: { ...schema, columns: schema.columns.toSpliced(index, 1).toSpliced(before, 0, moved) } };
}

/**
 * The computed columns whose formulas have no mistake now, and would have one without these looked-up columns. Columns that are computed
 * from such columns are among them.
 */
export function computedFrom(gone: ReadonlySet<string>, { schema }: DatasetDraft, lookedUp: readonly Column[]): string[] {
  const broken: string[] = [];
  const usable = (at: number) => [
    ...schema.columns.filter((one, index) => one.combined === null && (one.computed === undefined || index < at)),
    ...lookedUp,
  ];
  for (const [index, { name, computed }] of schema.columns.entries()) {
    if (computed === undefined) continue;
    const now = usable(index);
    const left = now.filter((one) => !broken.includes(one.name) && !(gone.has(one.name) && lookedUp.includes(one)));
    if (check(computed.expression, now).result !== undefined && check(computed.expression, left).result === undefined) broken.push(name);
  }
  return broken;
}
