import type { Limits } from "@fairway/contract/limits";
import { type ColumnType, type Kysely, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { FileStore } from "#storage/storage.ts";
import type { FilesetService, OpenFileset } from "./service.ts";
import type { ZipPart } from "./zip-stream.ts";

declare module "#database/schema.ts" {
  interface Database {
    fileset_zips: {
      id: ColumnType<string, never, never>;
      user_id: string;
      fileset_id: string;
      paths: ColumnType<string[], string, never>;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

/** How long a running zip may not notice that its user lost a role. */
const userCheckMs = 5_000;
const keepMinutes = 15;
/** A user starts few downloads at a time. */
const keptPerUser = 20;

export interface ZipParts {
  readonly db: Kysely<Database>;
  readonly service: FilesetService;
  /** The user with their current roles; undefined if they may not sign in any more, or the API key that they used has ended. */
  readonly findUser: (caller: { userId: string; apiKeyId: string | null; fileset: string }) => Promise<SignedInUser | undefined>;
  readonly limits: Pick<Limits, "zipMaxFiles" | "zipMaxBytes">;
}

/** Selections of files that can be downloaded as one zip. They are in the database, because a link cannot hold thousands of names. */
export class Zips {
  readonly #parts: ZipParts;

  constructor(parts: ZipParts) {
    this.#parts = parts;
  }

  /** Returns the id of the selection. Refuses paths that cannot name a file. */
  async request(user: SignedInUser, filesetId: string, paths: readonly string[]): Promise<string> {
    const { db, service } = this.#parts;
    const fileset = await service.find(user, filesetId);
    const composed = paths.map((path) => path.normalize("NFC"));
    for (const path of composed) requirePath(fileset, path);
    const distinct = JSON.stringify(withoutCovered(composed));
    const requireRoom = async (locked: Kysely<Database>): Promise<void> => {
      await locked
        .deleteFrom("fileset_zips")
        .where("created_at", "<", sql<Date>`now() - make_interval(mins => ${keepMinutes})`)
        .execute();
      const { kept } = await locked
        .selectFrom("fileset_zips")
        .select(({ fn }) => fn.countAll<string>().as("kept"))
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      if (Number(kept) >= keptPerUser) {
        const message = `You requested ${keptPerUser} zips within ${keepMinutes} minutes. Try again later.`;
        throw new Refusal("too-many-requests", message, { retryAfterSeconds: keepMinutes * 60 });
      }
    };
    const insert = async (locked: Kysely<Database>): Promise<string> => {
      const { id } = await locked
        .insertInto("fileset_zips")
        .values({ user_id: user.id, fileset_id: filesetId, paths: distinct })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    };
    return countedInsert(db, { kind: "zips", owner: user.id, requireRoom, insert });
  }

  /** The files of a selection. Only its user finds it, and only while the fileset may be read. */
  async read(user: SignedInUser, filesetId: string, zipId: string): Promise<AsyncGenerator<ZipPart>> {
    const { db, service, limits } = this.#parts;
    const fileset = await service.find(user, filesetId);
    const zip = await db
      .selectFrom("fileset_zips")
      .select("paths")
      .where("id", "=", zipId)
      .where("user_id", "=", user.id)
      .where("fileset_id", "=", filesetId)
      .where("created_at", ">", sql<Date>`now() - make_interval(mins => ${keepMinutes})`)
      .executeTakeFirst();
    if (zip === undefined) throw new Refusal("not-found", "There is no such zip, or it has expired. Request a new one.");
    const found = partsOf(fileset, await fileset.store(), zip.paths, limits);
    return whileAllowed(found, this.#accessOf(user, filesetId));
  }

  /** Rejects once the user may no longer read the fileset. */
  #accessOf(user: SignedInUser, filesetId: string): () => Promise<void> {
    const { findUser, service } = this.#parts;
    let current: SignedInUser | undefined = user;
    let checkedMs = Date.now();
    return async () => {
      if (Date.now() - checkedMs > userCheckMs) {
        checkedMs = Date.now();
        current = await findUser({ userId: user.id, apiKeyId: user.reach?.apiKeyId ?? null, fileset: filesetId });
      }
      if (current === undefined || !(await service.canRead(current, filesetId))) {
        throw new Error(`the user may no longer read the fileset ${filesetId}`);
      }
    };
  }
}

async function* whileAllowed(parts: AsyncIterable<ZipPart>, requireAccess: () => Promise<void>): AsyncGenerator<ZipPart> {
  for await (const part of parts) {
    await requireAccess();
    yield part;
  }
}

/** Each path once, without those in a folder that is selected as well. */
function withoutCovered(paths: readonly string[]): string[] {
  const distinct = new Set(paths);
  const isCovered = (path: string): boolean => {
    for (let end = path.lastIndexOf("/", path.length - 2); end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (distinct.has(path.slice(0, end + 1))) return true;
    }
    return false;
  };
  return [...distinct].filter((path) => !isCovered(path));
}

function requirePath(fileset: OpenFileset, path: string): void {
  if (path.endsWith("/")) fileset.prefixOf(path);
  else fileset.keyOf(path);
}

async function* partsOf(
  fileset: OpenFileset,
  store: FileStore,
  paths: readonly string[],
  limits: ZipParts["limits"],
): AsyncGenerator<ZipPart> {
  const base = commonFolder(paths);
  let [files, bytes] = [0, 0];
  for (const path of paths) {
    for await (const found of filesBelow(fileset, store, path)) {
      const name = found.filename.slice(base.length);
      if ("omitted" in found) {
        yield { path: name, omitted: found.omitted };
        continue;
      }
      if (files >= limits.zipMaxFiles) {
        yield { path: name, omitted: `A zip can contain at most ${limits.zipMaxFiles.toLocaleString("en-US")} files.` };
        // The rest of a folder is not listed: it may be endless.
        if (path.endsWith("/")) break;
        continue;
      }
      if (bytes + found.size > limits.zipMaxBytes) {
        yield { path: name, omitted: `The files of a zip can have at most ${limits.zipMaxBytes.toLocaleString("en-US")} bytes.` };
        continue;
      }
      files += 1;
      bytes += found.size;
      const key = fileset.keyOf(found.filename);
      yield { path: name, lastModified: found.lastModified, open: async () => (await store.read(key)).content };
    }
  }
}

type Found =
  | { readonly filename: string; readonly size: number; readonly lastModified: Date }
  | { readonly filename: string; readonly omitted: string };

/** Pages of all folders of a zip. A service that always names a next page, or a folder in each folder, would never end. */
const maxPages = 20_000;

/** The file at this path, or all files below this folder. */
async function* filesBelow(fileset: OpenFileset, store: FileStore, path: string, walk = { pages: 0 }): AsyncGenerator<Found> {
  if (!path.endsWith("/")) {
    const info = await store.head(fileset.keyOf(path));
    yield info === undefined
      ? { filename: path, omitted: "There is no such file." }
      : { filename: path, size: info.size, lastModified: info.lastModified };
    return;
  }
  let continuationToken: string | undefined;
  do {
    walk.pages += 1;
    if (walk.pages > maxPages) {
      yield { filename: path, omitted: "The rest is not in the zip, because it is in too many folders." };
      return;
    }
    const page = await store.list(fileset.prefixOf(path), continuationToken);
    for (const key of page.leftOut) {
      const filename = fileset.pathOf(key);
      yield { filename, omitted: `Its name ${fileset.problemOf(filename.replace(/\/$/, "")) ?? "cannot be passed on"}.` };
    }
    for (const { key, size, lastModified } of page.files) {
      const filename = fileset.pathOf(key);
      const problem = fileset.problemOf(filename);
      yield problem === undefined ? { filename, size, lastModified } : { filename, omitted: `Its name ${problem}.` };
    }
    for (const prefix of page.commonPrefixes) {
      const filename = fileset.pathOf(prefix);
      const problem = fileset.problemOf(filename.slice(0, -1));
      if (problem === undefined) yield* filesBelow(fileset, store, filename, walk);
      else yield { filename, omitted: `Its name ${problem}.` };
    }
    continuationToken = page.nextContinuationToken ?? undefined;
  } while (continuationToken !== undefined);
}

/** The folder that contains every path, with its trailing slash; empty for the root. */
function commonFolder(paths: readonly string[]): string {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
  let common = folderOf(paths[0] ?? "");
  for (const path of paths) while (!path.startsWith(common)) common = folderOf(common);
  return common;
}
