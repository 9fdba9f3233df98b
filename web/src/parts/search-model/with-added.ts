import type { Column } from "@fairway/contract/columns";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ComputedColumn } from "@fairway/contract/derived-columns";
import { check } from "@fairway/expressions/check";
import { columnsIn, type Expression } from "@fairway/expressions/tree";

interface Made {
  readonly column: Column;
  readonly tree: Expression;
}

/** A description with these columns at the end. A formula that does not fit its dataset makes none: the search says why. */
export function withAdded(description: DatasetDescription, computed: readonly ComputedColumn[]): DatasetDescription {
  const earlier = new Set(computed.map(({ name }) => name));
  const columns = description.schema.columns.filter(({ name }) => !earlier.has(name));
  const made: Made[] = [];
  for (const added of computed) {
    const one = madeOf(added, columns);
    if (one === undefined) continue;
    made.push(one);
    columns.push(one.column);
  }
  const { access } = description;
  return {
    ...description,
    schema: { ...description.schema, columns },
    ...(access === undefined ? {} : { access: withMade(access, made) }),
  };
}

function madeOf({ name, expression, unit, label }: ComputedColumn, columns: readonly Column[]): Made | undefined {
  const plain = columns.filter(({ combined }) => combined === null);
  const { tree, result } = check(expression, plain);
  if (result === undefined) return undefined;
  const { type, day } = result;
  const column = { name, type, description: "", combined: null, unit, label, ...(day ? { day: true } : {}), computed: { expression } };
  return { column, tree };
}

/** With the columns that are computed from coarse ones, in any number of steps. The same one without any. */
function withMade(access: ReaderAccess, made: readonly Made[]): ReaderAccess {
  const coarse = new Set([...access.coarse.map(({ name }) => name), ...access.madeOfCoarse]);
  const known = coarse.size;
  for (const { column, tree } of made) if (columnsIn(tree).some((name) => coarse.has(name))) coarse.add(column.name);
  return coarse.size === known ? access : { ...access, madeOfCoarse: [...access.madeOfCoarse, ...[...coarse].slice(known)] };
}
