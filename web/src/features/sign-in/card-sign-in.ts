import { cac } from "@fairway/contract/cac";
import type { LoginAnswer } from "@fairway/contract/auth";
import { call } from "#lib/call.ts";
import type { CardReturn } from "#lib/card.ts";
import type { GatewayError } from "#lib/gateway-error.ts";
import { loginFailure } from "./sign-in-failure.ts";

const cardFailureTitle = "Unable to Login";
const cardFailure = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

/** Turns in what the issuer sent. Null when it sent no code. Rejects with GatewayError. */
export async function signInByCard(answer: CardReturn): Promise<LoginAnswer | null> {
  if (answer.kind === "failed") return null;
  const { code, codeVerifier, redirectUri } = answer;
  return call(cac.login, { body: { code, codeVerifier, redirectUri } });
}

/** What the form says; undefined where no call failed. Where it is not the card itself, `more` says what it is. */
export function cardFailed(error?: GatewayError): { title: string; text: string; more?: string } {
  const isTheCard = error === undefined || error.status === 401 || error.status === 400;
  return { title: cardFailureTitle, text: cardFailure, ...(isTheCard ? {} : { more: loginFailure(error) }) };
}
