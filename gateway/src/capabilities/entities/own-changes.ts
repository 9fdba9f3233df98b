import type { RevisionAction } from "@fairway/contract/entities";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { EntityRepository, Trx } from "./entity-repository.ts";
import { recordRevisions } from "./revisions.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly users: Pick<EntityRepository, "type" | "states">;
  readonly revisionsPerEntity: number;
}

/** Runs users' changes of their own accounts and records revisions of them for administrators. */
export const ownChanges =
  ({ db, users, revisionsPerEntity }: Parts) =>
  <T>(
    { id, username }: Pick<SignedInUser, "id" | "username">,
    action: Extract<RevisionAction, "profile" | "password">,
    change: (trx: Trx) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (trx) => {
      // Serializes changes of one user, so that each revision starts from the result of the previous one.
      await trx.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
      const [before] = await users.states(trx, [id]);
      const result = await change(trx);
      const [after] = await users.states(trx, [id]);
      if (before?.entity.version !== after?.entity.version) {
        const revision = { type: users.type, id, by: username, action, before: before?.entity, after: after?.entity };
        await recordRevisions(trx, [revision], revisionsPerEntity);
      }
      return result;
    });
