import type { Readable } from "node:stream";
import { filesets as contract } from "@fairway/contract/filesets";
import { filesetUploads } from "@fairway/contract/fileset-uploads";
import type { Limits } from "@fairway/contract/limits";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { CallRates } from "#identity/call-rates.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { runEvery } from "#process/run-every.ts";
import { FileScanner } from "#storage/file-scanner.ts";
import { PartsFolder } from "#storage/parts-folder.ts";
import { DownloadTurns } from "./download-turns.ts";
import { PartUploadRows } from "#uploads/part-upload-rows.ts";
import { type PartLimits, PartUploads } from "#uploads/part-uploads.ts";
import { filesetRoutes, partUploadRoutes } from "./routes.ts";
import { type FilesetParts, type FilesetService, filesetService, refuseMissing } from "./service.ts";
import { type UploaderClaims, uploadSignatures } from "#uploads/upload-signatures.ts";
import { UploadRoom } from "#uploads/upload-room.ts";
import { UploadTurns } from "#uploads/upload-turns.ts";
import { requireUploads, Uploads } from "./uploads.ts";
import { Zips } from "./zips.ts";

interface Parts extends FilesetParts {
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly db: Kysely<Database>;
  /** Its owner as an API key acts now; undefined if the key works no longer. */
  readonly findKeyUser: (apiKeyId: string) => Promise<SignedInUser | undefined>;
  readonly callRates: Pick<CallRates, "rate">;
  /** Holds unfinished files, best on the file system of the files. */
  readonly partsFolder: string;
  /** Every uploaded file is scanned by it; undefined = none. */
  readonly scanCommand: readonly [string, ...string[]] | undefined;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly limits: PartLimits &
    Pick<
      Limits,
      | "unfinishedUploadsPerUser"
      | "downloadsAtOncePerUser"
      | "uploadsAtOncePerUser"
      | "userUploadsPerMinute"
      | "scanTimeoutMs"
      | "scansAtOnce"
      | "zipMaxFiles"
      | "zipMaxBytes"
    >;
}

export interface OpenFilesets extends Capability, Pick<FilesetService, "canRead"> {
  /** Opens a file that the user may read, for what copies it. Its content has to be destroyed if it is not read. Refuses with not-found. */
  readonly openFile: (user: SignedInUser, id: string, path: string) => Promise<{ size: number; content: Readable }>;
  /** Runs regularly by itself. */
  readonly expireUploads: () => Promise<void>;
}

const expiryIntervalMs = 600_000;

/** Browsing, downloading and uploading the files of filesets. */
export function openFilesets({ db, findKeyUser, callRates, entityChanges, masterKey, limits, log, ...parts }: Parts): OpenFilesets {
  const service = filesetService(parts);
  entityChanges.subscribe((type) => {
    if (type === undefined || type === storedTypes.filesets.name) service.changed();
  });
  // Requests of an API key stop working with the key, and reach no more than it does by then.
  const findUser = ({ userId, apiKeyId }: UserClaims) => (apiKeyId === null ? userWithoutSession(db, userId) : findKeyUser(apiKeyId));
  const { scanCommand, partsFolder, stores } = parts;
  const scanner = scanCommand && new FileScanner({ command: scanCommand, timeoutMs: limits.scanTimeoutMs, atOnce: limits.scansAtOnce });
  const uploadParts = {
    service,
    signatures: uploadSignatures(masterKey),
    findUploader: findUser,
    room: new UploadRoom(db, limits.userDailyUploadBytes),
    turns: new UploadTurns(limits, callRates),
    scanFolder: scanner && new PartsFolder(partsFolder, (path) => scanner.check(path)),
    log,
    limits,
  };
  const partUploads = new PartUploads({
    ...uploadParts,
    find: async (user, id) => {
      const fileset = await service.find(user, id);
      requireUploads(fileset);
      return fileset;
    },
    partPath: ({ holder, id }, part) => `/filesets/${encodeURIComponent(holder)}/uploads/${id}/parts/${part}`,
    signatures: uploadParts.signatures.parts,
    rows: new PartUploadRows(db, "fileset", limits),
    stores,
    folder: new PartsFolder(partsFolder),
  });
  const expireUploads = () => partUploads.expire();
  const expiry = runEvery(expiryIntervalMs, expireUploads, (error) => log.warn({ err: error }, "expired uploads could not be discarded"));
  return {
    canRead: service.canRead,
    openFile: async (user, id, path) => {
      const fileset = await service.find(user, id);
      return (await fileset.store()).read(fileset.keyOf(path)).catch(refuseMissing(path));
    },
    expireUploads,
    routes: {
      filesets: implement(
        contract,
        filesetRoutes(service, new Uploads(uploadParts), new Zips({ db, service, findUser, limits }), new DownloadTurns(limits)),
      ),
      filesetUploads: implement(filesetUploads, partUploadRoutes({ ...uploadParts, uploads: partUploads })),
    },
    close: async () => {
      scanner?.close();
      await expiry.close();
    },
  };
}

type UserClaims = Pick<UploaderClaims, "userId" | "apiKeyId">;
