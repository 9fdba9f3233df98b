import { passesAnyRole } from "@fairway/contract/access";
import type { Fileset } from "@fairway/contract/entity-schemas";
import { type FilesetEntry, type FilesetFile, type FilesetListing, filePathProblem, newFilePathProblem } from "@fairway/contract/filesets";
import { foldersOf } from "@fairway/contract/folders";
import { CachedRead } from "#process/cached-read.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { reachesFileset } from "#http/reach.ts";
import { type FileKey, fileKey, isFileKey } from "#storage/key.ts";
import { type SpelledStore, spelledStore } from "#storage/spelled-store.ts";
import { type FileInfo, FileMissing, type FileStores, InvalidContinuationToken, StoreFailed } from "#storage/storage.ts";

/** The caller's roles, restricted by the reach of an API key. */
export type Caller = Pick<SignedInUser, "roles" | "reach">;

/** A fileset that the caller may read. */
export interface OpenFileset {
  readonly id: string;
  readonly allowsUploads: boolean;
  readonly bucket: string;
  /** Rejects with a Refusal (502) if the store cannot be opened. */
  store(): Promise<SpelledStore>;
  /** The key in the store of a path in the fileset, in normal form C. Refuses a path that cannot name a file. */
  keyOf(path: string): FileKey;
  /** The path of a new file, in normal form C. Refuses one that a new file may not have. */
  newPath(path: string): string;
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
    (await entities.list(storedTypes.filesets)).filter(({ enabled: isEnabled }) => isEnabled).map(({ body }) => body),
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
      if (fileset === undefined) throw new Refusal("not-found", "There is no such fileset, or you don't have access to it.");
      return openFileset(fileset, stores);
    },
    canRead: async (user, id) => (await lookUp(user, id)) !== undefined,
    list: async (user, id, listPrefix, continuationToken) => {
      const fileset = await service.find(user, id);
      const prefix = fileset.prefixOf(listPrefix);
      const store = await fileset.store();
      const page = await store.list(prefix, continuationToken).catch(refuseInvalidToken);
      const files = page.files.map((info) => fileset.toFile(info));
      const folders = page.commonPrefixes.map((one) => fileset.pathOf(one));
      const canName = (path: string): boolean => fileset.problemOf(path.replace(/\/$/, "")) === undefined;
      const leftOut = [
        ...page.leftOut.map((one) => one.slice(prefix.length)),
        ...[...files.map(({ filename }) => filename), ...folders].filter((one) => !canName(one)).map((one) => one.slice(listPrefix.length)),
      ];
      return {
        files: files.filter(({ filename }) => canName(filename)),
        commonPrefixes: folders.filter(canName),
        nextContinuationToken: page.nextContinuationToken,
        ...(leftOut.length > 0 && user.roles.includes("admin") ? { leftOut: leftOut.map(visible) } : {}),
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
      return spelledStore(await stores.of(s3Bucket));
    },
    keyOf: (path) => {
      const composed = path.normalize("NFC");
      requirePath(composed, "file");
      return fileKey(...folders, ...composed.split("/"));
    },
    newPath: (path) => {
      const composed = path.normalize("NFC");
      const problem = newFilePathProblem(composed);
      if (problem !== undefined) throw new Refusal("invalid-value", `The name ${problem}.`, { path: "file" });
      return composed;
    },
    prefixOf: (listPrefix) => {
      if (listPrefix === "") return root;
      if (!listPrefix.endsWith("/")) throw new Refusal("invalid-value", "A prefix ends in a slash.", { path: "listPrefix" });
      const composed = listPrefix.normalize("NFC");
      requirePath(composed.slice(0, -1), "listPrefix");
      return `${root}${composed}`;
    },
    problemOf,
    pathOf: (key) => key.slice(root.length),
    toFile: ({ key, size, lastModified }) => ({
      filename: key.slice(root.length).normalize("NFC"),
      size,
      lastModified: lastModified.toISOString(),
    }),
  };
}

/** Invisible characters of a name are escaped as in JSON. */
const visible = (name: string): string =>
  JSON.stringify(name)
    .slice(1, -1)
    .replaceAll(/[\p{C}\p{M}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (character) => character.split("").map(escaped).join(""));

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

export const noSuchFile = (path: string): Refusal =>
  new Refusal("not-found", `There is no file '${path}' in this fileset.`, { path: "file" });

function refuseInvalidToken(error: unknown): never {
  if (!(error instanceof InvalidContinuationToken)) throw error;
  throw new Refusal("invalid-value", "This token was not returned with a page of this folder.", { path: "continuationToken" });
}

/** For `catch`: turns a missing file into a refusal. */
export function refuseMissing(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof FileMissing ? noSuchFile(path) : error;
  };
}
