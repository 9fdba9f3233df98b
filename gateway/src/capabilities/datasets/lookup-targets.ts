import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import type { Lookup } from "@fairway/contract/derived-columns";
import type { LookupTarget as ListedTarget } from "@fairway/contract/lookups";
import { likelyKeys, sureLikeness } from "#query/likely-keys.ts";
import { type LookupTarget, lookupProblem } from "#query/lookup-rules.ts";
import type { DatasetView } from "./dataset.ts";
import type { FindOther } from "./derived-dataset.ts";

type FindView = (ref: DatasetRef) => DatasetView | undefined;

interface Others {
  readonly findView: FindView;
  readonly findOther: FindOther;
  /** Whether figures of all rows are those of the reader's rows. */
  readonly isWhole: (dataset: DatasetView) => boolean;
}

/** The datasets that one may look up, as its reader knows them. */
export function lookupTargets(dataset: DatasetView, { findView, findOther, isWhole }: Others) {
  const found = (ref: DatasetRef): LookupTarget | undefined => {
    const other = findOther(ref);
    const described = findView(ref);
    if (other === undefined || described === undefined) return undefined;
    return { ...other, isWhole: isWhole(described), linked: linkedPairs(dataset, described, findView) };
  };
  return {
    find: found,
    /** Every dataset of an access list but this one, in its order. */
    list: (access: AccessList): ListedTarget[] =>
      access
        .flatMap((category) => category.datasets)
        .flatMap(({ datasetCategory, datasetId }) => {
          const isThis = datasetCategory === dataset.category && datasetId === dataset.id;
          const other = isThis ? undefined : found({ datasetCategory, datasetId });
          if (other === undefined) return [];
          const [likely] = likelyKeys(dataset.schema.columns, other.columns, other.linked);
          return {
            datasetCategory,
            datasetId,
            reason: lookupProblem(dataset.source, { ...other, id: datasetId })?.message ?? null,
            key: likely === undefined || likely.likeness < sureLikeness ? null : { column: likely.column, on: likely.on },
          };
        }),
  };
}

type Pairs = Lookup["key"];

/** Columns that links between the two name, and those of this one by the names that its links to any dataset give its columns. */
function linkedPairs(dataset: DatasetView, other: DatasetView, find: FindView): Pairs {
  const names = new Set(other.schema.columns.map(({ name }) => name));
  const ours = pairsOf(dataset, (ref) => find(ref) !== undefined).filter(({ on }) => names.has(on));
  const theirs = pairsOf(other, ({ datasetCategory, datasetId }) => datasetCategory === dataset.category && datasetId === dataset.id);
  return [...ours, ...theirs.map(({ column, on }) => ({ column: on, on: column }))];
}

const pairsOf = ({ linkedDatasets }: DatasetView, to: (dataset: DatasetRef) => boolean): Pairs =>
  linkedDatasets
    .filter(to)
    .flatMap(({ filters }) =>
      filters.flatMap(({ name, operator, fromColumn }) =>
        operator === "=" && fromColumn !== undefined ? [{ column: fromColumn, on: name }] : [],
      ),
    );
