import { apiBase } from "@fairway/contract/api";
import { checksumHeader, type PartUpload, partCount, partRange } from "@fairway/contract/fileset-uploads";
import type { Limits } from "@fairway/contract/limits";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import type { FastifyBaseLogger } from "fastify";
import { FileInfected } from "#storage/file-scanner.ts";
import type { FileKey } from "#storage/key.ts";
import type { PartsFolder } from "#storage/parts-folder.ts";
import type { SpelledStore } from "#storage/spelled-store.ts";
import {
  type FileInfo,
  type FileStores,
  type FileStore,
  PartReplaced,
  type PartStore,
  type PartUploadId,
  StoreFailed,
  type StoredPart,
  UploadMissing,
} from "#storage/storage.ts";
import { type ConfirmedParts, type PartUploadRow, type PartUploadRows, renewJoiningMs } from "./part-upload-rows.ts";
import { addressNotValid, infectedMessage, noRoom, noteInfected, uploadRefusal } from "./upload-refusals.ts";
import type { UploadRoom } from "./upload-room.ts";
import type { PartClaims, UploaderClaims } from "./upload-signatures.ts";
import type { UploadTurns } from "./upload-turns.ts";
import type { SignedUrls } from "#http/signed-urls.ts";

export type UploadLimits = Pick<Limits, "uploadMaxBytes" | "uploadUrlMinutes" | "uploadIdleMs" | "userDailyUploadBytes">;
export type PartLimits = UploadLimits & Pick<Limits, "uploadPartBytes" | "uploadResumeHours">;

/** The place that files become part of, such as a fileset. */
export interface UploadDestination {
  readonly bucket: string;
  /** Whether no earlier file can have a key of an upload, so that whatever has it is the uploaded file. */
  readonly hasNewKeys?: boolean;
  /** The key in the store of a path, in normal form C. Refuses a path that cannot name a file. */
  keyOf(path: string): FileKey;
  store(): Promise<Pick<SpelledStore, "storedKey"> & FileStore>;
}

interface Parts<Destination extends UploadDestination> {
  /** Refuses a destination to which the user may not upload. */
  readonly find: (user: SignedInUser, holder: string) => Promise<Destination>;
  /** The account with its current roles; undefined if what requested the address may no longer upload. */
  readonly findUploader: (claims: UploaderClaims) => Promise<SignedInUser | undefined>;
  /** The path at which a part of this upload is received. */
  readonly partPath: (row: PartUploadRow, part: number) => Promise<string> | string;
  /** Called when a part has been stored, with its first bytes on demand. Must not reject. */
  readonly onPart?: (row: PartUploadRow, part: number, beginning: (bytes: number) => Promise<Buffer | undefined>) => void;
  /** So many bytes of the first part are kept for `onPart` if the store shows none before the parts are joined. Default: 0. */
  readonly keptBytes?: number;
  readonly signatures: SignedUrls<PartClaims>;
  readonly rows: PartUploadRows;
  readonly room: UploadRoom;
  readonly turns: UploadTurns;
  readonly stores: FileStores;
  /** For stores that keep no parts, and for all files if they are scanned. */
  readonly folder: PartsFolder;
  /** Folder of files until they have been scanned; undefined if they are not. */
  readonly scanFolder: PartsFolder | undefined;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly limits: PartLimits;
}

/** A file that has arrived. */
export interface Arrived<Destination> {
  readonly path: string;
  readonly destination: Destination;
  /** Undefined if an earlier call has completed it. */
  readonly file: FileInfo | undefined;
}

interface PartAddress {
  readonly uploadUrl: string;
  readonly headers?: Record<string, string>;
}

/** S3's limit. */
const maxParts = 10_000;

/**
 * Uploads of single files in parts to filesets or imports. The content may go to the store directly; every limit is enforced here.
 * Decision 0350.
 */
export class PartUploads<Destination extends UploadDestination> {
  readonly #parts: Parts<Destination>;

  constructor(parts: Parts<Destination>) {
    this.#parts = parts;
  }

