import { test } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "./identity-app.ts";

/** A test that gets a gateway of its own with some accounts if it asks for it. */
export const it = test.extend<{ gateway: IdentityApp }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads here what a fixture needs.
  gateway: async ({}, use) => use(await identityApp({ accounts: someAccounts })),
});
