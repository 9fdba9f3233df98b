import type { setup } from "@fairway/contract/auth";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const setupRoutes = (identity: Pick<Identity, "createFirstAdministrator">): Handlers<typeof setup> => ({
  createFirstAdministrator: async ({ body }) => {
    await identity.createFirstAdministrator(body);
    return undefined;
  },
});
