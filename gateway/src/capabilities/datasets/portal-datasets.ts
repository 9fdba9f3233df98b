import { createHash } from "node:crypto";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Dataset, DatasetView } from "./dataset.ts";
import type { EnabledDatasets } from "./enabled-datasets.ts";
import { portalView } from "./dataset-view.ts";

/** An enabled dataset of administrators or users, as background work of the portal sees it. */
export interface PortalDataset {
  readonly dataset: DatasetRef;
  /** Changes when the dataset has other rows: another source, or other filters that it applies to every search. */
  readonly source: string;
  /** Likewise, but the same for all versions of an own dataset. */
  readonly lineage: string;
  /** Whether a user has brought it: then administrators learn nothing of its rows. */
  readonly isOwn: boolean;
  /** Plain columns. */
  readonly columns: Dataset["schema"]["columns"];
  readonly entity: DatasetView;
  /** Whether its readers may see different rows: then no result of one of them can be shown to all. */
  readonly hasRowsPerReader: boolean;
}

const known = new WeakMap<EnabledDatasets, readonly PortalDataset[]>();

/** Cached per snapshot of the datasets. */
export function portalDatasets(
  enabled: EnabledDatasets,
  hasRowsPerReader: (source: Dataset["source"]) => boolean,
): readonly PortalDataset[] {
  const datasets =
    known.get(enabled) ??
    enabled.stored.map((entity) => ({ ...portalDataset(portalView(entity)), hasRowsPerReader: hasRowsPerReader(entity.source) }));
  known.set(enabled, datasets);
  return datasets;
}

/** Readers share it, who may not all know of the datasets that it looks up. */
const portalDataset = (entity: DatasetView): Omit<PortalDataset, "hasRowsPerReader"> => ({
  dataset: { datasetCategory: entity.category, datasetId: entity.id },
  source: identityOf(entity, entity.source),
  lineage: identityOf(entity, entity.own === null ? entity.source : entity.own.id),
  isOwn: entity.own !== null,
  columns: entity.schema.columns.filter(({ combined }) => combined === null),
  entity,
});

const identityOf = (entity: DatasetView, rows: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify([rows, entity.filterSupport.preFilledFilters, entity.temporalField, ...expressionsOf(entity)]))
    .digest("base64url");

const expressionsOf = ({ schema }: DatasetView): string[] =>
  schema.columns.flatMap(({ name, computed }) => (computed === undefined ? [] : [name, computed.expression]));
