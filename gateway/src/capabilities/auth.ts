import type { auth } from "@fairway/contract/auth";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const authRoutes = (identity: Pick<Identity, "login" | "refresh" | "logout">): Handlers<typeof auth> => ({
  login: ({ body, ip, userAgent, isDirect, origin }) => identity.login(body.username, body.password, { ip, userAgent, isDirect, origin }),
  refresh: ({ body, ip, userAgent, isDirect, origin }) => identity.refresh(body.refreshToken, { ip, userAgent, isDirect, origin }),
  logout: async ({ body }) => {
    await identity.logout(body.refreshToken);
    return undefined;
  },
});
