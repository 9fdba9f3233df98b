import type { LoginAnswer } from "@fairway/contract/auth";
import { oidc } from "@fairway/contract/oidc";
import { call } from "#lib/gateway/call.ts";
import { type GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import type { ProviderReturn } from "#lib/session/provider.ts";
import { loginFailure } from "./sign-in-failure.ts";

/** Signs in with the provider's response. Null when it contains no code. Rejects with GatewayError. */
export async function signInByProvider(response: ProviderReturn): Promise<LoginAnswer | null> {
  if (response.kind === "failed") return null;
  const { kind: _kind, ...body } = response;
  return call(oidc.login, { body });
}

/** The texts of a failed sign-in. `error` is undefined when no call failed. The gateway words what the provider refuses. */
export function providerFailed(displayName: string, error?: GatewayError): { title: string; text: string } {
  const title = "Unable to Login";
  if (error === undefined) return { title, text: `${displayName} did not confirm your sign-in. Please try again.` };
  const isWorded = error.status !== 0 && error.status !== 429 && error.errors.length > 0 && error.errors[0]?.code !== "internal";
  return { title, text: isWorded ? messagesOf(error).join(" ") : loginFailure(error) };
}
