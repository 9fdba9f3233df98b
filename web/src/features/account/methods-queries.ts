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

/** Answers the recovery codes, which the server never shows again. */
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
