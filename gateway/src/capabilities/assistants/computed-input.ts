import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { computedColumn, derivedColumnLimits } from "@fairway/contract/derived-columns";
import { recordOf } from "@fairway/contract/records";
import type { SearchDataDraft } from "@fairway/contract/search";
import { check } from "@fairway/expressions/check";
import type { z } from "zod";
import { Refusal } from "#http/refusal.ts";

const { name, expression } = computedColumn.shape;

/** Columns that are computed for a search, by their names. */
export const computedInput = recordOf(name, expression)
  .refine((columns) => Object.keys(columns).length <= derivedColumnLimits.computedOfSearch, "has too many columns")
  .optional()
  .describe(
    'Columns to compute for this search from those of each row, by name, such as {"late": "delay > 15"}. Filters, sort, columns and groupings may name them, and later ones may use earlier ones.',
  );
type Computed = NonNullable<z.output<typeof computedInput>>;

export const computedOf = (columns: Computed): Pick<SearchDataDraft, "computed"> => {
  const computed = Object.entries(columns).map(([column, formula]) => ({ name: column, expression: formula }));
  return computed.length === 0 ? {} : { computed };
};

/** The description with these columns. Refuses what is no formula over the dataset's columns. */
export function withComputed(description: DatasetDescription, computed: Computed): DatasetDescription {
  const columns: Column[] = [...description.schema.columns];
  for (const [column, formula] of Object.entries(computed)) {
    const plain = columns.filter(({ combined }) => combined === null);
    const { result, errors } = check(formula, plain);
    if (errors !== undefined) throw new Refusal("invalid-value", errors[0]?.message ?? "", { path: `computed.${column}` });
    columns.push({ name: column, type: result.type, description: "", combined: null, ...(result.day ? { day: true } : {}) });
  }
  return { ...description, schema: { columns } };
}
