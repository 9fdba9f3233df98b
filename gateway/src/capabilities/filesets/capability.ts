import { filesets as contract } from "@fairway/contract/filesets";
import type { Limits } from "@fairway/contract/limits";
import { type Kysely, sql } from "kysely";
import { type Capability, implement } from "#capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { filesets } from "#entities/entity-types.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { MasterKey } from "#master-key.ts";
import { filesetRoutes } from "./routes.ts";
import { type FilesetParts, type FilesetService, filesetService } from "./service.ts";
import { type UploadClaims, uploadSignatures } from "./upload-signatures.ts";
import { UploadRoom } from "./upload-room.ts";
import { UploadTurns } from "./upload-turns.ts";
import { type UploadLimits, Uploads } from "./uploads.ts";
import { Zips } from "./zips.ts";

interface Parts extends FilesetParts {
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly db: Kysely<Database>;
  readonly limits: UploadLimits & Pick<Limits, "uploadsAtOncePerUser" | "userUploadsPerMinute" | "zipMaxFiles" | "zipMaxBytes">;
}

/** Browsing, downloading and uploading the files of filesets. */
export function openFilesets({ db, entityChanges, masterKey, limits, ...parts }: Parts): Capability & Pick<FilesetService, "canRead"> {
  const service = filesetService(parts);
  entityChanges.subscribe((type) => {
    if (type === undefined || type === filesets.name) service.changed();
  });
  const findUser = (claims: UserClaims) => currentUser(db, claims);
  const uploads = new Uploads({
    service,
    signatures: uploadSignatures(masterKey),
    findUploader: findUser,
    room: new UploadRoom(db, limits.userDailyUploadBytes),
    turns: new UploadTurns(limits),
    limits,
  });
  return {
    canRead: service.canRead,
    routes: { filesets: implement(contract, filesetRoutes(service, uploads, new Zips({ db, service, findUser, limits }))) },
  };
}

type UserClaims = Pick<UploadClaims, "userId" | "apiKeyId" | "fileset">;

/** What an API key requested stops working with the key. */
async function currentUser(db: Kysely<Database>, { userId, apiKeyId, fileset }: UserClaims): Promise<SignedInUser | undefined> {
  const user = await userWithoutSession(db, userId);
  if (user === undefined || apiKeyId === null) return user;
  const key = await db
    .selectFrom("api_keys")
    .select("id")
    .where("id", "=", apiKeyId)
    .where(sql<boolean>`${fileset} = any(fileset_ids) and coalesce(expires_at > now(), true)`)
    .executeTakeFirst();
  return key && user;
}
