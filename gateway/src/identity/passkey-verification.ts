import type { PasskeyAssertion, PasskeyRegistration } from "@fairway/contract/passkeys";
import type { PasskeyChallenge } from "./passkey-challenges.ts";

type Asked = Omit<PasskeyChallenge, "name">;

interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: string[];
}

// Loaded with the first passkey: it takes half a second and 30 MB.
const webAuthn = () => import("@simplewebauthn/server");
const webAuthnHelpers = () => import("@simplewebauthn/server/helpers");

/** The credential that the browser made for this challenge. Undefined where it did not; `refused` is then told why. */
export async function verifiedRegistration(
  { id, rawId, type, response: { clientDataJSON, attestationObject, transports = [] } }: PasskeyRegistration,
  asked: Asked,
  algorithms: readonly number[],
  refused: (reason: string) => void,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { decodeAttestationObject, isoBase64URL } = await webAuthnHelpers();
  return unlessRefused(refused, async () => {
    // No statement was asked for. Certificates in one would be checked against addresses that they name themselves.
    const statement = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = statement.get("fmt");
    const isSelfSigned = format === "packed" && statement.get("attStmt").get("x5c") === undefined;
    if (format !== "none" && !isSelfSigned) throw new Error(`an attestation of the format ${JSON.stringify(format)} was not asked for`);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origin,
      expectedRPID: asked.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!registrationInfo) throw new Error("the attestation is not signed by the new key");
    const { credential } = registrationInfo;
    if (credential.id !== id) throw new Error("the id of the credential is not the one that its authenticator gave it");
    return { credentialId: id, publicKey: credential.publicKey, counter: credential.counter, transports };
  });
}

interface Proof {
  readonly assertion: PasskeyAssertion;
  readonly asked: Asked;
  /** The authenticator has to have checked who uses it, by a PIN or a fingerprint. */
  readonly verifiesUser: boolean;
}

interface KnownCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/**
 * The authenticator's new count, when the credential signed this challenge. Undefined where it did not, or where it counted back:
 * it may have been copied. `refused` is then told why.
 */
export async function verifiedAssertion(
  { assertion, asked, verifiesUser }: Proof,
  { credentialId, publicKey, counter }: KnownCredential,
  refused: (reason: string) => void,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn();
  return unlessRefused(refused, async () => {
    const { id, rawId, type, response } = assertion;
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origin,
      expectedRPID: asked.rpId,
      requireUserVerification: verifiesUser,
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    });
    if (!verified) throw new Error("the signature is not of this credential");
    return authenticationInfo.newCounter;
  });
}

/** The library throws plain errors for whatever does not hold: what it throws is what the other side sent. */
async function unlessRefused<T>(refused: (reason: string) => void, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    refused(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
