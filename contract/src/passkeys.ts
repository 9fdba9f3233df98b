import { z } from "zod";
import { newName } from "./text.ts";

/** Bytes as WebAuthn writes them in JSON: base64url without padding. */
const bytes = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters)
    .regex(/^[\w-]*$/, "needs base64url without padding");

/** At most 1,023 bytes by the standard. */
const credentialId = bytes(1_364);
const clientData = bytes(8_000);

/** How a device is reached, such as `usb` or `internal`; browsers come up with new ones. */
const transports = z.array(z.string().regex(/^[a-z-]{1,30}$/, "needs small letters and dashes")).max(10);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.string().max(30).nullish(),
  clientExtensionResults: z.looseObject({}),
};

/** A new passkey as the browser made it: `RegistrationResponseJSON` of WebAuthn. */
export const passkeyRegistration = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: clientData,
      attestationObject: bytes(40_000),
      transports: transports.optional(),
      // Said once more in the attestation object, which is what counts.
      authenticatorData: bytes(40_000).optional(),
      publicKey: bytes(10_000).optional(),
      publicKeyAlgorithm: z.int().optional(),
    }),
  })
  .meta({ id: "PasskeyRegistration" });
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

/** A passkey's proof: `AuthenticationResponseJSON` of WebAuthn. */
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

/** What the browser is asked for to prove a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. Its challenge counts once. */
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

/** What the browser is asked for to make a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. Its challenge counts once. */
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
    /** The host name that it was added at. It works nowhere else. */
    host: z.string(),
    addedMs: z.number(),
    lastUsedMs: z.number().nullable(),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof passkey>;
