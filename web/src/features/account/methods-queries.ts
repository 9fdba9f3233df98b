import type { Passkey, PasskeyCreation, PasskeyRegistration } from "@fairway/contract/passkeys";
import { signInMethods } from "@fairway/contract/second-factors";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { queryClient } from "#lib/query-client.ts";

/** Always asked anew: an administrator may have removed what was set up here. */
export const methodsQuery = queryOptions({
  queryKey: ["profile", "sign-in-methods"],
  queryFn: ({ signal }) => call(signInMethods.read, {}, { signal }),
  staleTime: 0,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: methodsQuery.queryKey });

export const beginAuthenticator = () => call(signInMethods.beginAuthenticator, {});

/** Answers recovery codes, which the server never shows again; none where the account has some. */
export async function confirmAuthenticator(code: string): Promise<string[]> {
  const { recoveryCodes } = await call(signInMethods.confirmAuthenticator, { body: { code } });
  void refresh();
  return recoveryCodes;
}

/** Whatever comes of it, the list is asked for again. */
export async function removeAuthenticator(): Promise<void> {
  try {
    await call(signInMethods.removeAuthenticator, {});
  } finally {
    await refresh();
  }
}

/** Answers the new recovery codes, which the server never shows again. */
export async function renewRecoveryCodes(): Promise<string[]> {
  const { recoveryCodes } = await call(signInMethods.renewRecoveryCodes, {});
  void refresh();
  return recoveryCodes;
}

export const beginPasskey = (name: string): Promise<PasskeyCreation> => call(signInMethods.beginPasskey, { body: { name } });

/** Answers recovery codes, which the server never shows again; none where the account has some. */
export async function addPasskey(passkey: PasskeyRegistration): Promise<{ recoveryCodes: string[] }> {
  const added = await call(signInMethods.addPasskey, { body: { passkey } });
  void refresh();
  return added;
}

/** Whatever comes of it, the list is asked for again. */
export async function renamePasskey(id: string, name: string): Promise<Passkey> {
  try {
    return await call(signInMethods.renamePasskey, { params: { id }, body: { name } });
  } finally {
    await refresh();
  }
}

/** Whatever comes of it, the list is asked for again. */
export async function removePasskey(id: string): Promise<void> {
  try {
    await call(signInMethods.removePasskey, { params: { id } });
  } finally {
    await refresh();
  }
}
