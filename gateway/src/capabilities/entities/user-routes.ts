import type { userAdministration } from "@fairway/contract/accounts";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type Account, findById } from "#identity/accounts.ts";
import type { Identity } from "#identity/identity.ts";
import { textId } from "./account-repository.ts";
import { resolve } from "./account-references.ts";
import type { Administration } from "./service.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly identity: Pick<Identity, "isLocked" | "removeSecondFactors" | "securityEventsOf" | "administeredLinks">;
  readonly users: Pick<Administration, "setEnabled">;
}

/** Routes of users in addition to those of every entity type. */
export function userAdministrationRoutes({ db, identity, users }: Parts): Handlers<typeof userAdministration> {
  const requireAccount = async (id: string): Promise<Account> => {
    const account = await findById(db, textId(id) ?? "");
    if (!account) throw new Refusal("not-found", `There is no user '${id.slice(0, 100)}'.`);
    return account;
  };
  return {
    groups: async ({ params }) => {
      const { id } = await requireAccount(params.id);
      return db
        .selectFrom("user_groups")
        .innerJoin("groups", "groups.id", "group_id")
        .select(["groups.id", "groups.name"])
        .where("user_id", "=", id)
        .orderBy("groups.name")
        .execute();
    },
    roles: async ({ params }) => {
      const { roles } = await requireAccount(params.id);
      return db.transaction().execute((trx) =>
        resolve(
          trx,
          "roles",
          roles.map((name) => ({ name })),
        ),
      );
    },
    lockStatus: async ({ params }) => ({ disabled: await identity.isLocked((await requireAccount(params.id)).id) }),
    securityEvents: async ({ params }) => identity.securityEventsOf((await requireAccount(params.id)).id),
    removeSecondFactors: async ({ params, user }) => {
      const { id } = await requireAccount(params.id);
      if (!(await identity.removeSecondFactors(id, user))) throw new Refusal("not-found", "This user has no second factor.");
      return undefined;
    },
    providerLink: async ({ params }) => identity.administeredLinks.of((await requireAccount(params.id)).id),
    linkProvider: async ({ params, body, user }) => {
      const { id } = await requireAccount(params.id);
      await identity.administeredLinks.link(id, body.subject, user);
      const link = await identity.administeredLinks.of(id);
      if (!link) throw new Refusal("conflict", "The user was unlinked in the meantime.");
      return link;
    },
    unlinkProvider: async ({ params, user }) => {
      const { id } = await requireAccount(params.id);
      if (!(await identity.administeredLinks.unlink(id, user))) throw new Refusal("not-found", "This user is not linked.");
      return undefined;
    },
    unlock: async ({ params, user }) => {
      const { id } = await requireAccount(params.id);
      await users.setEnabled(id, true, user);
      return { disabled: await identity.isLocked(id) };
    },
  };
}
