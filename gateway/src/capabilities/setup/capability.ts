import { setup } from "@fairway/contract/auth";
import { type Capability, implement } from "#http/capability.ts";
import type { Identity } from "#identity/identity.ts";

interface Parts {
  readonly identity: Pick<Identity, "createFirstAdministrator">;
}

/** Creates the first administrator of an empty portal. */
export const openSetup = ({ identity }: Parts): Capability => ({
  routes: {
    setup: implement(setup, {
      createFirstAdministrator: async ({ body }) => {
        await identity.createFirstAdministrator(body);
        return undefined;
      },
    }),
  },
});
