import type { EntityRoutes } from "@fairway/contract/entities";
import type { Handlers } from "#http/handlers.ts";
import type { entityDefinitions } from "@fairway/contract/administration";
import type { Trx } from "./entity-repository.ts";
import type { Administration } from "./service.ts";
import type { UserEntity } from "./saved-users.ts";

/** The routes that every entity type has. */
export const entityHandlers = (administration: Administration): Handlers<EntityRoutes> => ({
  list: () => administration.list(),
  get: ({ params }) => administration.get(params.id),
  create: ({ body, user }) => administration.create(body, user),
  edit: ({ body, user }) => administration.edit(body, user),
  remove: async ({ params, user }) => {
    await administration.remove(params.id, user);
    return undefined;
  },
  enable: ({ params, user }) => administration.setEnabled(params.id, true, user),
  disable: ({ params, user }) => administration.setEnabled(params.id, false, user),
  import: ({ body, user }) => administration.import(body.entities, body.isReplace, user),
  previewImport: ({ body, user }) => administration.previewImport(body.entities, body.isReplace, user),
  bulk: ({ body, user }) => administration.bulk(body.ids, body.action, user),
  revisions: ({ params }) => administration.revisions(params.id),
  revision: ({ params }) => administration.revision(params.id, params.revision),
  restore: ({ params, user }) => administration.restore(params.id, params.revision, user),
  schema: () => administration.repository.jsonSchema(),
});

/** Gives what an account owns to another one, within the transaction that deletes it; `tell` is called after that. */
export type GiveAll = (
  trx: Trx,
  from: { readonly id: string; readonly username: string },
  to: string,
) => Promise<{ readonly note: string; readonly tell: () => Promise<void> }>;

/** Those of users, who leave things behind when they are deleted. */
export const userHandlers = (administration: Administration, giveAll: GiveAll): Handlers<typeof entityDefinitions.users.routes> => ({
  ...entityHandlers(administration),
  remove: async (call) => {
    const { params, query, user } = call;
    const { transferTo } = query;
    let given: Awaited<ReturnType<GiveAll>> | undefined;
    await administration.remove(params.id, user, async (trx, { id, entity }) => {
      const { username } = entity as unknown as UserEntity;
      if (transferTo !== undefined) given = await giveAll(trx, { id, username }, transferTo);
    });
    if (given !== undefined) {
      call.noteForAudit(given.note);
      await given.tell();
    }
    return undefined;
  },
});
