import type { profile } from "@fairway/contract/profile";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const profileRoutes = (identity: Pick<Identity, "changePassword" | "profileOf" | "changeProfile">): Handlers<typeof profile> => ({
  read: ({ user }) => identity.profileOf(user.id),
  save: ({ user, body }) => identity.changeProfile(user.id, body),
  resetPassword: async ({ user, body, isDirect }) => {
    await identity.changePassword(user, body.password, { isDirect });
    return undefined;
  },
});
