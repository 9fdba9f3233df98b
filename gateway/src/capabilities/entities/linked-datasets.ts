import { linkedDataset } from "@fairway/contract/datasets";
import { sql } from "kysely";
import { z } from "zod";
import type { EntityState, Trx } from "./entity-repository.ts";

type Link = z.infer<typeof linkedDataset>;

const links = z.array(linkedDataset);

/** Finds the internal datasets that link to removed ones, as determined by `matches`. */
export const datasetsLinkingTo =
  (matches: (removed: Record<string, unknown>) => (link: Link) => boolean) =>
  async (removed: readonly EntityState[], trx: Trx): Promise<Map<string, string[]>> => {
    const rows = await trx
      .selectFrom("entities")
      .select(["id", sql`body -> 'linkedDatasets'`.as("links")])
      .where("type", "=", "datasets/internal")
      .where(sql<boolean>`body -> 'linkedDatasets' <> '[]'::jsonb`)
      .execute();
    const linking = rows.map(({ id, links: found }) => ({ id, links: links.safeParse(found).data ?? [] }));
    return new Map(
      removed.map(({ id, entity }) => [
        id,
        linking.filter((dataset) => dataset.links.some(matches(entity))).map((dataset) => `the dataset '${dataset.id}'`),
      ]),
    );
  };
