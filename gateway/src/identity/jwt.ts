import type { UserClaims } from "@fairway/contract/auth";
import { TokenError, createDecoder, createSigner, createVerifier } from "fast-jwt";
import { z } from "zod";

/** What a token is good for. A token for one is none for the other. */
export type Purpose = "access" | "password-reset" | "second-factor";

/** What a token says besides its lifetime, issuer and purpose. */
export interface Claims extends UserClaims {
  /** The session it belongs to. */
  readonly sid: string;
  /** When the password was last proven, in epoch seconds. */
  readonly auth_time: number;
}

const verifiedClaims = z.object({ sub: z.string(), sid: z.string(), exp: z.number() });
export type VerifiedClaims = z.infer<typeof verifiedClaims>;

// Pinned: a token does not choose how it is checked.
const algorithm = "ES256";
const issuer = "fairway";
const audience: Record<Purpose, string> = {
  access: "fairway",
  "password-reset": "fairway-password-reset",
  "second-factor": "fairway-second-factor",
};

export type Sign = (claims: Claims, purpose: Purpose, expiresAtSeconds: number) => string;
/** Undefined for a token that is forged, expired, for another purpose or not a token. */
export type Verify = (token: string, purpose: Purpose) => VerifiedClaims | undefined;

/** `privateKey`: PKCS#8, PEM. */
export function signerOf(kid: string, privateKey: string): Sign {
  const sign = createSigner({ key: privateKey, algorithm, kid, iss: issuer });
  return (claims, purpose, exp) => sign({ ...claims, aud: audience[purpose], exp });
}

/** `publicKey`: SPKI, PEM. */
export function verifierOf(publicKey: string): Verify {
  const verifierFor = (purpose: Purpose) =>
    createVerifier({
      key: publicKey,
      algorithms: [algorithm],
      allowedIss: issuer,
      allowedAud: audience[purpose],
      requiredClaims: ["exp", "iat", "iss", "aud", "sub", "sid"],
    });
  const verifiers = {
    access: verifierFor("access"),
    "password-reset": verifierFor("password-reset"),
    "second-factor": verifierFor("second-factor"),
  };
  return (token, purpose) => unlessInvalid(() => verifiedClaims.safeParse(verifiers[purpose](token)).data);
}

const decodeAll = createDecoder({ complete: true });
const header = z.object({ alg: z.literal(algorithm), kid: z.string().max(100) });

/** The id of the key that a token says it was signed with; undefined for what is not a token of ours at all. */
export function keyIdOf(token: string): string | undefined {
  const decoded = unlessInvalid(() => z.object({ header }).safeParse(decodeAll(token)));
  return decoded?.success === true ? decoded.data.header.kid : undefined;
}

function unlessInvalid<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TokenError) return undefined;
    throw error;
  }
}
