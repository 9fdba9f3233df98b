import type { Passkey, PasskeyCreation, PasskeyRegistration } from "@fairway/contract/passkeys";
import { signInMethods } from "@fairway/contract/second-factors";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** Never cached: an administrator may have removed a method. */
export const methodsQuery = queryOptions({
  queryKey: ["profile", "sign-in-methods"],
  queryFn: ({ signal }) => call(signInMethods.read, {}, { signal }),
  staleTime: 0,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: methodsQuery.queryKey });

export const beginAuthenticator = () => call(signInMethods.beginAuthenticator, {});

/** Returns recovery codes, which the server never shows again; none if the account already has some. */
export async function confirmAuthenticator(code: string): Promise<string[]> {
  const { recoveryCodes } = await call(signInMethods.confirmAuthenticator, { body: { code } });
  void refresh();
  return recoveryCodes;
}

/** Refetches the methods even on failure. */
export async function removeAuthenticator(): Promise<void> {
  try {
    await call(signInMethods.removeAuthenticator, {});
  } finally {
    await refresh();
  }
}

/** Returns the new recovery codes, which the server never shows again. */
export async function renewRecoveryCodes(): Promise<string[]> {
  const { recoveryCodes } = await call(signInMethods.renewRecoveryCodes, {});
  void refresh();
  return recoveryCodes;
}

export const beginPasskey = (name: string): Promise<PasskeyCreation> => call(signInMethods.beginPasskey, { body: { name } });

/** Returns recovery codes, which the server never shows again; none if the account already has some. */
export async function addPasskey(passkey: PasskeyRegistration): Promise<{ recoveryCodes: string[] }> {
  const added = await call(signInMethods.addPasskey, { body: { passkey } });
  void refresh();
  return added;
}

/** Refetches the methods even on failure. */
export async function renamePasskey(id: string, name: string): Promise<Passkey> {
  try {
    return await call(signInMethods.renamePasskey, { params: { id }, body: { name } });
  } finally {
    await refresh();
  }
}

/** Refetches the methods even on failure. */
export async function removePasskey(id: string): Promise<void> {
  try {
    await call(signInMethods.removePasskey, { params: { id } });
  } finally {
    await refresh();
  }
}
