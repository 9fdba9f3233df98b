import { z } from "zod";
import { SignedUrls } from "#http/signed-urls.ts";
import type { MasterKey } from "#secrets/master-key.ts";

const uploader = z.object({
  /** Id of the fileset, or of the import. */
  fileset: z.string(),
  userId: z.string(),
  /** API key that requested the address; null for a signed-in person. */
  apiKeyId: z.string().nullable(),
  endsAtMs: z.number(),
});
/** User and fileset of an upload address. */
export type UploaderClaims = z.infer<typeof uploader>;

const fileClaims = uploader.extend({ file: z.string() });
const partClaims = uploader.extend({
  uploadId: z.string(),
  part: z.int(),
  /** Missing if the part goes through the portal unchecked. */
  crc32c: z.string().optional(),
});

export type PartClaims = z.infer<typeof partClaims>;

export interface UploadSignatures {
  readonly files: SignedUrls<z.infer<typeof fileClaims>>;
  readonly parts: SignedUrls<PartClaims>;
}

export const uploadSignatures = (masterKey: Pick<MasterKey, "encrypt" | "decrypt">): UploadSignatures => ({
  files: new SignedUrls(masterKey, "fileset-upload", fileClaims),
  parts: new SignedUrls(masterKey, "fileset-upload-part", partClaims),
});

/** Addresses of parts of imports. */
export const importSignatures = (masterKey: Pick<MasterKey, "encrypt" | "decrypt">): SignedUrls<PartClaims> =>
  new SignedUrls(masterKey, "import-part", partClaims);
