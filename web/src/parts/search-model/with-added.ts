import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ComputedColumn } from "@fairway/contract/derived-columns";
import { check } from "@fairway/expressions/check";

/** A description with these columns at the end. A formula that does not fit its dataset makes none: the search says why. */
export function withAdded(description: DatasetDescription, computed: readonly ComputedColumn[]): DatasetDescription {
  const earlier = new Set(computed.map(({ name }) => name));
  const columns = description.schema.columns.filter(({ name }) => !earlier.has(name));
  for (const added of computed) columns.push(...columnOf(added, columns));
  return { ...description, schema: { ...description.schema, columns } };
}

function columnOf({ name, expression, unit, label }: ComputedColumn, columns: readonly Column[]): Column[] {
  const plain = columns.filter(({ combined }) => combined === null);
  const { result } = check(expression, plain);
  if (result === undefined) return [];
  const { type, day } = result;
  return [{ name, type, description: "", combined: null, unit, label, ...(day ? { day } : {}), computed: { expression } }];
}
