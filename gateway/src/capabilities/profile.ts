import type { profile } from "@fairway/contract/auth";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const profileRoutes = (identity: Pick<Identity, "changePassword">): Handlers<typeof profile> => ({
  resetPassword: async ({ user, body }) => {
    await identity.changePassword(user, body.password);
    return undefined;
  },
});
