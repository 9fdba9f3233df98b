import { auth } from "@fairway/contract/auth";
import { type Capability, implement } from "#http/capability.ts";
import type { Identity } from "#identity/identity.ts";

interface Parts {
  readonly identity: Pick<Identity, "login" | "refresh" | "logout">;
}

/** Signing in and out. */
export const openAuth = ({ identity }: Parts): Capability => ({
  routes: {
    auth: implement(auth, {
      login: ({ body, ip, userAgent, isDirect, origin }) =>
        identity.login(body.username, body.password, { ip, userAgent, isDirect, origin }),
      refresh: ({ body, ip, userAgent, isDirect, origin }) => identity.refresh(body.refreshToken, { ip, userAgent, isDirect, origin }),
      logout: async ({ body }) => {
        await identity.logout(body.refreshToken);
        return undefined;
      },
    }),
  },
});
