import type { Column } from "@fairway/contract/columns";

/** The columns with one of them at the place of another. */
export function withMoved(columns: readonly Column[], name: string, target: string): Column[] {
  const from = columns.findIndex((column) => column.name === name);
  const to = columns.findIndex((column) => column.name === target);
  const moved = columns[from];
  if (moved === undefined || to < 0) return [...columns];
  return columns.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** Fields of a column that the form edits; an empty one is left out of the column. */
export type ColumnChange = { label?: string; unit?: string; description?: string; hidden?: boolean };

export function withChange(column: Column, { label, unit, description, hidden }: ColumnChange): Column {
  const changed = { ...column };
  if (description !== undefined) changed.description = description;
  if (label !== undefined) assignText(changed, "label", label);
  if (unit !== undefined) assignText(changed, "unit", unit);
  if (hidden === true) changed.hidden = true;
  if (hidden === false) delete changed.hidden;
  return changed;
}

/** Changes these columns and leaves the others as they are, so that their rows need not be drawn again. */
export const withChanges = (columns: readonly Column[], names: ReadonlySet<string>, change: ColumnChange): Column[] =>
  columns.map((column) => (names.has(column.name) ? withChange(column, change) : column));

function assignText(column: Column, field: "label" | "unit", text: string): void {
  if (text === "") delete column[field];
  else column[field] = text;
}
