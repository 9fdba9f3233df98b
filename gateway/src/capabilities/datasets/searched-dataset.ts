import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { ErrorItem } from "@fairway/contract/errors";
import { Refusal } from "#http/refusal.ts";
import { plainColumnOf } from "#query/derived-columns.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { DerivedColumns, type FindOther } from "./derived-dataset.ts";

/** Of all problems of a search, as many are told. */
const maxProblems = 10;

/** A dataset with the columns that a search adds. `base`: the path of the search within the body. */
export function searchedDataset(
  dataset: Omit<SearchableDataset, "deriving">,
  { computed = [], lookups = [] }: SearchColumns,
  findOther: FindOther,
  base = "",
): SearchableDataset {
  const deriving: SearchableDataset["deriving"] = (search, path) => searchedDataset(dataset, search, findOther, path);
  if (computed.length === 0 && lookups.length === 0) return { ...dataset, deriving };
  const at = (path: string) => (base === "" ? path : `${base}.${path}`);
  const { queryable, columns } = dataset;
  if (queryable.source.kind === "rest") {
    const [what, path] = computed.length > 0 ? (["compute", "computed"] as const) : (["look up", "lookups"] as const);
    throw new Refusal("not-supported", `The service behind this dataset cannot ${what} columns.`, { path: at(path) });
  }
  const derived = new DerivedColumns(queryable.source, columns, queryable.derived);
  const named = computed.map((column, index) => ({ ...column, path: `computed.${index}.expression` }));
  derived.add({ computed: named, lookups }, findOther);
  const [first, ...others] = derived.problems
    .slice(0, maxProblems)
    .map(({ path, ...problem }): ErrorItem => Object.assign(problem, { path: at(path) }));
  if (first !== undefined) throw Refusal.of([first, ...others]);
  const made = [...derived.made.values()];
  return {
    ...dataset,
    columns: [...columns, ...made],
    queryable: { ...queryable, columns: [...queryable.columns, ...made.map(plainColumnOf)], derived: derived.steps },
    deriving,
  };
}
