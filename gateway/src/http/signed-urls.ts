import type { z } from "zod";
import { type EncryptionContext, notStored } from "#secrets/encrypted-column.ts";
import { type MasterKey, UnreadableCiphertext } from "#secrets/master-key.ts";

/** Signatures of addresses that work without a token: encrypted and authenticated, so they neither reveal nor accept anything else. */
export class SignedUrls<Claims extends { readonly endsAtMs: number }> {
  readonly #masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly #purpose: EncryptionContext;
  readonly #claims: z.ZodType<Claims>;

  /** A signature is valid for its purpose only. */
  constructor(masterKey: Pick<MasterKey, "encrypt" | "decrypt">, purpose: string, claims: z.ZodType<Claims>) {
    this.#masterKey = masterKey;
    this.#purpose = notStored(purpose);
    this.#claims = claims;
  }

  sign(claims: Claims): string {
    return this.#masterKey.encrypt(JSON.stringify(claims), this.#purpose);
  }

  /** Undefined for any text that `sign` did not return, and for an expired signature. */
  read(signature: string): Claims | undefined {
    try {
      const claims = this.#claims.parse(JSON.parse(this.#masterKey.decrypt(signature, this.#purpose).toString()));
      return claims.endsAtMs > Date.now() ? claims : undefined;
    } catch (error) {
      if (error instanceof UnreadableCiphertext) return undefined;
      throw error;
    }
  }
}
