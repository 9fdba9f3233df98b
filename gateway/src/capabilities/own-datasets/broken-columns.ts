import { derivedWarningsOf } from "@fairway/contract/derived-warnings";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { Notifier } from "#personal/notify.ts";
import { anySource, linkOf, type OwnDatasetParts } from "./service.ts";

interface Parts extends Pick<OwnDatasetParts, "derivedProblems"> {
  readonly db: Kysely<Database>;
  readonly notifier: Pick<Notifier, "notify" | "retract">;
}

const topicOf = (id: string): string => `own-columns-${id}`;

/**
 * Tells owners, once, of lookups and computed columns that can no longer be made, such as of a dataset that was deleted. Unread messages
 * about what works again are taken back.
 */
export async function tellOfBrokenColumns({ db, notifier, derivedProblems }: Parts): Promise<void> {
  const datasets = await db
    .selectFrom("own_datasets")
    .select(["id", "category", "name", "title", "owner_id as ownerId", "settings", "broken"])
    .where("deleted_at", "is", null)
    .where("is_enabled", "=", true)
    .where("owner_id", "is not", null)
    .where(sql<boolean>`(jsonb_array_length(broken) > 0 or settings @? '$.lookups[*]' or settings @? '$.schema.columns[*].computed')`)
    .execute();
  for (const { id, ownerId, category, name, title, settings, broken } of datasets) {
    const owner = ownerId === null ? undefined : await userWithoutSession(db, ownerId);
    if (owner === undefined) continue;
    const messages = derivedWarningsOf(settings, await derivedProblems({ source: anySource, ...settings }, owner)).map(
      (one) => one.message,
    );
    const fresh = messages.filter((message) => !broken.includes(message));
    if (fresh.length === 0 && messages.length === broken.length) continue;
    const { numUpdatedRows } = await db
      .updateTable("own_datasets")
      .set({ broken: JSON.stringify(messages) })
      .where("id", "=", id)
      .where("broken", "=", sql<string[]>`${JSON.stringify(broken)}::jsonb`)
      .executeTakeFirstOrThrow();
    // Another gateway tells it.
    if (numUpdatedRows === 0n) continue;
    if (messages.length === 0) await notifier.retract(topicOf(id));
    if (fresh.length === 0) continue;
    await notifier.notify([owner.id], {
      title: `Columns of '${title ?? name}' are left out`,
      text: fresh.join(" "),
      link: `${linkOf({ category, name })}?form=settings`,
      dataset: { datasetCategory: category, datasetId: name },
      topic: topicOf(id),
    });
  }
}
