import { randomUUID } from "node:crypto";
import { graphTemplateLimits, graphTemplates } from "@fairway/contract/graph-templates";
import { isJsonObject } from "@fairway/contract/json";
import { byName } from "@fairway/contract/name-order";
import type { ColumnType, Kysely, Selectable } from "kysely";
import { nameKey } from "#database/name-key.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { type CanRead, requireReadable } from "#personal/readable-dataset.ts";

declare module "#database/schema.ts" {
  interface Database {
    graph_templates: {
      id: string;
      user_id: string;
      category: string;
      dataset_id: string;
      name: string;
      name_key: string;
      template: string;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
}

export const openGraphTemplates = (parts: Parts): Capability => ({
  routes: { graphTemplates: implement(graphTemplates, handlers(parts)) },
});

const handlers = ({ db, canRead }: Parts): Handlers<typeof graphTemplates> => ({
  list: async ({ user }) => {
    const rows = await db
      .selectFrom("graph_templates")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("name_key")
      .orderBy("id")
      .execute();
    return rows
      .filter((row) => reachesDataset(user.reach, row.category, row.dataset_id))
      .toSorted(byName)
      .map(toGraphTemplate);
  },
  create: async ({ user, body }) => {
    requireObject(body.templateJson);
    const { datasetCategory, datasetId, templateName } = body;
    await requireReadable(canRead, user, body);
    const owned = ownedTemplates(db);
    const created = await owned.insert(user.id, (trx) =>
      trx
        .insertInto("graph_templates")
        .values({
          id: randomUUID(),
          user_id: user.id,
          category: datasetCategory,
          dataset_id: datasetId,
          name: templateName,
          name_key: nameKey(templateName),
          template: body.templateJson,
        })
        .onConflict((conflict) => conflict.columns(["user_id", "category", "dataset_id", "name_key"]).doNothing())
        .returningAll()
        .executeTakeFirst(),
    );
    if (!created) throw owned.nameTaken();
    return toGraphTemplate(created);
  },
  remove: async ({ user, body }) => {
    await ownedTemplates(db).remove(user.id, body.templateName, body);
    return undefined;
  },
});

const ownedTemplates = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "graph_templates",
    noun: "graph template",
    nouns: "graph templates",
    nameField: "templateName",
    isOfDataset: true,
    maxPerUser: graphTemplateLimits.perUser,
  });

const toGraphTemplate = (row: Selectable<Database["graph_templates"]>) => ({
  id: row.id,
  datasetCategory: row.category,
  datasetId: row.dataset_id,
  templateName: row.name,
  templateJson: row.template,
  createdDateMs: row.created_at.getTime(),
});

function requireObject(text: string): void {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isJsonObject(json)) {
    throw new Refusal("invalid-value", "The template is not a JSON object.", { path: "templateJson" });
  }
}
