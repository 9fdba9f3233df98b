import { SignedInUser } from "#http/signed-in-user.ts";

type State = Parameters<typeof SignedInUser.make>[0];

/** A user with some of its state. Default: `u`, without roles and groups, in a session. */
export const someUser = (state: Partial<State> = {}): SignedInUser =>
  SignedInUser.make({ id: "u", username: "u", roles: [], groups: [], groupNames: [], sessionId: "s", signedInAtMs: 0, ...state });
