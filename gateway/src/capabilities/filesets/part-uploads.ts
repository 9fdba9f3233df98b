import { apiBase } from "@fairway/contract/api";
import { checksumHeader, type PartUpload, partCount, partRange } from "@fairway/contract/fileset-uploads";
import type { FilesetFile } from "@fairway/contract/filesets";
import type { Limits } from "@fairway/contract/limits";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { RawContent } from "#http/upload.ts";
import { FileInfected } from "#storage/file-scanner.ts";
import type { PartsFolder } from "#storage/parts-folder.ts";
import {
  type FileStores,
  type FileStore,
  PartReplaced,
  type PartStore,
  type PartUploadId,
  StoreFailed,
  type StoredPart,
  UploadMissing,
} from "#storage/storage.ts";
import type { ConfirmedParts, PartUploadRow, PartUploadRows } from "./part-upload-rows.ts";
import type { OpenFileset } from "./service.ts";
import { addressNotValid, infectedMessage, noRoom, requireUploads, uploadRefusal } from "./upload-refusals.ts";
import { admitUploader, noteInfected, type UploadLimits, type UploadParts } from "./uploads.ts";

export type PartLimits = UploadLimits & Pick<Limits, "uploadPartBytes" | "uploadResumeHours" | "unfinishedUploadsPerUser">;

interface Parts extends UploadParts {
  readonly rows: PartUploadRows;
  readonly stores: FileStores;
  /** For stores that keep no parts, and for all files if they are scanned. */
  readonly folder: PartsFolder;
  readonly limits: PartLimits;
}

interface PartAddress {
  readonly uploadUrl: string;
  readonly headers?: Record<string, string>;
}

/** S3's limit. */
const maxParts = 10_000;

