import { defaultOrder } from "@fairway/contract/internal-datasets";
import type { QueryEngine, QueryableDataset } from "#query/engine.ts";
import { ownConditionsOf } from "#query/own-conditions.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { DatasetView } from "./dataset.ts";

/** The part of a dataset that its engine needs. Throws EngineFailed if the dataset's own filters do not fit its columns. */
export function queryableOf(dataset: DatasetView, engine: Pick<QueryEngine, "features">): QueryableDataset {
  const columns = dataset.schema.columns.filter(({ combined }) => combined === null);
  return {
    category: dataset.category,
    id: dataset.id,
    source: dataset.source,
    scope: dataset.scope,
    columns,
    ...(dataset.derived === undefined ? {} : { derived: dataset.derived }),
    temporalField: dataset.temporalField,
    location: locationOf(dataset, dataset.locationField),
    orderBy: defaultOrder(dataset),
    ownConditions: ownConditionsOf(columns, dataset.filterSupport),
    features: featuresOf(dataset, engine),
  };
}

export const featuresOf = (dataset: DatasetView, engine: Pick<QueryEngine, "features">): QueryableDataset["features"] =>
  new Set(dataset.features.filter((feature) => engine.features.has(feature)));

export function mapOf(dataset: DatasetView): SearchableDataset["map"] {
  const { mapSupport } = dataset;
  const location = locationOf(dataset, mapSupport?.itemLocationField ?? null);
  return mapSupport === null || location === null
    ? null
    : { item: mapSupport.groupItemField, time: mapSupport.itemTemporalField, location };
}

function locationOf({ schema }: Pick<DatasetView, "schema">, field: string | null): QueryableDataset["location"] {
  const combined = schema.columns.find(({ name }) => name === field)?.combined;
  const [latitude, longitude] = combined?.type === "COORDINATES" ? combined.fields : [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}
