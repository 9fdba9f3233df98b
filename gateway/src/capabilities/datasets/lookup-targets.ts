import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import type { Lookup } from "@fairway/contract/derived-columns";
import type { LookupTarget as ListedTarget } from "@fairway/contract/lookups";
import type { DatasetSource } from "#query/engine.ts";
import { likelyKeys, sureLikeness } from "#query/likely-keys.ts";
import { type LookupTarget, lookupProblem } from "#query/lookup-rules.ts";
import type { Dataset, DatasetView } from "./dataset.ts";
import { type FindDataset, otherDatasets } from "./dataset-view.ts";

/** The datasets that one may look up, as its reader knows them. */
export function lookupTargets(dataset: DatasetView, find: FindDataset, hasRowsPerReader: (source: DatasetSource) => boolean) {
  const others = otherDatasets(find);
  const found = (ref: DatasetRef): LookupTarget | undefined => {
    const other = others(ref);
    const described = find(ref);
    if (other === undefined || described === undefined) return undefined;
    return { ...other, isWhole: !hasRowsPerReader(other.source), linked: linkedPairs(dataset, described, find) };
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
function linkedPairs(dataset: Dataset, other: Dataset, find: FindDataset): Pairs {
  const names = new Set(other.schema.columns.map(({ name }) => name));
  const ours = pairsOf(dataset, (ref) => find(ref) !== undefined).filter(({ on }) => names.has(on));
  const theirs = pairsOf(other, ({ datasetCategory, datasetId }) => datasetCategory === dataset.category && datasetId === dataset.id);
  return [...ours, ...theirs.map(({ column, on }) => ({ column: on, on: column }))];
}

const pairsOf = ({ linkedDatasets }: Dataset, to: (dataset: DatasetRef) => boolean): Pairs =>
  linkedDatasets
    .filter(to)
    .flatMap(({ filters }) =>
      filters.flatMap(({ name, operator, fromColumn }) =>
        operator === "=" && fromColumn !== undefined ? [{ column: fromColumn, on: name }] : [],
      ),
    );
