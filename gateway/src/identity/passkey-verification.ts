import type { PasskeyAssertion, PasskeyRegistration } from "@fairway/contract/passkeys";
import type { PasskeyChallenge } from "./passkey-challenges.ts";

type Challenge = Omit<PasskeyChallenge, "name">;

interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: string[];
}

// Loaded on first use, because it takes half a second and 30 MB.
const webAuthn = () => import("@simplewebauthn/server");
const webAuthnHelpers = () => import("@simplewebauthn/server/helpers");

/** Verifies a new credential for a challenge. Returns undefined if it is invalid, after calling `onRefused` with the reason. */
export async function verifyRegistration(
  { id, rawId, type, response: { clientDataJSON, attestationObject, transports = [] } }: PasskeyRegistration,
  challenge: Challenge,
  algorithms: readonly number[],
  onRefused: (reason: string) => void,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { decodeAttestationObject, isoBase64URL } = await webAuthnHelpers();
  return unlessRefused(onRefused, async () => {
    // No attestation was requested. Certificates in one would be checked against addresses that they name themselves.
    const statement = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = statement.get("fmt");
    const isSelfSigned = format === "packed" && statement.get("attStmt").get("x5c") === undefined;
    if (format !== "none" && !isSelfSigned) throw new Error(`an attestation of the format ${JSON.stringify(format)} was not requested`);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
      expectedChallenge: challenge.challenge,
      expectedOrigin: challenge.origin,
      expectedRPID: challenge.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!registrationInfo) throw new Error("the attestation is not signed by the new key");
    const { credential } = registrationInfo;
    if (credential.id !== id) throw new Error("the id of the credential does not match its authenticator data");
    return { credentialId: id, publicKey: credential.publicKey, counter: credential.counter, transports };
  });
}

interface Proof {
  readonly assertion: PasskeyAssertion;
  readonly challenge: Challenge;
  /** Whether the authenticator has to verify the user with a PIN or biometrics. */
  readonly requiresUserVerification: boolean;
}

interface KnownCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/**
 * Verifies that a credential signed a challenge. Returns the authenticator's new counter, or undefined if the proof is invalid
 * or the counter decreased (the credential may have been cloned), after calling `onRefused` with the reason.
 */
export async function verifyAssertion(
  { assertion, challenge, requiresUserVerification }: Proof,
  { credentialId, publicKey, counter }: KnownCredential,
  onRefused: (reason: string) => void,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn();
  return unlessRefused(onRefused, async () => {
    const { id, rawId, type, response } = assertion;
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge.challenge,
      expectedOrigin: challenge.origin,
      expectedRPID: challenge.rpId,
      requireUserVerification: requiresUserVerification,
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    });
    if (!verified) throw new Error("the signature does not match the credential");
    return authenticationInfo.newCounter;
  });
}

/** The library throws plain errors for invalid input, so every error is treated as a refusal. */
async function unlessRefused<T>(onRefused: (reason: string) => void, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    onRefused(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
