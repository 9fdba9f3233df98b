import { apiBase } from "@fairway/contract/api";
import type { FilesetFile } from "@fairway/contract/filesets";
import type { Limits } from "@fairway/contract/limits";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import { isCode } from "#storage/file-errors.ts";
import { FileTooLarge, NameTaken } from "#storage/storage.ts";
import type { FilesetService, OpenFileset } from "./service.ts";
import type { UploadRoom } from "./upload-room.ts";
import type { UploadClaims, UploadSignatures } from "./upload-signatures.ts";
import type { UploadTurns } from "./upload-turns.ts";

export type UploadLimits = Pick<Limits, "uploadMaxBytes" | "uploadUrlMinutes" | "uploadIdleMs" | "userDailyUploadBytes">;

export interface UploadParts {
  readonly service: FilesetService;
  readonly signatures: UploadSignatures;
  readonly room: UploadRoom;
  readonly turns: UploadTurns;
  /** The account with its current roles; undefined if what requested the address may no longer upload. */
  readonly findUploader: (claims: UploadClaims) => Promise<SignedInUser | undefined>;
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

  async addressOf(user: SignedInUser, filesetId: string, path: string): Promise<string> {
    const { service, signatures, room, limits } = this.#parts;
    const fileset = await service.find(user, filesetId);
    requireUploads(fileset);
    const key = fileset.keyOf(path);
    if ((await room.left(user.id)) <= 0) throw noRoom(limits);
    const presigned = await (await fileset.store()).presignPut?.(key, limits.uploadUrlMinutes * 60);
    if (presigned !== undefined) return presigned;
    const signature = signatures.sign({
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
   * Stores the content whole or not at all. Everything that allowed the address has to hold still. `identified` receives the
   * uploader before anything can be refused to them.
   */
  async receive({ filesetId, path, signature, content }: Sent, identified: (user: SignedInUser) => void): Promise<FilesetFile> {
    const { signatures, service, findUploader, turns } = this.#parts;
    const claims = signatures.read(signature);
    if (claims === undefined || claims.fileset !== filesetId || claims.file !== path) throw notAllowed();
    const allow = async (identify: (user: SignedInUser) => void) => {
      const user = await findUploader(claims);
      if (user === undefined) throw notAllowed();
      identify(user);
      const fileset = await service.find(user, filesetId);
      requireUploads(fileset);
      return { user, fileset };
    };
    const { user, fileset } = await allow(identified);
    const end = turns.begin(user.id);
    try {
      // A large upload may take hours, in which what allowed it may have changed.
      return await this.#store(user, fileset, path, content, async () => void (await allow(() => undefined)));
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
    const { room, limits } = this.#parts;
    const key = fileset.keyOf(path);
    if ((content.expectedBytes ?? 0) > limits.uploadMaxBytes) throw Refusal.fileTooLarge(limits.uploadMaxBytes, "file");
    const taken = new TakenRoom(room, user.id, limits);
    try {
      await taken.take(content.expectedBytes);
      const store = await fileset.store();
      return fileset.toFile(await store.write(key, taken.counted(content, requireAllowed), limits.uploadMaxBytes));
    } catch (error) {
      await taken.giveBack();
      throw refusalOf(error, path, limits);
    }
  }
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

function refusalOf(error: unknown, path: string, { uploadMaxBytes }: UploadLimits): unknown {
  if (error instanceof FileTooLarge) return Refusal.fileTooLarge(uploadMaxBytes, "file");
  if (error instanceof NameTaken) {
    return new Refusal("conflict", `There is a folder '${path}', or a file with the name of one of its folders.`, { path: "file" });
  }
  if (isCode(error, "ENOSPC", "EDQUOT")) {
    return new Refusal("no-room", "The portal's storage is full, so the file cannot be stored. Tell an administrator.", { path: "file" });
  }
  return error;
}

function requireUploads({ id, allowsUploads }: OpenFileset): void {
  if (!allowsUploads) throw new Refusal("forbidden", `The fileset '${id}' does not allow uploads.`);
}

const notAllowed = () =>
  new Refusal("forbidden", "This upload address is not valid, or no longer. Request a new one.", { path: "signature" });

const noRoom = ({ userDailyUploadBytes }: UploadLimits) =>
  new Refusal(
    "no-room",
    `You may upload ${userDailyUploadBytes.toLocaleString("en-US")} bytes within 24 hours, and this file would exceed that. Try again later.`,
    { path: "file" },
  );
