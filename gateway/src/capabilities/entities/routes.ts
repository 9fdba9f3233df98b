import type { EntityRoutes } from "@fairway/contract/entities";
import type { Handlers } from "#http/handlers.ts";
import type { Administration } from "./service.ts";

/** The calls that every type has. */
export const entityHandlers = (things: Administration): Handlers<EntityRoutes> => ({
  list: () => things.list(),
  get: ({ params }) => things.get(params.id),
  create: ({ body, user }) => things.create(body, user),
  edit: ({ body, user }) => things.edit(body, user),
  remove: async ({ params, user }) => {
    await things.remove(params.id, user);
    return undefined;
  },
  enable: ({ params, user }) => things.setEnabled(params.id, true, user),
  disable: ({ params, user }) => things.setEnabled(params.id, false, user),
  import: ({ body, user }) => things.import(body.entities, body.isReplace, user),
  previewImport: ({ body, user }) => things.previewImport(body.entities, body.isReplace, user),
  bulk: ({ body, user }) => things.bulk(body.ids, body.action, user),
  revisions: ({ params }) => things.revisions(params.id),
  revision: ({ params }) => things.revision(params.id, params.revision),
  restore: ({ params, user }) => things.restore(params.id, params.revision, user),
  schema: () => things.repository.jsonSchema(),
});
