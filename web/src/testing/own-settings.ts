import type { Column } from "@fairway/contract/columns";
import { internalDataset, type OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";
import { buildColumn } from "./dataset-builders.ts";

/** The settings of an own dataset with these columns. */
export function buildOwnSettings(
  columns: readonly Column[] = [buildColumn("station"), buildColumn("rain", { type: "decimal" })],
): OwnDatasetSettings {
  const {
    id: _,
    category: _category,
    roles: _roles,
    source: _source,
    ...settings
  } = internalDataset.parse({
    ...entityKindOf("datasets/internal").template,
    id: "rain-2024",
    category: "~ada",
    source: { kind: "files", glob: "rain.parquet", format: "parquet" },
    schema: { columns },
  });
  return settings;
}
