import { buildColumn } from "./dataset-builders.ts";
import { openAdmin, serveEntities } from "./entities.ts";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";

export const airports = {
  ...entityKindOf("datasets/internal").template,
  id: "airports",
  category: "Aviation",
  description: "",
  source: { kind: "files", glob: "aviation/airports/*.parquet", format: "parquet" },
  schema: { columns: [buildColumn("iata"), buildColumn("city")] },
};

export async function openDatasets(): Promise<void> {
  serveEntities("datasets/internal", [airports]);
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
}
