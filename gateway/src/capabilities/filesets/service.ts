import { passesAnyRole } from "@fairway/contract/access";
import type { Fileset } from "@fairway/contract/entity-schemas";
import { type FilesetEntry, type FilesetFile, type FilesetListing, filePathProblem } from "@fairway/contract/filesets";
import { foldersOf } from "@fairway/contract/folders";
import { CachedRead } from "#cached-read.ts";
import { filesets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { reachesFileset } from "#http/reach.ts";
import { type FileKey, fileKey, isFileKey } from "#storage/key.ts";
import { type FileInfo, FileMissing, type FileStore, type FileStores, InvalidContinuationToken, StoreFailed } from "#storage/storage.ts";

/** The caller's roles, restricted by the reach of an API key. */
export type Caller = Pick<SignedInUser, "roles" | "reach">;

/** A fileset that the caller may read. */
export interface OpenFileset {
  readonly id: string;
  readonly allowsUploads: boolean;
  readonly bucket: string;
  /** Rejects with a Refusal (502) if the store cannot be opened. */
  store(): Promise<FileStore>;
  /** The key in the store of a path in the fileset. Refuses a path that cannot name a file. */
  keyOf(path: string): FileKey;
  /** Like `keyOf`, for the prefix of a listing. */
  prefixOf(listPrefix: string): string;
  /** Why a path cannot name a file; undefined if it can. Continues "The name …". */
  problemOf(path: string): string | undefined;
  /** The path in the fileset of a key or prefix of the store. */
  pathOf(key: string): string;
  toFile(info: FileInfo): FilesetFile;
}

export interface FilesetService {
  /** The filesets that this user may read, by id, without the help. */
  accessible(user: Caller): Promise<FilesetEntry[]>;
  /** Refuses with the same `not-found` whether the fileset does not exist, is disabled or is not allowed. */
  readonly find: (user: Caller, id: string) => Promise<OpenFileset>;
  /** Whether `find` would succeed. */
  readonly canRead: (user: Caller, id: string) => Promise<boolean>;
  /** Without files and folders whose names no call can name. */
  list(user: Caller, id: string, listPrefix: string, continuationToken: string | undefined): Promise<FilesetListing>;
  /** Refuses with `not-found` for a missing file. */
  head(fileset: OpenFileset, path: string): Promise<FilesetFile>;
  /** Call when a fileset may have changed. */
  changed(): void;
}

export interface FilesetParts {
  readonly entities: Pick<EntityStore, "list">;
  readonly stores: FileStores;
  /** Hidden from the list, but readable by everyone it allows. */
  readonly helpFilesetId: string;
}

export function filesetService({ entities, stores, helpFilesetId }: FilesetParts): FilesetService {
  const enabled = new CachedRead(async () =>
    (await entities.list(filesets)).filter(({ enabled: isEnabled }) => isEnabled).map(({ body }) => body),
  );

  const readable = async ({ roles, reach }: Caller): Promise<Fileset[]> =>
    (await enabled.get()).filter(
      ({ id, allowedRoles }) =>
        reachesFileset(reach, id) &&
        passesAnyRole(
          roles,
          allowedRoles.map(({ roleName }) => roleName),
        ),
    );

  const lookUp = async (user: Caller, id: string): Promise<Fileset | undefined> =>
    (await readable(user)).find((candidate) => candidate.id === id);

  const service: FilesetService = {
    accessible: async (user) =>
      (await readable(user))
        .filter(({ id }) => id !== helpFilesetId)
        .map(({ id, description, allowsUploads }) => ({ id, description, allowsUploads }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    find: async (user, id) => {
      const fileset = await lookUp(user, id);
      if (fileset === undefined) throw new Refusal("not-found", "There is no such fileset, or you may not use it.");
      return openFileset(fileset, stores);
    },
    canRead: async (user, id) => (await lookUp(user, id)) !== undefined,
    list: async (user, id, listPrefix, continuationToken) => {
      const fileset = await service.find(user, id);
      const prefix = fileset.prefixOf(listPrefix);
      const store = await fileset.store();
      const page = await store.list(prefix, continuationToken).catch(refuseInvalidToken);
      return {
        files: page.files.map((info) => fileset.toFile(info)).filter(({ filename }) => fileset.problemOf(filename) === undefined),
        commonPrefixes: page.commonPrefixes
          .map((one) => fileset.pathOf(one))
          .filter((one) => fileset.problemOf(one.slice(0, -1)) === undefined),
        nextContinuationToken: page.nextContinuationToken,
      };
    },
    head: async (fileset, path) => {
      const key = fileset.keyOf(path);
      const info = await (await fileset.store()).head(key);
      if (info === undefined) throw noSuchFile(path);
      return fileset.toFile(info);
    },
    changed: () => enabled.forget(),
  };
  return service;
}

function openFileset({ id, s3Bucket, s3Prefix, allowsUploads }: Fileset, stores: FileStores): OpenFileset {
  const folders = foldersOf(s3Prefix);
  const root = folders.map((folder) => `${folder}/`).join("");
  if (root !== "" && !isFileKey(root.slice(0, -1)))
    throw new StoreFailed(`The fileset '${id}' has an s3Prefix that cannot be used: an administrator has to correct it.`);

  const problemOf = (path: string): string | undefined =>
    filePathProblem(path) ?? (isFileKey(`${root}${path}`) ? undefined : "with the s3Prefix of its fileset is too long");
  const requirePath = (path: string, parameter: string): void => {
    const problem = problemOf(path);
    if (problem !== undefined) throw new Refusal("invalid-value", `The name ${problem}.`, { path: parameter });
  };

  return {
    id,
    allowsUploads,
    bucket: s3Bucket,
    store: async () => {
      if (s3Bucket === "") throw new StoreFailed(`The fileset '${id}' has no bucket: an administrator has to set its s3Bucket.`);
      if (s3Bucket.includes("/") || !isFileKey(s3Bucket))
        throw new StoreFailed(`The fileset '${id}' has an s3Bucket that cannot be used: an administrator has to correct it.`);
      return stores.of(s3Bucket);
    },
    keyOf: (path) => {
      requirePath(path, "file");
      return fileKey(...folders, ...path.split("/"));
    },
    prefixOf: (listPrefix) => {
      if (listPrefix === "") return root;
      if (!listPrefix.endsWith("/")) throw new Refusal("invalid-value", "A prefix ends in a slash.", { path: "listPrefix" });
      requirePath(listPrefix.slice(0, -1), "listPrefix");
      return `${root}${listPrefix}`;
    },
    problemOf,
    pathOf: (key) => key.slice(root.length),
    toFile: ({ key, size, lastModified }) => ({ filename: key.slice(root.length), size, lastModified: lastModified.toISOString() }),
  };
}

export const noSuchFile = (path: string): Refusal =>
  new Refusal("not-found", `There is no file '${path}' in this fileset.`, { path: "file" });

function refuseInvalidToken(error: unknown): never {
  if (!(error instanceof InvalidContinuationToken)) throw error;
  throw new Refusal("invalid-value", "This is not a token of the last page.", { path: "continuationToken" });
}

/** For `catch`: turns a missing file into a refusal. */
export function refuseMissing(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof FileMissing ? noSuchFile(path) : error;
  };
}
