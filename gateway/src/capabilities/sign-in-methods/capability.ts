import { passkeySignIn, secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";

interface Parts {
  readonly identity: Pick<Identity, "proveSecondFactor" | "passkeyRequest" | "signInByPasskey" | "signInMethods">;
}

/** Second factors and passkeys: signing in with them and managing the caller's own. */
export const openSignInMethods = ({ identity }: Parts): Capability => ({
  routes: {
    secondFactorSignIn: implement(secondFactorSignIn, secondFactorHandlers(identity)),
    passkeySignIn: implement(passkeySignIn, passkeyHandlers(identity)),
    signInMethods: implement(signInMethods, signInMethodHandlers(identity)),
  },
});

const secondFactorHandlers = (identity: Pick<Identity, "proveSecondFactor">): Handlers<typeof secondFactorSignIn> => ({
  prove: ({ user, body, ip, userAgent, isDirect, origin }) => identity.proveSecondFactor(user, body, { ip, userAgent, isDirect, origin }),
});

const passkeyHandlers = (identity: Pick<Identity, "passkeyRequest" | "signInByPasskey">): Handlers<typeof passkeySignIn> => ({
  request: async ({ user, origin }) => {
    const request = await identity.passkeyRequest(user, origin);
    if (!request) throw new Refusal("not-found", "You have no passkey that works at this address.");
    return request;
  },
  prove: ({ user, body, ip, userAgent, isDirect, origin }) =>
    identity.signInByPasskey(user, body.passkey, { ip, userAgent, isDirect, origin }),
});

const signInMethodHandlers = ({ signInMethods: methods }: Pick<Identity, "signInMethods">): Handlers<typeof signInMethods> => ({
  read: ({ user }) => methods.of(user),
  beginAuthenticator: ({ user }) => methods.beginAuthenticator(user),
  confirmAuthenticator: async ({ user, body }) => ({ recoveryCodes: await methods.confirmAuthenticator(user, body.code) }),
  removeAuthenticator: async ({ user }) => {
    await methods.removeAuthenticator(user);
    return undefined;
  },
  beginPasskey: ({ user, body, origin }) => methods.beginPasskey(user, body.name, origin),
  addPasskey: ({ user, body }) => methods.addPasskey(user, body.passkey),
  renamePasskey: ({ user, params, body }) => methods.renamePasskey(user, params.id, body.name),
  removePasskey: async ({ user, params }) => {
    await methods.removePasskey(user, params.id);
    return undefined;
  },
  renewRecoveryCodes: async ({ user }) => ({ recoveryCodes: await methods.renewRecoveryCodes(user) }),
});
