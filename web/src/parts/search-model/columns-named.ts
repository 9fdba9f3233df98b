import type { Column } from "@fairway/contract/columns";

/** The columns with these names, in their order. */
export function columnsNamed(columns: readonly Column[], names: readonly string[]): Column[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return names.flatMap((name) => byName.get(name) ?? []);
}
