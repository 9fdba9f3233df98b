import { sql } from "kysely";
import { boardLimits } from "@fairway/contract/boards";
import type { Limits } from "@fairway/contract/limits";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import type { LiveReporter } from "#database/live-changes.ts";
import type { Notifier } from "#personal/notify.ts";
import type { SharingParts } from "#sharing/candidates.ts";
import { boardTables } from "#sharing/shared-tables.ts";
import { SharedThings } from "#sharing/shared-things.ts";
import { makeRoomForGiven } from "./board-room.ts";

export interface BoardThingsParts extends Pick<SharingParts, "db" | "candidates"> {
  readonly live: LiveReporter;
  readonly notifier: Pick<Notifier, "notify">;
  readonly limits: Pick<Limits, "boardBytesPerUser">;
}

/** Shares and owners of boards. */
export const boardThings = ({ db, candidates, live, notifier, limits }: BoardThingsParts): SharedThings =>
  new SharedThings(
    {
      db,
      candidates,
      mayShareWithEveryone: true,
      live,
      onGiven: ({ id, name }, owner, by) =>
        notifier.notify([owner.id], {
          title: `The board '${name}' is yours now`,
          text: `${by.username} has given it to you.`,
          link: `/boards/${encodeURIComponent(id)}`,
        }),
    },
    {
      kind: "board",
      tables: boardTables,
      noun: "board",
      topic: "boards",
      nameScope: [],
      nameCharacters: savedSearchLimits.nameCharacters,
      countedAs: "boards",
      maxPerUser: boardLimits.perUser,
      keepAuthor: async (trx, id, author) => {
        const panels = sql`(
          select coalesce(jsonb_agg(jsonb_build_object('by', ${author}::text) || panel order by position), '[]')
          from jsonb_array_elements(content -> 'panels') with ordinality as of_board (panel, position))`;
        const content = sql`jsonb_set(content, '{panels}', ${panels})`;
        await sql`update boards set content = ${content} where id = ${id}`.execute(trx);
        await sql`update board_revisions set content = ${content} where board_id = ${id}`.execute(trx);
      },
      makeRoom: (trx, owner) => makeRoomForGiven(trx, owner, limits.boardBytesPerUser),
    },
  );
