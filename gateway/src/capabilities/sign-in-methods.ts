import type { secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import type { Handlers } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";

export const secondFactorRoutes = (identity: Pick<Identity, "proveSecondFactor">): Handlers<typeof secondFactorSignIn> => ({
  prove: ({ user, body, ip, userAgent, isDirect }) => identity.proveSecondFactor(user, body, { ip, userAgent, isDirect }),
});

export const signInMethodRoutes = ({ signInMethods: methods }: Pick<Identity, "signInMethods">): Handlers<typeof signInMethods> => ({
  read: ({ user }) => methods.of(user),
  beginAuthenticator: ({ user }) => methods.beginAuthenticator(user),
  confirmAuthenticator: async ({ user, body }) => ({ recoveryCodes: await methods.confirmAuthenticator(user, body.code) }),
  removeAuthenticator: async ({ user }) => {
    await methods.removeAuthenticator(user);
    return undefined;
  },
  renewRecoveryCodes: async ({ user }) => ({ recoveryCodes: await methods.renewRecoveryCodes(user) }),
});