/** Uploads of single files in parts. The content may go to the store directly; every limit is enforced here. Decision 0350. */
export class PartUploads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Continues the user's unfinished upload of the same version of the file, if there is one. */
  async start(user: SignedInUser, filesetId: string, file: { file: string; size: number; version: string }): Promise<PartUpload> {
    const { service, rows, room, turns, limits } = this.#parts;
    const fileset = await service.find(user, filesetId);
    requireUploads(fileset);
    const path = fileset.newPath(file.file);
    const keyOfPath = fileset.keyOf(path);
    if (file.size > limits.uploadMaxBytes) throw Refusal.fileTooLarge(limits.uploadMaxBytes, "file");
    turns.count(user.id);
    const store = await fileset.store();
    const parts = this.#partStoreOf(store);
    const key = await store.storedKey(keyOfPath);
    const target = { ...file, file: path, userId: user.id, fileset: filesetId, bucket: fileset.bucket, key };
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
      const id = await rows.add(target, { partBytes, uploadId, roomId }, limits.unfinishedUploadsPerUser);
      return { uploadId: id, partBytes, received: [] };
    } catch (error) {
      if (begun !== undefined) await parts.abort(begun).catch(() => undefined);
      await room.giveBack(roomId);
      throw error;
    }
  }

  /** Without the checksum of the part, the address is the portal's, which takes the part whole before it counts. */
  async partUrl(user: SignedInUser, filesetId: string, id: string, part: string, crc32c: string | undefined): Promise<PartAddress> {
    const { signatures, turns, limits } = this.#parts;
    const { row, parts } = await this.#findUnfinished(user, filesetId, id);
    const { number, size } = partOf(row, part);
    if (parts.presign !== undefined && row.isChecked && crc32c !== undefined) {
      turns.count(user.id);
      const uploadUrl = await parts.presign(row, number, { size, crc32c }, limits.uploadUrlMinutes * 60);
      return { uploadUrl, headers: { [checksumHeader]: crc32c } };
    }
    const signature = signatures.parts.sign({
      fileset: filesetId,
      uploadId: id,
      part: number,
      crc32c,
      userId: user.id,
      apiKeyId: user.reach?.apiKeyId ?? null,
      endsAtMs: Date.now() + limits.uploadUrlMinutes * 60_000,
    });
    const query = new URLSearchParams({ signature }).toString();
    return { uploadUrl: `${apiBase}/filesets/${encodeURIComponent(filesetId)}/uploads/${id}/parts/${number}?${query}` };
  }

  /** Stores one part, whole or not at all. */
  async receive(
    sent: { filesetId: string; uploadId: string; part: string; signature: string; content: RawContent },
    identified: (user: SignedInUser) => void,
  ): Promise<void> {
    const { signatures, rows, turns, limits } = this.#parts;
    const { filesetId, uploadId, part, content } = sent;
    const claims = signatures.parts.read(sent.signature);
    if (claims === undefined || claims.fileset !== filesetId || claims.uploadId !== uploadId || String(claims.part) !== part) {
      throw addressNotValid();
    }
    const { user } = await admitUploader(this.#parts, claims, identified);
    const { row, parts } = await this.#findUnfinished(user, filesetId, uploadId);
    const { number, size } = partOf(row, part);
    if (content.expectedBytes !== size) throw new Refusal("invalid-value", `Part ${number} has ${size} bytes.`, { path: "part" });
    const end = turns.begin(user.id);
    try {
      const chunks = content.chunks(limits.uploadIdleMs);
      const tag = await parts.write(row, number, { content: chunks, size, crc32c: claims.crc32c });
      if (!(await rows.confirm(uploadId, number, tag))) throw noSuchUpload();
    } catch (error) {
      // A store may just close the connection if the parts were joined meanwhile.
      const isGone =
        error instanceof UploadMissing || (error instanceof StoreFailed && !(await this.#isUnfinished(user, filesetId, uploadId)));
      throw isGone ? noSuchUpload() : uploadRefusal(error, row.file, limits);
    } finally {
      end();
    }
  }

  /** `tag` is what the store answered to the sender of the part. */
  async confirmPart(user: SignedInUser, filesetId: string, id: string, part: string, tag: string | undefined): Promise<void> {
    const { row, parts } = await this.#findUnfinished(user, filesetId, id);
    const { number } = partOf(row, part);
    // Without it, what is stored now: too late only for what another attempt has replaced within these milliseconds.
    const stored = tag ?? (await parts.list(row).catch(undefinedIfMissing))?.find((one) => one.part === number)?.tag ?? "";
    if (!(await this.#parts.rows.confirm(id, number, stored))) throw noSuchUpload();
  }

  /** Makes the file appear. A repeated call gets the same answer. */
  async complete(user: SignedInUser, filesetId: string, id: string): Promise<FilesetFile> {
    const { service, rows, limits, log } = this.#parts;
    const { row, fileset, parts, store } = await this.#find(user, filesetId, id);
    if (row.outcome === "completed") return service.head(fileset, row.file);
    if (row.outcome === "infected") throw new Refusal("infected", infectedMessage, { path: "file" });
    if (!(await rows.beginJoining(id))) throw isBeingJoined();
    try {
      const file = await this.#join(row, parts, store);
      await rows.finish(id, "completed");
      return fileset.toFile(file);
    } catch (error) {
      if (error instanceof FileInfected) {
        noteInfected(error, log, { fileset: filesetId, file: row.file, user: user.username });
        await this.#parts.room.giveBack(row.roomId);
        await parts.abort(row);
        await rows.finish(id, "infected");
      } else if (error instanceof UploadMissing) {
        // The store may have joined the parts although its answer was lost.
        const stored = await store.head(row.key);
        if (stored?.size === row.size && stored.lastModified > row.startedAt) {
          await rows.finish(id, "completed");
          return fileset.toFile(stored);
        }
        await this.#forget(row);
        throw noSuchUpload();
      } else {
        await rows.finish(id, null);
        if (error instanceof PartReplaced) throw isBeingSent(error);
      }
      throw uploadRefusal(error, row.file, limits);
    }
  }

  async abort(user: SignedInUser, filesetId: string, id: string): Promise<void> {
    const { row, parts } = await this.#find(user, filesetId, id);
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
  async #findUnfinished(user: SignedInUser, filesetId: string, id: string) {
    const found = await this.#find(user, filesetId, id);
    if (found.row.outcome !== null) throw noSuchUpload();
    return found;
  }

  async #isUnfinished({ id: userId }: SignedInUser, filesetId: string, id: string): Promise<boolean> {
    const row = await this.#parts.rows.find(id, userId, filesetId);
    return row !== undefined && row.outcome === null;
  }

  async #find(
    user: SignedInUser,
    filesetId: string,
    id: string,
  ): Promise<{ row: PartUploadRow; fileset: OpenFileset; parts: PartStore; store: FileStore }> {
    const { service, rows } = this.#parts;
    const fileset = await service.find(user, filesetId);
    requireUploads(fileset);
    const row = await rows.find(id, user.id, filesetId);
    // An administrator may have moved the fileset meanwhile.
    if (row === undefined || row.bucket !== fileset.bucket || row.key.normalize("NFC") !== fileset.keyOf(row.file).normalize("NFC"))
      throw noSuchUpload();
    const store = await fileset.store();
    return { row, fileset, parts: this.#partStoreOf(store), store };
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
