import { z } from "zod";
import type { MasterKey } from "#master-key.ts";
import { UnreadableCiphertext } from "#master-key.ts";

const purpose = "fileset-upload";

const claims = z.object({
  fileset: z.string(),
  file: z.string(),
  userId: z.string(),
  /** API key that requested the address; null for a signed-in person. */
  apiKeyId: z.string().nullable(),
  endsAtMs: z.number(),
});
/** What an upload address allows. */
export type UploadClaims = z.infer<typeof claims>;

/** Signatures of upload addresses: encrypted and authenticated, so they neither reveal nor accept anything else. */
export class UploadSignatures {
  readonly #masterKey: Pick<MasterKey, "encrypt" | "decrypt">;

  constructor(masterKey: Pick<MasterKey, "encrypt" | "decrypt">) {
    this.#masterKey = masterKey;
  }

  sign(upload: UploadClaims): string {
    return this.#masterKey.encrypt(JSON.stringify(upload), purpose);
  }

  /** Undefined for any text that `sign` did not return, and for an expired signature. */
  read(signature: string): UploadClaims | undefined {
    try {
      const upload = claims.parse(JSON.parse(this.#masterKey.decrypt(signature, purpose).toString()));
      return upload.endsAtMs > Date.now() ? upload : undefined;
    } catch (error) {
      if (error instanceof UnreadableCiphertext) return undefined;
      throw error;
    }
  }
}
