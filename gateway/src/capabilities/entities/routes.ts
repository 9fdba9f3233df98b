import type { EntityRoutes } from "@fairway/contract/entities";
import type { Handlers } from "#http/handlers.ts";
import type { Administration } from "./service.ts";

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
