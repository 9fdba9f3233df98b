import { apiBase } from "@fairway/contract/api";
import type { FilesetFile } from "@fairway/contract/filesets";
import type { FastifyBaseLogger } from "fastify";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import type { PartsFolder } from "#storage/parts-folder.ts";
import type { FilesetService, OpenFileset } from "./service.ts";
import type { UploadLimits } from "#uploads/part-uploads.ts";
import { addressNotValid, noRoom, noteInfected, uploadRefusal } from "#uploads/upload-refusals.ts";
import type { UploadRoom } from "#uploads/upload-room.ts";
import type { UploaderClaims, UploadSignatures } from "#uploads/upload-signatures.ts";
import type { UploadTurns } from "#uploads/upload-turns.ts";

export interface UploadParts {
  readonly service: FilesetService;
  readonly signatures: UploadSignatures;
  readonly room: UploadRoom;
  readonly turns: UploadTurns;
  /** The account with its current roles; undefined if what requested the address may no longer upload. */
  readonly findUploader: (claims: UploaderClaims) => Promise<SignedInUser | undefined>;
  /** Folder of files until they have been scanned; undefined if they are not. */
  readonly scanFolder: PartsFolder | undefined;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly limits: UploadLimits;
}

/** The content of an upload and what its address says. */
export interface Sent {
  readonly filesetId: string;
  readonly path: string;
  readonly signature: string;
  readonly content: RawContent;
}

/** Uploads of single files, each to an address that was signed for it. */
export class Uploads {
  readonly #parts: UploadParts;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  async addressOf(user: SignedInUser, filesetId: string, named: string): Promise<string> {
    const { service, signatures, room, limits } = this.#parts;
    const fileset = await service.find(user, filesetId);
    requireUploads(fileset);
    const path = fileset.newPath(named);
    fileset.keyOf(path);
    if ((await room.left(user.id)) <= 0) throw noRoom(limits);
    const signature = signatures.files.sign({
      fileset: filesetId,
      file: path,
      userId: user.id,
      apiKeyId: user.reach?.apiKeyId ?? null,
      endsAtMs: Date.now() + limits.uploadUrlMinutes * 60_000,
    });
    const query = new URLSearchParams({ file: path, signature }).toString();
    return `${apiBase}/filesets/${encodeURIComponent(filesetId)}/upload?${query}`;
  }

  /**
   * Stores the content whole or not at all. `identified` receives the uploader before anything can be refused to them.
   */
  async receive({ filesetId, path, signature, content }: Sent, identified: (user: SignedInUser) => void): Promise<FilesetFile> {
    const claims = this.#parts.signatures.files.read(signature);
    if (claims === undefined || claims.fileset !== filesetId || claims.file !== path) throw addressNotValid();
    const { user, fileset } = await admitUploader(this.#parts, claims, identified);
    const end = this.#parts.turns.begin(user.id);
    try {
      // A large upload may take hours, in which what allowed it may have changed.
      return await this.#store(user, fileset, path, content, async () => void (await admitUploader(this.#parts, claims)));
    } finally {
      end();
    }
  }

  /** `requireAllowed` is called once the whole content has arrived. */
  async #store(
    user: SignedInUser,
    fileset: OpenFileset,
    path: string,
    content: RawContent,
    requireAllowed: () => Promise<void>,
  ): Promise<FilesetFile> {
    const { room, limits, scanFolder, log } = this.#parts;
    const key = fileset.keyOf(path);
    if ((content.expectedBytes ?? 0) > limits.uploadMaxBytes) throw Refusal.fileTooLarge(limits.uploadMaxBytes, "file");
    const taken = new TakenRoom(room, user.id, limits);
    try {
      await taken.take(content.expectedBytes);
      const store = await fileset.store();
      const counted = taken.counted(content, requireAllowed);
      const info =
        scanFolder === undefined
          ? await store.write(key, counted, limits.uploadMaxBytes)
          : await scanFolder.write(store, key, counted, limits.uploadMaxBytes);
      return fileset.toFile(info);
    } catch (error) {
      await taken.giveBack();
      noteInfected(error, log, { fileset: fileset.id, file: path, user: user.username });
      throw uploadRefusal(error, path, limits);
    }
  }
}

/** Everything that allowed an address has to hold still. */
export async function admitUploader(
  { findUploader, service }: Pick<UploadParts, "findUploader" | "service">,
  claims: UploaderClaims,
  identified: (user: SignedInUser) => void = () => {},
): Promise<{ user: SignedInUser; fileset: OpenFileset }> {
  const user = await findUploader(claims);
  if (user === undefined) throw addressNotValid();
  identified(user);
  const fileset = await service.find(user, claims.fileset);
  requireUploads(fileset);
  return { user, fileset };
}

export function requireUploads({ id, allowsUploads }: OpenFileset): void {
  if (!allowsUploads) throw new Refusal("forbidden", `The fileset '${id}' does not allow uploads.`);
}

/** The room that one upload takes: before its body is read if its length is known, else once the length is known. */
class TakenRoom {
  readonly #room: UploadRoom;
  readonly #userId: string;
  readonly #limits: UploadLimits;
  #id: string | undefined;

  constructor(room: UploadRoom, userId: string, limits: UploadLimits) {
    this.#room = room;
    this.#userId = userId;
    this.#limits = limits;
  }

  async take(bytes: number | undefined): Promise<void> {
    if (bytes === undefined) return;
    this.#id = await this.#room.take(this.#userId, bytes);
    if (this.#id === undefined) throw noRoom(this.#limits);
  }

  async giveBack(): Promise<void> {
    if (this.#id !== undefined) await this.#room.giveBack(this.#id);
  }

  /** The content. It ends only once there is room for all of it, if its length was not known, and `atEnd` has resolved. */
  async *counted(content: RawContent, atEnd: () => Promise<void>): AsyncGenerator<Uint8Array> {
    const isTaken = this.#id !== undefined;
    const left = isTaken ? Infinity : await this.#room.left(this.#userId);
    let bytes = 0;
    for await (const chunk of content.chunks(this.#limits.uploadIdleMs)) {
      bytes += chunk.byteLength;
      if (bytes > left) throw noRoom(this.#limits);
      yield chunk;
    }
    if (!isTaken) await this.take(bytes);
    await atEnd();
  }
}
