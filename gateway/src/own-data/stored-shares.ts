import { sql } from "kysely";
import type { StoredShare } from "#sharing/access.ts";
import "./tables.ts";

/** The shares of each row of `own_datasets`. */
export const storedShares = sql<StoredShare[]>`coalesce((select json_agg(json_build_object('kind', kind, 'target', target, 'can', can))
  from own_dataset_shares share where share.dataset_id = own_datasets.id), '[]')`;
