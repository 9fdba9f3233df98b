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
      makeRoom: (trx, owner) => makeRoomForGiven(trx, owner, limits.boardBytesPerUser),
    },
  );
