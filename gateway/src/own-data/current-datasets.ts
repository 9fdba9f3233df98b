import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import "./tables.ts";

/** Own datasets with the current version of their rows, as `version`, and their owner, as `owner`, if that account still exists. */
export const currentDatasets = (db: Kysely<Database>) =>
  db
    .selectFrom("own_datasets")
    .innerJoin("own_dataset_versions as version", (join) =>
      join.onRef("version.dataset_id", "=", "own_datasets.id").onRef("version.version", "=", "own_datasets.data_version"),
    )
    .leftJoin("users as owner", "owner.id", "own_datasets.owner_id");

/** Bytes of all files of a dataset, with originals and earlier versions. */
export const storedBytes = sql<string>`(
  select coalesce(sum(bytes), 0)::text from own_data_files file where file.dataset_id = own_datasets.id)`;
