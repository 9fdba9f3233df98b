import { z } from "zod";
import { SignedUrls } from "#http/signed-urls.ts";
import type { MasterKey } from "#master-key.ts";

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

export type UploadSignatures = SignedUrls<UploadClaims>;

export const uploadSignatures = (masterKey: Pick<MasterKey, "encrypt" | "decrypt">): UploadSignatures =>
  new SignedUrls(masterKey, "fileset-upload", claims);
