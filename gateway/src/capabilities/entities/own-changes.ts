import type { RevisionAction } from "@fairway/contract/entities";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import type { EntityRepository, Trx } from "./entity-repository.ts";
import { noteRevisions } from "./revisions.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly users: Pick<EntityRepository, "type" | "states">;
  readonly revisionsPerEntity: number;
}

/** Runs a change that somebody makes of their own account, and notes it among the revisions that administrators see. */
export const ownChanges =
  ({ db, users, revisionsPerEntity }: Parts) =>
  <T>(
    { id, username }: Pick<SignedInUser, "id" | "username">,
    action: Extract<RevisionAction, "profile" | "password">,
    change: (trx: Trx) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (trx) => {
      // Two changes at once take turns, so that what one notes as the state before is what the other made.
      await trx.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
      const [before] = await users.states(trx, [id]);
      const result = await change(trx);
      const [after] = await users.states(trx, [id]);
      if (before?.entity.version !== after?.entity.version) {
        const note = { type: users.type, id, by: username, action, before: before?.entity, after: after?.entity };
        await noteRevisions(trx, [note], revisionsPerEntity);
      }
      return result;
    });
