import { pluralize } from "@fairway/contract/counts";
import type { ownDatasetAdministration } from "@fairway/contract/own-datasets";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { currentDatasets, storedBytes } from "#own-data/current-datasets.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { announceOwnDataset } from "#own-data/own-datasets.ts";
import { allBytes } from "#own-data/room.ts";
import { anyRow, type OwnDatasetRow } from "./rows.ts";
import type { OwnDatasetParts, OwnDatasetService } from "./service.ts";

/** Names, owners, sizes, dates and counts of own datasets, and never anything of their content. */
export function administrationHandlers(
  { db, notifier, limits }: Pick<OwnDatasetParts, "db" | "notifier" | "limits">,
  service: OwnDatasetService,
): Handlers<typeof ownDatasetAdministration> {
  return {
    list: async () => ({ datasets: await listAll(db), bytes: await allBytes(db), maxBytes: limits.ownDataTotalBytes }),
    setEnabled: async (call) => {
      const { params, body } = call;
      const { category, name } = await requireRow(db, params.id);
      await db.transaction().execute(async (trx) => {
        await trx.updateTable("own_datasets").set({ is_enabled: body.enabled }).where("id", "=", params.id).execute();
        await announceOwnDataset(trx, params.id);
      });
      call.noteForAudit(`${category}/${name}`);
      return undefined;
    },
    remove: async (call) => {
      const { params, body } = call;
      const { ownerId, title, category, name, rows } = await requireRow(db, params.id);
      await service.purge(params.id);
      call.noteForAudit(`${category}/${name}, ${pluralize(Number(rows), "row")}`);
      if (ownerId !== null) {
        await notifier.notify([ownerId], { title: `An administrator has deleted your dataset '${title ?? name}'`, text: body.reason });
      }
      return undefined;
    },
    setRoom: async (call) => {
      const { params, body } = call;
      const known = await db.selectFrom("users").select("username").where("id", "=", params.id).executeTakeFirst();
      if (known === undefined) throw new Refusal("not-found", "There is no such user.");
      if (body.maxBytes === null) await db.deleteFrom("own_data_rooms").where("user_id", "=", params.id).execute();
      else
        await db
          .insertInto("own_data_rooms")
          .values({ user_id: params.id, max_bytes: body.maxBytes })
          .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ max_bytes: body.maxBytes ?? 0 }))
          .execute();
      call.noteForAudit(`${known.username}, ${body.maxBytes === null ? "the setting" : pluralize(body.maxBytes, "byte")}`);
      return undefined;
    },
  };
}

async function requireRow(db: Kysely<Database>, id: string): Promise<OwnDatasetRow> {
  const row = await anyRow(db, id);
  if (row === undefined) throw new Refusal("not-found", "There is no such dataset.");
  return row;
}

async function listAll(db: Kysely<Database>) {
  const rows = await currentDatasets(db)
    .select([
      "own_datasets.id",
      "own_datasets.category",
      "own_datasets.name",
      "own_datasets.owner_id as ownerId",
      "owner.username",
      "version.rows",
      "own_datasets.created_at as createdAt",
      "own_datasets.is_enabled as isEnabled",
      "own_datasets.gone_at as goneAt",
    ])
    .select(storedBytes.as("bytes"))
    .select(sql<number>`(select count(*)::integer from own_dataset_shares share where share.dataset_id = own_datasets.id)`.as("shareCount"))
    .select(
      sql<string | null>`(select max(day)::text from dataset_searches used
        where used.category = own_datasets.category and used.dataset_id = own_datasets.name)`.as("lastUsedDay"),
    )
    .orderBy(sql`own_datasets.category collate "C"`)
    .orderBy(sql`own_datasets.name collate "C"`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    datasetCategory: row.category,
    datasetId: row.name,
    owner: row.ownerId === null ? null : { userId: row.ownerId, username: row.username ?? "" },
    rows: Number(row.rows),
    bytes: Number(row.bytes),
    createdMs: row.createdAt.getTime(),
    isEnabled: row.isEnabled,
    goneMs: row.goneAt?.getTime() ?? null,
    lastUsedMs: row.lastUsedDay === null ? null : Date.parse(row.lastUsedDay),
    shareCount: row.shareCount,
  }));
}
