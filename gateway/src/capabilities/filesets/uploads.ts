import { apiBase } from "@fairway/contract/api";
import type { FilesetFile } from "@fairway/contract/filesets";
import type { Limits } from "@fairway/contract/limits";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import { FileTooLarge } from "#storage/storage.ts";
import type { FilesetService, OpenFileset } from "./service.ts";
import type { UploadClaims, UploadSignatures } from "./upload-signatures.ts";

export interface UploadParts {
  readonly service: FilesetService;
  readonly signatures: UploadSignatures;
  /** The account with its current roles; undefined if what requested the address may no longer upload. */
  readonly findUploader: (claims: UploadClaims) => Promise<SignedInUser | undefined>;
  readonly limits: Pick<Limits, "uploadMaxBytes" | "uploadUrlMinutes">;
}

export interface Upload {
  readonly user: SignedInUser;
  readonly file: FilesetFile;
}

/** Uploads of single files, each to an address that was signed for it. */
export class Uploads {
  readonly #parts: UploadParts;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  async addressOf(user: SignedInUser, filesetId: string, path: string): Promise<string> {
    const fileset = await this.#parts.service.find(user, filesetId);
    requireUploads(fileset);
    const key = fileset.keyOf(path);
    const { uploadUrlMinutes } = this.#parts.limits;
    const presigned = await (await fileset.store()).presignPut?.(key, uploadUrlMinutes * 60);
    if (presigned !== undefined) return presigned;
    const signature = this.#parts.signatures.sign({
      fileset: filesetId,
      file: path,
      userId: user.id,
      apiKeyId: user.reach?.apiKeyId ?? null,
      endsAtMs: Date.now() + this.#parts.limits.uploadUrlMinutes * 60_000,
    });
    const query = new URLSearchParams({ file: path, signature }).toString();
    return `${apiBase}/filesets/${encodeURIComponent(filesetId)}/upload?${query}`;
  }

  /** Stores the content whole or not at all. Everything that allowed the address has to hold still. */
  async receive(filesetId: string, path: string, signature: string, content: RawContent): Promise<Upload> {
    const { signatures, service, findUploader, limits } = this.#parts;
    const claims = signatures.read(signature);
    if (claims === undefined || claims.fileset !== filesetId || claims.file !== path) throw notAllowed();
    const user = await findUploader(claims);
    if (user === undefined) throw notAllowed();
    const fileset = await service.find(user, filesetId);
    requireUploads(fileset);
    const key = fileset.keyOf(path);
    if ((content.expectedBytes ?? 0) > limits.uploadMaxBytes) throw tooLarge(limits.uploadMaxBytes);
    const store = await fileset.store();
    try {
      return { user, file: fileset.toFile(await store.write(key, content, limits.uploadMaxBytes)) };
    } catch (error) {
      throw error instanceof FileTooLarge ? tooLarge(limits.uploadMaxBytes) : error;
    }
  }
}

function requireUploads({ id, allowsUploads }: OpenFileset): void {
  if (!allowsUploads) throw new Refusal("forbidden", `The fileset '${id}' does not allow uploads.`);
}

const notAllowed = () =>
  new Refusal("forbidden", "This upload address is not valid, or no longer. Request a new one.", { path: "signature" });

const tooLarge = (maxBytes: number) =>
  new Refusal("too-large", `The file is larger than ${maxBytes.toLocaleString("en-US")} bytes.`, { path: "file" });
