import { z } from "zod";
import { newName } from "./text.ts";

/** Bytes in WebAuthn's JSON encoding: base64url without padding. */
const bytes = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters)
    .regex(/^[\w-]*$/, "needs base64url without padding");

/** At most 1,023 bytes according to the standard. */
const credentialId = bytes(1_364);
const clientData = bytes(8_000);

/** How an authenticator is reached, such as `usb` or `internal`. Browsers may add new values. */
const transports = z.array(z.string().regex(/^[a-z-]{1,30}$/, "needs small letters and dashes")).max(10);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.string().max(30).nullish(),
  clientExtensionResults: z.looseObject({}),
};

/** A new passkey created by the browser: WebAuthn's `RegistrationResponseJSON`. */
export const passkeyRegistration = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: clientData,
      attestationObject: bytes(40_000),
      transports: transports.optional(),
      // Redundant: the attestation object is authoritative.
      authenticatorData: bytes(40_000).optional(),
      publicKey: bytes(10_000).optional(),
      publicKeyAlgorithm: z.int().optional(),
    }),
  })
  .meta({ id: "PasskeyRegistration" });
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

/** A passkey's proof: WebAuthn's `AuthenticationResponseJSON`. */
export const passkeyAssertion = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: clientData,
      authenticatorData: bytes(4_000),
      signature: bytes(10_000),
      userHandle: bytes(100).nullish(),
    }),
  })
  .meta({ id: "PasskeyAssertion" });
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

const descriptor = z.object({ id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) });

/** Request to prove a passkey: WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. The challenge is single-use. */
export const passkeyRequest = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    allowCredentials: z.array(descriptor),
    userVerification: z.enum(["required", "preferred"]),
    /** Milliseconds. */
    timeout: z.number(),
  })
  .meta({ id: "PasskeyRequest" });
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** Request to create a passkey: WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. The challenge is single-use. */
export const passkeyCreation = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({ residentKey: z.literal("preferred"), userVerification: z.literal("preferred") }),
    attestation: z.literal("none"),
    /** Milliseconds. */
    timeout: z.number(),
  })
  .meta({ id: "PasskeyCreation" });
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

export const passkeyNameCharacters = 100;
export const passkeyName = newName(passkeyNameCharacters);

export const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The host name that it was registered for; it works for no other. */
    host: z.string(),
    addedMs: z.number(),
    lastUsedMs: z.number().nullable(),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof passkey>;
