import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from "@fairway/contract/passkeys";

/** Why passkeys do not work on this page; null if they do. */
export function passkeyProblem(): string | null {
  const { hostname } = location;
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (!isSecureContext || isAddress) {
    return "Passkeys need https and a host name, or localhost. Open the portal at such an address to use them.";
  }
  return "PublicKeyCredential" in globalThis ? null : "This browser does not support passkeys.";
}

/** Whether the browser can answer the request on this page. */
export const canUsePasskey = (request: PasskeyRequest | null): request is PasskeyRequest =>
  request !== null && request.rpId === location.hostname && passkeyProblem() === null;

/** Asks the browser to create a passkey. Rejects with PasskeyError if it creates none. */
export const createPasskey = (optionsJSON: PasskeyCreation): Promise<PasskeyRegistration> =>
  withWebAuthn(async () => ({ ...(await startRegistration({ optionsJSON })), clientExtensionResults: {} }));

/** Asks the browser for a passkey. Rejects with PasskeyError if it provides none. */
export const requestPasskey = (optionsJSON: PasskeyRequest): Promise<PasskeyAssertion> =>
  withWebAuthn(async () => ({ ...(await startAuthentication({ optionsJSON })), clientExtensionResults: {} }));

/** The browser provided no passkey. The message is for users. */
export class PasskeyError extends Error {
  constructor(cause: unknown) {
    super(messageFor(cause), { cause });
    this.name = "PasskeyError";
  }
}

async function withWebAuthn<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new PasskeyError(error);
  }
}

function messageFor(error: unknown): string {
  // The library uses the browser's error names.
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey of your account.";
  // Browsers do not reveal whether the prompt was dismissed, timed out or found nothing.
  if (name === "NotAllowedError" || name === "AbortError") return "No passkey was used. Try again.";
  return "The browser could not use a passkey here.";
}
