import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from "@fairway/contract/passkeys";
import { loadInPlace } from "./chunk-load.ts";

// It comes with its first use: nobody needs it to see a screen.
const webAuthn = () => loadInPlace(() => import("@simplewebauthn/browser"));

/** Why passkeys do not work on this page; null where they do. */
export function passkeyProblem(): string | null {
  const { hostname } = location;
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (!isSecureContext || isAddress) {
    return "Passkeys need https and a host name, or localhost. Open the portal at such an address to use them.";
  }
  return "PublicKeyCredential" in globalThis ? null : "This browser does not support passkeys.";
}

/** Whether the browser can be asked for it on this page. */
export const canUse = (request: PasskeyRequest | null): request is PasskeyRequest =>
  request !== null && request.rpId === location.hostname && passkeyProblem() === null;

/** Asks the browser to make a passkey. Rejects with a PasskeyError where it makes none. */
export const makePasskey = (optionsJSON: PasskeyCreation): Promise<PasskeyRegistration> =>
  worded(async ({ startRegistration }) => ({ ...(await startRegistration({ optionsJSON })), clientExtensionResults: {} }));

/** Asks the browser for a passkey. Rejects with a PasskeyError where it gives none. */
export const provePasskey = (optionsJSON: PasskeyRequest): Promise<PasskeyAssertion> =>
  worded(async ({ startAuthentication }) => ({ ...(await startAuthentication({ optionsJSON })), clientExtensionResults: {} }));

/** The browser gave no passkey; the message is for people. */
export class PasskeyError extends Error {
  constructor(cause: unknown) {
    super(wordingOf(cause), { cause });
    this.name = "PasskeyError";
  }
}

async function worded<T>(ask: (part: Awaited<ReturnType<typeof webAuthn>>) => Promise<T>): Promise<T> {
  const part = await webAuthn();
  try {
    return await ask(part);
  } catch (error) {
    throw new PasskeyError(error);
  }
}

function wordingOf(error: unknown): string {
  // The library names its errors as the browser names theirs.
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already holds a passkey of your account.";
  // Browsers do not say whether the question was closed, took too long or found nothing.
  if (name === "NotAllowedError" || name === "AbortError") return "No passkey was used. Try again.";
  return "The browser could not use a passkey here.";
}