  /** Continues the user's unfinished upload of the same version of the file, if there is one. The file's path is a new one of the destination. */
  async start(
    user: SignedInUser,
    holder: string,
    destination: Destination,
    file: { file: string; size: number; version: string },
    { maxUnfinished }: { readonly maxUnfinished: number },
  ): Promise<PartUpload> {
    const { rows, room, limits } = this.#parts;
    const store = await destination.store();
    const parts = this.#partStoreOf(store);
    const key = await store.storedKey(destination.keyOf(file.file));
    const target = { ...file, userId: user.id, holder, bucket: destination.bucket, key };
    const known = await rows.findUnfinished(target);
    if (known !== undefined) {
      const received = await parts.list(known).catch(undefinedIfMissing);
      if (received !== undefined)
        return { uploadId: known.id, partBytes: known.partBytes, received: wholeParts(known, received, await rows.confirmed(known.id)) };
      // A call that has just joined them still counts them.
      if (await rows.beginJoining(known.id)) await this.#forget(known);
    }
    const roomId = await room.take(user.id, file.size);
    if (roomId === undefined) throw noRoom(limits);
    let begun: PartUploadId | undefined;
    try {
      const uploadId = await parts.begin(key);
      begun = { key, uploadId, isChecked: true };
      const partBytes = Math.max(limits.uploadPartBytes, parts.minBytes, Math.ceil(file.size / maxParts));
      const id = await rows.add(target, { partBytes, uploadId, roomId }, maxUnfinished);
      return { uploadId: id, partBytes, received: [] };
    } catch (error) {
      if (begun !== undefined) await parts.abort(begun).catch(() => undefined);
      await room.giveBack(roomId);
      throw error;
    }
  }

  /** Without the checksum of the part, the address is the portal's, which takes the part whole before it counts. */
  async partUrl(user: SignedInUser, holder: string, id: string, part: string, crc32c: string | undefined): Promise<PartAddress> {
    const { signatures, turns, limits } = this.#parts;
    const { row, parts } = await this.#findUnfinished(user, holder, id);
    const { number, size } = partOf(row, part);
    if (parts.presign !== undefined && row.isChecked && crc32c !== undefined) {
      turns.count(user.id);
      const uploadUrl = await parts.presign(row, number, { size, crc32c }, limits.uploadUrlMinutes * 60);
      return { uploadUrl, headers: { [checksumHeader]: crc32c } };
    }
    const signature = signatures.sign({
      fileset: holder,
      uploadId: id,
      part: number,
      crc32c,
      userId: user.id,
      apiKeyId: user.reach?.apiKeyId ?? null,
      endsAtMs: Date.now() + limits.uploadUrlMinutes * 60_000,
    });
    const query = new URLSearchParams({ signature }).toString();
    return { uploadUrl: `${apiBase}${await this.#parts.partPath(row, number)}?${query}` };
  }

