import type { SignedInUser } from "#http/signed-in-user.ts";
import { imports } from "@fairway/contract/imports";
import type { Limits } from "@fairway/contract/limits";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { CallRates } from "#identity/call-rates.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import { runEvery } from "#process/run-every.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { FileScanner } from "#storage/file-scanner.ts";
import { PartsFolder } from "#storage/parts-folder.ts";
import { PartUploadRows } from "#uploads/part-upload-rows.ts";
import { type PartLimits, PartUploads } from "#uploads/part-uploads.ts";
import { UploadRoom } from "#uploads/upload-room.ts";
import { importSignatures } from "#uploads/upload-signatures.ts";
import { UploadTurns } from "#uploads/upload-turns.ts";
import { beginningBytes } from "./read-beginning.ts";
import { removeOldCopies } from "./cleaning.ts";
import { mayNotImport, noSuchImport } from "./refusals.ts";
import { ImportRepository } from "./repository.ts";
import { importRoutes } from "./routes.ts";
import { destinationOf, type ImportDestination, storeOfUpload } from "./destination.ts";
import { Imports, type ImportServiceParts } from "./service.ts";

interface Parts
  extends
    Pick<
      ImportServiceParts,
      | "engine"
      | "inspection"
      | "derivedProblems"
      | "scratchFolder"
      | "dataFolder"
      | "files"
      | "openFilesetFile"
      | "dateOrder"
      | "who"
      | "caughtUp"
    >,
    Pick<ImportServiceParts, "log"> {
  readonly db: Kysely<Database>;
  /** Its owner as an API key acts now; undefined if the key works no longer. */
  readonly findKeyUser: (apiKeyId: string) => Promise<SignedInUser | undefined>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly callRates: Pick<CallRates, "rate">;
  /** Holds unfinished files, best on the file system of the store. */
  readonly partsFolder: string;
  /** Every uploaded file is scanned by it; undefined = none. */
  readonly scanCommand: readonly [string, ...string[]] | undefined;
  readonly log: Pick<FastifyBaseLogger, "warn" | "error">;
  readonly limits: PartLimits &
    ImportServiceParts["limits"] &
    Pick<Limits, "uploadsAtOncePerUser" | "userUploadsPerMinute" | "scanTimeoutMs" | "scansAtOnce">;
}

/** Beginnings that are being read. */
class Readings {
  readonly #log: Parts["log"];
  readonly #running = new Set<Promise<void>>();

  constructor(log: Parts["log"]) {
    this.#log = log;
  }

  add(work: Promise<void>): void {
    const running = work.catch((error: unknown) => this.#log.warn({ err: error }, "the beginning of an import could not be read"));
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
  }
}

const cleanIntervalMs = 600_000;

/** Files that users bring: uploaded, examined, and made a dataset. */
export function openImports({
  masterKey,
  callRates,
  partsFolder,
  scanCommand,
  ...parts
}: Parts): Capability & { readonly imports: Imports } {
  const { db, files, limits, log } = parts;
  const repository = new ImportRepository(db);
  const scanner = scanCommand && new FileScanner({ command: scanCommand, timeoutMs: limits.scanTimeoutMs, atOnce: limits.scansAtOnce });
  const turns = new UploadTurns(limits, callRates);
  const findUser = (userId: string) => userWithoutSession(db, userId);
  const reading = new Readings(log);
  const uploads = new PartUploads<ImportDestination>({
    find: async (user, id) => {
      const row = await repository.find(id, user.id);
      if (row === undefined) throw noSuchImport();
      if (!service.mayImport(user)) throw mayNotImport();
      return destinationOf(row, files);
    },
    findUploader: async ({ userId, apiKeyId }) => {
      if (apiKeyId === null) return findUser(userId);
      // Addresses of an API key stop working with it.
      const user = await parts.findKeyUser(apiKeyId);
      return user?.reach?.mayAppend === true ? user : undefined;
    },
    partPath: async ({ id, holder }, part) => {
      const file = await service.fileOf(id);
      return `/imports/${holder}/files/${file?.number ?? 0}/parts/${part}`;
    },
    // Files are read only once they have been scanned.
    ...(scanner === undefined && {
      keptBytes: beginningBytes,
      onPart: (row, part, beginning) => reading.add(service.partArrived(row, part, beginning)),
    }),
    signatures: importSignatures(masterKey),
    rows: new PartUploadRows(db, "import", limits),
    room: new UploadRoom(db, limits.userDailyUploadBytes),
    turns,
    stores: { of: (name) => storeOfUpload(files, name) },
    folder: new PartsFolder(partsFolder),
    scanFolder: scanner && new PartsFolder(partsFolder, (path) => scanner.check(path)),
    log,
    limits: { ...limits, uploadMaxBytes: limits.ownDataFileBytes },
  });
  const service = new Imports({ ...parts, repository, uploads, turns, findUser, importsAtOnce: limits.importsAtOnce });
  let hasStarted = false;
  const cleaning = runEvery(
    cleanIntervalMs,
    async () => {
      if (!hasStarted) await removeOldCopies({ db, files });
      hasStarted = true;
      await service.clean();
      await uploads.expire();
    },
    (error) => log.warn({ err: error }, "what imports have left could not be removed"),
  );
  return {
    imports: service,
    routes: { imports: implement(imports, importRoutes(service, uploads)) },
    close: async () => {
      scanner?.close();
      await reading.close();
      await cleaning.close();
      await service.close();
    },
  };
}
