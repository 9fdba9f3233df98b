import { cac } from "@fairway/contract/cac";
import type { LoginAnswer } from "@fairway/contract/auth";
import { call } from "#lib/gateway/call.ts";
import type { CardReturn } from "#lib/session/card.ts";
import type { GatewayError } from "#lib/gateway/gateway-error.ts";
import { loginFailure } from "./sign-in-failure.ts";

const cardFailureTitle = "Unable to Login";
const cardFailure = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

/** Signs in with the issuer's response. Null when it contains no code. Rejects with GatewayError. */
export async function signInByCard(response: CardReturn): Promise<LoginAnswer | null> {
  if (response.kind === "failed") return null;
  const { code, codeVerifier, redirectUri } = response;
  return call(cac.login, { body: { code, codeVerifier, redirectUri } });
}

/** The texts of a failed card sign-in. `error` is undefined when no call failed; `more` explains failures not caused by the card. */
export function cardFailed(error?: GatewayError): { title: string; text: string; more?: string } {
  const isCardRefused = error === undefined || error.status === 401 || error.status === 400;
  return { title: cardFailureTitle, text: cardFailure, ...(isCardRefused ? {} : { more: loginFailure(error) }) };
}
