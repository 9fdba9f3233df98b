import { sql } from "kysely";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import type { LiveReporter } from "#database/live-changes.ts";
import type { Notifier } from "#personal/notify.ts";
import type { SharingParts } from "#sharing/candidates.ts";
import { savedSearchTables } from "#sharing/shared-tables.ts";
import { SharedThings } from "#sharing/shared-things.ts";

export interface SavedSearchThingsParts extends Pick<SharingParts, "db" | "candidates"> {
  readonly live: LiveReporter;
  readonly notifier: Pick<Notifier, "notify">;
}

/** Shares and owners of saved searches. */
export const savedSearchThings = ({ db, candidates, live, notifier }: SavedSearchThingsParts): SharedThings =>
  new SharedThings(
    {
      db,
      candidates,
      mayShareWithEveryone: true,
      live,
      onGiven: ({ name }, owner, by) =>
        notifier.notify([owner.id], { title: `The saved search '${name}' is yours now`, text: `${by.username} has given it to you.` }),
    },
    {
      kind: "savedSearch",
      tables: savedSearchTables,
      noun: "saved search",
      topic: "savedSearches",
      nameScope: ["category", "dataset_id"],
      nameCharacters: savedSearchLimits.nameCharacters,
      countedAs: "saved-searches",
      maxPerUser: savedSearchLimits.perUser,
      keepAuthor: async (trx, id, author) =>
        void (await sql`update saved_searches set query_by = coalesce(query_by, ${author}) where id = ${id}`.execute(trx)),
    },
  );
