import { randomUUID } from "node:crypto";
import type { DatasetRef } from "@fairway/contract/datasets";
import { graphTemplateLimits, type graphTemplates } from "@fairway/contract/graph-templates";
import { spellings } from "@fairway/contract/text";
import type { Kysely, Selectable } from "kysely";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { GraphTemplateTables } from "./tables.ts";

export interface GraphTemplates {
  readonly db: Kysely<Database>;
  readonly canRead: (user: SignedInUser, dataset: DatasetRef) => Promise<boolean>;
}

export const graphTemplateRoutes = ({ db, canRead }: GraphTemplates): Handlers<typeof graphTemplates> => ({
  list: async ({ user }) => {
    const rows = await db
      .selectFrom("graph_templates")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("name_key")
      .orderBy("id")
      .execute();
    return rows.map(answered);
  },
  create: async ({ user, body }) => {
    requireObject(body.templateJson);
    const { datasetCategory, datasetId, templateName } = body;
    if (!(await canRead(user, { datasetCategory, datasetId }))) {
      throw new Refusal("not-found", `There is no dataset '${datasetId}' in '${datasetCategory}'.`);
    }
    const { count } = await db
      .selectFrom("graph_templates")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= graphTemplateLimits.perUser) {
      throw new Refusal("conflict", `You have ${graphTemplateLimits.perUser} graph templates, as many as there can be. Delete one first.`);
    }
    const made = await db
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
      .executeTakeFirst();
    if (!made) {
      throw new Refusal("name-taken", "A graph template with this name already exists for this dataset.", { path: "templateName" });
    }
    return answered(made);
  },
  remove: async ({ user, body }) => {
    const gone = await db
      .deleteFrom("graph_templates")
      .where("user_id", "=", user.id)
      .where("category", "=", body.datasetCategory)
      .where("dataset_id", "=", body.datasetId)
      .where("name", "in", spellings(body.templateName))
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) throw new Refusal("not-found", "You have no graph template with this name for this dataset.");
    return undefined;
  },
});

const answered = (row: Selectable<GraphTemplateTables["graph_templates"]>) => ({
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
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new Refusal("invalid-value", "The template is not a JSON object.", { path: "templateJson" });
  }
}
