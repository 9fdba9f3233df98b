import { linkedDataset } from "@fairway/contract/datasets";
import { sql } from "kysely";
import { z } from "zod";
import type { EntityState, Trx } from "./entity-repository.ts";

type Link = z.infer<typeof linkedDataset>;

const links = z.array(linkedDataset);

/** The internal datasets whose links lead to removed ones, as `is` recognizes them. */
export const linksTo =
  (is: (removed: Record<string, unknown>) => (link: Link) => boolean) =>
  async (removed: readonly EntityState[], trx: Trx): Promise<Map<string, string[]>> => {
    const rows = await trx
      .selectFrom("entities")
      .select(["id", sql`body -> 'linkedDatasets'`.as("links")])
      .where("type", "=", "datasets/internal")
      .where(sql<boolean>`body -> 'linkedDatasets' <> '[]'::jsonb`)
      .execute();
    const linking = rows.map(({ id, links: found }) => ({ id, links: links.safeParse(found).data ?? [] }));
    return new Map(
      removed.map(({ id, entity }) => [id, linking.filter((one) => one.links.some(is(entity))).map((one) => `the dataset '${one.id}'`)]),
    );
  };