  /** Numbers of the parts that have arrived. */
  async received(user: SignedInUser, holder: string, id: string): Promise<{ readonly partBytes: number; readonly received: number[] }> {
    const { row, parts } = await this.#find(user, holder, id);
    const { partBytes, size } = row;
    if (row.outcome === "completed")
      return { partBytes, received: Array.from({ length: partCount(size, partBytes) }, (_, index) => index + 1) };
    const stored = (await parts.list(row).catch(undefinedIfMissing)) ?? [];
    return { partBytes, received: wholeParts(row, stored, await this.#parts.rows.confirmed(id)) };
  }

  /** Stores one part, whole or not at all. */
  async receive(
    sent: { holder: string; uploadId: string; part: string; signature: string; content: RawContent },
    identified: (user: SignedInUser) => void,
  ): Promise<void> {
    const { signatures, findUploader, rows, turns, limits } = this.#parts;
    const { holder, uploadId, part, content } = sent;
    const claims = signatures.read(sent.signature);
    if (claims === undefined || claims.fileset !== holder || claims.uploadId !== uploadId || String(claims.part) !== part) {
      throw addressNotValid();
    }
    const user = await findUploader(claims);
    if (user === undefined) throw addressNotValid();
    identified(user);
    const { row, parts } = await this.#findUnfinished(user, holder, uploadId);
    const { number, size } = partOf(row, part);
    if (content.expectedBytes !== size) throw new Refusal("invalid-value", `Part ${number} has ${size} bytes.`, { path: "part" });
    const end = turns.begin(user.id);
    try {
      const kept = new Beginning(parts.beginning === undefined && number === 1 ? (this.#parts.keptBytes ?? 0) : 0);
      const chunks = kept.of(content.chunks(limits.uploadIdleMs));
      const tag = await parts.write(row, number, { content: chunks, size, crc32c: claims.crc32c });
      if (!(await rows.confirm(uploadId, number, tag))) throw noSuchUpload();
      this.#parts.onPart?.(row, number, (bytes) => parts.beginning?.(row, number, bytes) ?? kept.read(bytes));
    } catch (error) {
      // A store may just close the connection if the parts were joined meanwhile.
      const isGone =
        error instanceof UploadMissing || (error instanceof StoreFailed && !(await this.#isUnfinished(user, holder, uploadId)));
      throw isGone ? noSuchUpload() : uploadRefusal(error, row.file, limits);
    } finally {
      end();
    }
  }

  /** `tag` is what the store answered to the sender of the part. */
  async confirmPart(user: SignedInUser, holder: string, id: string, part: string, tag: string | undefined): Promise<void> {
    const { row, parts } = await this.#findUnfinished(user, holder, id);
    const { number } = partOf(row, part);
    // Without it, what is stored now: too late only for what another attempt has replaced within these milliseconds.
    const stored = tag ?? (await parts.list(row).catch(undefinedIfMissing))?.find((one) => one.part === number)?.tag ?? "";
    if (!(await this.#parts.rows.confirm(id, number, stored))) throw noSuchUpload();
  }

  /** Makes the file appear. A repeated call gets the same answer. */
  async complete(user: SignedInUser, holder: string, id: string): Promise<Arrived<Destination>> {
    const { rows, limits, log } = this.#parts;
    const { row, destination, parts, store } = await this.#find(user, holder, id);
    const arrived = { path: row.file, destination };
    if (row.outcome === "completed") return { ...arrived, file: undefined };
    if (row.outcome === "infected") throw new Refusal("infected", infectedMessage, { path: "file" });
    if (!(await rows.beginJoining(id))) throw isBeingJoined();
    const renewing = setInterval(() => {
      rows.renewJoining(id).catch((error: unknown) => log.warn({ err: error }, "could not report that parts are still being joined"));
    }, renewJoiningMs);
    try {
      const file = await this.#join(row, parts, store);
      await rows.finish(id, "completed");
      return { ...arrived, file };
    } catch (error) {
      if (error instanceof FileInfected) {
        noteInfected(error, log, { [rows.kind]: holder, file: row.file, user: user.username });
        await this.#parts.room.giveBack(row.roomId);
        await parts.abort(row);
        await rows.finish(id, "infected");
      } else if (error instanceof UploadMissing) {
        // The store may have joined the parts although its answer was lost.
        const stored = await store.head(row.key);
        // Services tell times in whole seconds, so that a file of the same second may be an earlier one.
        const isNewer = stored !== undefined && (destination.hasNewKeys === true || stored.lastModified > row.startedAt);
        if (isNewer && stored.size === row.size) {
          await rows.finish(id, "completed");
          return { ...arrived, file: stored };
        }
        await this.#forget(row);
        throw noSuchUpload();
      } else {
        await rows.finish(id, null);
        if (error instanceof PartReplaced) throw isBeingSent(error);
      }
      throw uploadRefusal(error, row.file, limits);
    } finally {
      clearInterval(renewing);
    }
  }

  async abort(user: SignedInUser, holder: string, id: string): Promise<void> {
    const { row, parts } = await this.#find(user, holder, id);
    if (row.outcome !== null) return;
    if (!(await this.#parts.rows.beginJoining(id))) throw isBeingJoined();
    await parts.abort(row);
    await this.#forget(row);
  }

  /** Discards the parts of uploads that can no longer be continued. One that a store refuses to discard is tried again for a week. */
  async expire(): Promise<void> {
    const { rows, stores, folder, limits, log } = this.#parts;
    for (const row of await rows.expired()) {
      try {
        if (row.outcome === null) await this.#partStoreOf(await stores.of(row.bucket)).abort(row);
      } catch (error) {
        log.warn({ err: error, bucket: row.bucket }, "the parts of an expired upload could not be discarded");
        if (!row.isWeekOld) continue;
      }
      if (row.outcome === null) await this.#forget(row);
      else await rows.remove(row.id);
    }
    await folder.removeOlderThan((limits.uploadResumeHours + 1) * 3_600_000);
  }

  #partStoreOf(store: FileStore): PartStore {
    const { folder, scanFolder } = this.#parts;
    if (scanFolder !== undefined) return scanFolder.of(store);
    return store.parts === undefined ? folder.of(store) : folder.wholeFirst(store.parts);
  }

  /** Refuses an upload whose file is there: nothing can be added to it. */
  async #findUnfinished(user: SignedInUser, holder: string, id: string) {
    const found = await this.#find(user, holder, id);
    if (found.row.outcome !== null) throw noSuchUpload();
    return found;
  }

  async #isUnfinished({ id: userId }: SignedInUser, holder: string, id: string): Promise<boolean> {
    const row = await this.#parts.rows.find(id, userId, holder);
    return row !== undefined && row.outcome === null;
  }

  async #find(
    user: SignedInUser,
    holder: string,
    id: string,
  ): Promise<{ row: PartUploadRow; destination: Destination; parts: PartStore; store: FileStore }> {
    const { find, rows } = this.#parts;
    const destination = await find(user, holder);
    const row = await rows.find(id, user.id, holder);
    // An administrator may have moved the fileset meanwhile.
    if (row === undefined || row.bucket !== destination.bucket || row.key.normalize("NFC") !== destination.keyOf(row.file).normalize("NFC"))
      throw noSuchUpload();
    const store = await destination.store();
    return { row, destination, parts: this.#partStoreOf(store), store };
  }

  async #join(row: PartUploadRow, parts: PartStore, store: FileStore) {
    const stored = await parts.list(row);
    const whole = new Set(wholeParts(row, stored, await this.#parts.rows.confirmed(row.id)));
    const missing = Array.from({ length: partCount(row.size, row.partBytes) }, (_, index) => index + 1).filter((part) => !whole.has(part));
    if (missing.length > 0) {
      const named = missing.slice(0, 10).join(", ") + (missing.length > 10 ? " and others" : "");
      throw new Refusal("conflict", `The file is not complete: send the parts ${named}.`, { path: "uploadId" });
    }
    const info = await parts.join(
      row,
      stored.filter(({ part }) => whole.has(part)),
    );
    if (info.size !== row.size) {
      await store.remove(row.key);
      throw new StoreFailed(`The file store did not join the parts of '${row.file}' correctly. Upload it again.`);
    }
    return info;
  }

  async #forget({ id, roomId }: PartUploadRow): Promise<void> {
    await this.#parts.room.giveBack(roomId);
    await this.#parts.rows.remove(id);
  }
}

/** The first bytes of a content that passes. */
class Beginning {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#maxBytes === 0 ? content : this.#kept(content);
  }

  read(bytes: number): Promise<Buffer | undefined> {
    return Promise.resolve(this.#bytes === 0 ? undefined : Buffer.concat(this.#chunks).subarray(0, bytes));
  }

  async *#kept(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      if (this.#bytes < this.#maxBytes) {
        this.#chunks.push(chunk);
        this.#bytes += chunk.byteLength;
      }
      yield chunk;
    }
  }
}

function partOf({ size, partBytes }: PartUploadRow, part: string): { number: number; size: number } {
  const number = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0;
  const count = partCount(size, partBytes);
  if (number < 1 || number > count) throw new Refusal("not-found", `The parts of this file are 1 to ${count}.`, { path: "part" });
  const { start, end } = partRange(number, size, partBytes);
  return { number, size: end - start };
}

/** Numbers of the parts that arrived whole and are still what was sent: a store may have others. */
function wholeParts({ size, partBytes }: PartUploadRow, stored: readonly StoredPart[], confirmed: ConfirmedParts): number[] {
  const count = partCount(size, partBytes);
  return stored
    .filter(({ part, size: bytes, tag }) => {
      const { start, end } = partRange(part, size, partBytes);
      const confirmedTag = confirmed.get(part);
      return part <= count && bytes === end - start && (confirmedTag === tag || confirmedTag === null);
    })
    .map(({ part }) => part);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof UploadMissing)) throw error;
}

const isBeingJoined = () =>
  new Refusal("not-ready", "The parts of this file are being joined. Try again in a moment.", { retryAfterSeconds: 3 });

const isBeingSent = (cause: PartReplaced) =>
  new Refusal("not-ready", "A part of this file is being sent again. Try again in a moment.", { retryAfterSeconds: 3, cause });

const noSuchUpload = () => new Refusal("not-found", "There is no such upload, or it has expired. Start it again.");
