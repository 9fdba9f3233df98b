import type { UserClaims } from "@fairway/contract/auth";
import { TokenError, createDecoder, createSigner, createVerifier } from "fast-jwt";
import { z } from "zod";

/** Purpose of a token. Its audience separates the purposes. */
export type Purpose = "access" | "password-reset" | "second-factor";

/** Claims of a token besides its lifetime, issuer and audience. */
export interface Claims extends UserClaims {
  /** Session id. */
  readonly sid: string;
  /** Time of the sign-in in epoch seconds. */
  readonly auth_time: number;
}

const verifiedClaims = z.object({ sub: z.string(), sid: z.string(), exp: z.number() });
export type VerifiedClaims = z.infer<typeof verifiedClaims>;

// Pinned, so that a token cannot choose its verification.
const algorithm = "ES256";
const issuer = "fairway";
const audience: Record<Purpose, string> = {
  access: "fairway",
  "password-reset": "fairway-password-reset",
  "second-factor": "fairway-second-factor",
};

export type Sign = (claims: Claims, purpose: Purpose, expiresAtSeconds: number) => string;
/** Undefined for a token that is forged, expired, malformed or for another purpose. */
export type Verify = (token: string, purpose: Purpose) => VerifiedClaims | undefined;

/** `privateKey`: PKCS#8, PEM. */
export function createTokenSigner(kid: string, privateKey: string): Sign {
  const sign = createSigner({ key: privateKey, algorithm, kid, iss: issuer });
  return (claims, purpose, exp) => sign({ ...claims, aud: audience[purpose], exp });
}

/** `publicKey`: SPKI, PEM. */
export function createTokenVerifier(publicKey: string): Verify {
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

/** The key id in a token's header; undefined if the text is not a token of the portal. */
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
