import type { auth } from "@fairway/contract/auth";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const authRoutes = (identity: Pick<Identity, "login" | "refresh" | "logout">): Handlers<typeof auth> => ({
  login: ({ body, ip, userAgent }) => identity.login(body.username, body.password, { ip, userAgent }),
  refresh: ({ body, ip, userAgent }) => identity.refresh(body.refreshToken, { ip, userAgent }),
  logout: async ({ body }) => {
    await identity.logout(body.refreshToken);
    return undefined;
  },
});
