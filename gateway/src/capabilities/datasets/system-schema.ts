import { columnTypeCode } from "@fairway/contract/columns";
import type { DatasetSchema, SchemaColumn } from "@fairway/contract/datasets";
import type { DatasetView } from "./dataset.ts";

type Layers = "communityDescription" | "userDescription";

/** A dataset's schema with the descriptions of the system only. */
export type SystemSchema = Omit<DatasetSchema, Layers | "columns"> & { readonly columns: readonly Omit<SchemaColumn, Layers>[] };

const schemas = new WeakMap<DatasetView, SystemSchema>();

/** Cached per dataset. */
export function schemaOf(dataset: DatasetView): SystemSchema {
  const schema = schemas.get(dataset) ?? createSchema(dataset);
  schemas.set(dataset, schema);
  return schema;
}

const createSchema = (dataset: DatasetView): SystemSchema => ({
  dataset: { datasetCategory: dataset.category, datasetId: dataset.id },
  description: dataset.description,
  containsLocationData: dataset.locationField !== null || dataset.schema.columns.some(({ combined }) => combined?.type === "COORDINATES"),
  supportsMapResults: dataset.mapSupport !== null,
  columns: dataset.schema.columns.map(({ name, type, description, unit, label, day }) => ({
    id: name,
    name,
    type: columnTypeCode[type],
    description,
    ...(unit !== undefined && { unit }),
    ...(label !== undefined && { label }),
    ...(day !== undefined && { day }),
  })),
});
