import { isDeepStrictEqual } from "node:util";
import { derivedWarningsOf } from "@fairway/contract/derived-warnings";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { ErrorItem } from "@fairway/contract/errors";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { EditableOwnDataset, OwnDatasetFiles } from "@fairway/contract/own-dataset-form";
import type { OwnData, OwnDataset, OwnDatasetDependents, OwnDatasetVersion, OwnDataWho } from "@fairway/contract/own-datasets";
import { boardsNaming, lookupsIn } from "./dependents.ts";
import type { OwnerlessEntry, OwnOrShared, ShareDraft } from "@fairway/contract/sharing";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { mayDo, type StoredShare } from "#sharing/access.ts";
import { type SharingParts, sharesToStore } from "#sharing/candidates.ts";
import { accountIsFull, hasMoved, isAdministrator, requireRecipient, sharesAfterGiving } from "#sharing/giving.ts";
import { sharesOf } from "#sharing/named-shares.ts";
import type { AllGiven } from "#sharing/owned-things.ts";
import { withColumns } from "#own-data/dataset-columns.ts";
import { sharingOf } from "#own-data/audience.ts";
import { announceOwnDataset } from "#own-data/own-datasets.ts";
import { countDatasets, maxBytesOf, type RoomLimits, usedBytes } from "#own-data/room.ts";
import { countedInsert } from "#database/counted-insert.ts";
import type { Notifier } from "#personal/notify.ts";
import { type DatasetSource, SourceNotReady } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import { purge, restorableDays } from "./removal.ts";
import { whyNotReadAgain } from "#own-data/originals.ts";
import type { OwnFiles } from "#own-data/own-files.ts";
import { fileKey } from "#storage/key.ts";
import { FileMissing } from "#storage/storage.ts";
import { anyRow, editableOf, type OwnDatasetRow, ownDatasetOf, originalsOf, rowFor, rowsFor, rowsOwnedBy } from "./rows.ts";

export interface OwnDatasetParts extends SharingParts {
  readonly db: Kysely<Database>;
  readonly engines: Engines;
  readonly notifier: Pick<Notifier, "notify" | "retract">;
  readonly who: OwnDataWho;
  readonly mayImport: (user: Pick<SignedInUser, "roles">) => boolean;
  /** Why lookups and computed columns cannot be made of what a user may read. */
  readonly derivedProblems: (
    dataset: Pick<OwnDatasetSettings, "schema" | "lookups"> & { readonly source: DatasetSource },
    user: SignedInUser,
  ) => Promise<readonly ErrorItem[]>;
  /** Removes files that belong to nothing. */
  readonly cleanFiles: () => Promise<void>;
  /** The files of own data. */
  readonly files: Pick<OwnFiles, "read">;
  readonly limits: RoomLimits;
}

/** A given file that is being read. */
export interface OriginalContent {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

const noSuchFile = () => new Refusal("not-found", "There is no such file any more.", { path: "n" });

/** Files on which nothing depends that is asked about a dataset. */
export const anySource = { kind: "imported", format: "parquet", files: [] } as const satisfies DatasetSource;

const noSuchDataset = () => new Refusal("not-found", "There is no such dataset, or you don't have access to it.");

export class OwnDatasetService {
  readonly #parts: OwnDatasetParts;

  constructor(parts: OwnDatasetParts) {
    this.#parts = parts;
  }

  async list(user: SignedInUser): Promise<OwnData> {
    const { db, limits, who, mayImport, mayShareWithEveryone } = this.#parts;
    const [bytes, maxBytes, datasets, rows] = await Promise.all([
      usedBytes(db, user.id),
      maxBytesOf(db, user.id, limits),
      countDatasets(db, user.id),
      rowsFor(db, user),
    ]);
    return {
      mayImport: mayImport(user),
      who,
      mayShareWithEveryone,
      room: { bytes, maxBytes, datasets, maxDatasets: limits.ownDatasetsPerUser, maxFileBytes: limits.ownDataFileBytes },
      datasets: rows.map(({ row, can }) => ownDatasetOf(row, can, user)),
    };
  }

  async one(user: SignedInUser, id: string): Promise<EditableOwnDataset> {
    const { row, can } = await this.#require(user, id, "edit");
    return { ...editableOf(row, can, user), warnings: await this.#warningsOf(user, row.settings) };
  }

  /** Columns that are left out of what the user sees. */
  async #warningsOf(user: SignedInUser, settings: OwnDatasetSettings): Promise<EntityWarning[]> {
    return derivedWarningsOf(settings, await this.#parts.derivedProblems({ source: anySource, ...settings }, user));
  }

  async save(
    user: SignedInUser,
    id: string,
    { version, title, settings }: { version: number; title?: string | null | undefined; settings: OwnDatasetSettings },
  ): Promise<EditableOwnDataset> {
    const { row, can } = await this.#require(user, id, "edit");
    if (row.settingsVersion !== version) throw stale(editableOf(row, can, user));
    await this.#requireReadable(row, settings);
    if (!isDeepStrictEqual(derivedIn(row.settings), derivedIn(settings))) await this.#requireDerivable(user, settings);
    const saved = await this.#changed(id, (trx) =>
      trx
        .updateTable("own_datasets")
        .set({
          settings: JSON.stringify(settings),
          settings_version: version + 1,
          changed_at: sql<Date>`now()`,
          ...(title === undefined ? {} : { title: title === "" ? null : title }),
        })
        .where("id", "=", id)
        .where("settings_version", "=", version)
        .executeTakeFirstOrThrow(),
    );
    if (saved.numUpdatedRows === 0n) throw stale(await this.one(user, id));
    return this.one(user, id);
  }

  async files(user: SignedInUser, id: string): Promise<OwnDatasetFiles> {
    const { row } = await this.#require(user, id, "edit");
    const originals = (await originalsOf(this.#parts.db, id, row.dataVersion)) ?? [];
    return {
      dataVersion: row.dataVersion,
      files: originals.map(({ file, size, rows, addedMs, encoding, unreadable }, index) => ({
        number: index + 1,
        file,
        size,
        rows,
        addedMs,
        encoding,
        unreadable: unreadable && { ...unreadable, first: [...unreadable.first] },
      })),
      notReadAgain: whyNotReadAgain(originals),
    };
  }

  /** A file as it was given. */
  async file(user: SignedInUser, id: string, n: string, version: number | undefined): Promise<OriginalContent> {
    const { row } = await this.#require(user, id, "edit");
    const originals = await originalsOf(this.#parts.db, id, version ?? row.dataVersion);
    const original = originals?.find((_, index) => String(index + 1) === n);
    if (original === undefined) throw noSuchFile();
    try {
      const { content, size } = await this.#parts.files.read(fileKey(original.key));
      return { name: original.file, size, content };
    } catch (error) {
      throw error instanceof FileMissing ? noSuchFile() : error;
    }
  }

  async dependents(user: SignedInUser, id: string): Promise<OwnDatasetDependents> {
    const { row } = await this.#require(user, id, "own");
    const { db } = this.#parts;
    const count = async (table: "saved_searches" | "alerts" | "favorite_datasets"): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${sql.table(table)} where category = ${row.category} and dataset_id = ${row.name}`.execute(
        db,
      );
      return rows[0]?.count ?? 0;
    };
    const dataset = refOf(row);
    const [savedSearches, alerts, favorites, boards, lookups] = await Promise.all([
      count("saved_searches"),
      count("alerts"),
      count("favorite_datasets"),
      boardsNaming(db, dataset),
      lookupsIn(db, dataset),
    ]);
    return { savedSearches, boards, alerts, lookups, favorites, shares: row.shares.length };
  }

  async share(user: SignedInUser, id: string, drafts: readonly ShareDraft[]): Promise<OwnDataset> {
    const { row } = await this.#require(user, id, "own");
    const shares = await sharesToStore(this.#parts, user, drafts, row.shares);
    await this.#changed(id, async (trx) => {
      await storeShares(trx, id, shares);
      await trx
        .updateTable("own_datasets")
        .set({ changed_at: sql<Date>`now()` })
        .where("id", "=", id)
        .execute();
    });
    return this.#answer(user, id);
  }

  /** Removes the share with the caller alone: those by groups and roles stay. */
  async leave(user: SignedInUser, id: string): Promise<DatasetRef> {
    const { row } = await this.#require(user, id, "view");
    if (!row.shares.some(({ kind, target }) => kind === "user" && target === user.id)) {
      throw new Refusal("conflict", "This dataset is shared with a group, a role or everyone, so you cannot leave it.");
    }
    await this.#changed(id, (trx) =>
      trx.deleteFrom("own_dataset_shares").where("dataset_id", "=", id).where("kind", "=", "user").where("target", "=", user.id).execute(),
    );
    return refOf(row);
  }

  /** By the owner to someone who can edit, by an administrator to any enabled account. The former owner stays an editor. */
  async transfer(user: SignedInUser, id: string, userId: string): Promise<{ dataset: DatasetRef; owner: string }> {
    const byAdministrator = isAdministrator(user);
    const row = await anyRow(this.#parts.db, id);
    const can = row && mayDo(row, user);
    if (row === undefined || (can === undefined && !byAdministrator)) throw noSuchDataset();
    if (can !== "own" && !byAdministrator) throw mayNot("own");
    // One without owner waits for its end, unless somebody gets it.
    if (row.deletedAt !== null && row.ownerId !== null) throw byAdministrator ? isDeleted() : noSuchDataset();
    return this.#giveOne(user, row, userId, byAdministrator);
  }

  async ownerless(): Promise<OwnerlessEntry[]> {
    const rows = await rowsOwnedBy(this.#parts.db, null);
    return rows.map((row) => ({
      kind: "ownDataset",
      id: row.id,
      name: titleOf(row),
      formerOwner: row.lastOwner,
      shares: sharesOf(row.shares),
    }));
  }

  async giveOwnerless(by: SignedInUser, id: string, userId: string): Promise<{ dataset: DatasetRef; owner: string }> {
    return this.#giveOne(by, await this.#requireOwnerless(id), userId, true);
  }

  async removeOwnerless(id: string): Promise<DatasetRef> {
    const row = await this.#requireOwnerless(id);
    await this.purge(id);
    return refOf(row);
  }

  /** All that an account owns and has not deleted, within the transaction that deletes the account. */
  async giveAll(trx: Transaction<Database>, from: string, to: SignedInUser): Promise<AllGiven> {
    const rows = (await rowsOwnedBy(trx, from)).filter(({ deletedAt }) => deletedAt === null);
    await this.#give(trx, rows, to, { staysEditor: false });
    // The transaction announces each of them.
    return { count: rows.length, report: () => Promise.resolve() };
  }

  async owned(userId: string): Promise<{ count: number; shared: { id: string; name: string }[] }> {
    const rows = (await rowsOwnedBy(this.#parts.db, userId)).filter(({ deletedAt }) => deletedAt === null);
    return {
      count: rows.length,
      shared: rows.filter(({ shares }) => sharesOf(shares).length > 0).map((row) => ({ id: row.id, name: titleOf(row) })),
    };
  }

  async #requireOwnerless(id: string): Promise<OwnDatasetRow> {
    const row = await anyRow(this.#parts.db, id);
    if (row === undefined || row.ownerId !== null) throw noSuchDataset();
    return row;
  }

  async #giveOne(
    by: SignedInUser,
    row: OwnDatasetRow,
    userId: string,
    byAdministrator: boolean,
  ): Promise<{ dataset: DatasetRef; owner: string }> {
    const { db, notifier } = this.#parts;
    const account = await requireRecipient(db, userId, { thing: row, noun: "dataset", byAdministrator });
    const given = { dataset: refOf(row), owner: account.username };
    if (account.id === row.ownerId) return given;
    await this.#give(db, [row], account, { staysEditor: true });
    await notifier.notify([account.id], {
      title: `The dataset '${titleOf(row)}' is yours now`,
      text: `${by.username} has given it to you.`,
      link: linkOf(row),
      dataset: given.dataset,
    });
    return given;
  }

  /** Gives datasets of one owner, or of none, to an account, in one turn of the account. */
  async #give(
    db: Kysely<Database>,
    rows: readonly OwnDatasetRow[],
    account: SignedInUser,
    { staysEditor }: { readonly staysEditor: boolean },
  ): Promise<void> {
    if (rows.length === 0) return;
    const { limits } = this.#parts;
    await countedInsert(db, {
      kind: "own-datasets",
      owner: account.id,
      requireRoom: async (trx) => {
        if ((await countDatasets(trx, account.id)) + rows.length > limits.ownDatasetsPerUser)
          throw accountIsFull(account.username, "dataset");
        const [used, max] = await Promise.all([usedBytes(trx, account.id), maxBytesOf(trx, account.id, limits)]);
        const given = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
        if (used + given > max) throw accountIsFull(account.username, "dataset");
      },
      insert: async (trx) => {
        for (const row of rows) {
          const { numUpdatedRows } = await trx
            .updateTable("own_datasets")
            .set({ owner_id: account.id, owner_name: account.username, deleted_at: null, gone_at: null, changed_at: sql<Date>`now()` })
            .where("id", "=", row.id)
            .where(sql<boolean>`owner_id is not distinct from ${row.ownerId}`)
            .executeTakeFirstOrThrow();
          if (numUpdatedRows === 0n) throw hasMoved("dataset");
          await trx.updateTable("own_data_files").set({ user_id: account.id }).where("dataset_id", "=", row.id).execute();
          await storeShares(trx, row.id, sharesAfterGiving(row, account.id, staysEditor));
          await announceOwnDataset(trx, row.id, row);
        }
      },
    });
  }

  async versions(user: SignedInUser, id: string): Promise<OwnDatasetVersion[]> {
    const { row } = await this.#require(user, id, "edit");
    const versions = await this.#parts.db
      .selectFrom("own_dataset_versions")
      .selectAll()
      .where("dataset_id", "=", id)
      .orderBy("version", "desc")
      .execute();
    return versions.map((one) => ({
      version: one.version,
      kind: one.kind,
      rows: Number(one.rows),
      bytes: one.files.reduce((sum, { bytes }) => sum + bytes, 0),
      files: one.added.map(({ file, size, rows }) => ({ file, size, rows })),
      createdMs: one.created_at.getTime(),
      by: one.created_by,
      isCurrent: one.version === row.dataVersion,
      isKept: one.is_kept,
    }));
  }

  async goBack(user: SignedInUser, id: string, n: string): Promise<{ dataset: DatasetRef; versions: OwnDatasetVersion[] }> {
    const { row } = await this.#require(user, id, "edit");
    await this.#changed(id, async (trx) => {
      const current = await trx.selectFrom("own_datasets").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
      const version = await trx
        .selectFrom("own_dataset_versions")
        .selectAll()
        .where("dataset_id", "=", id)
        .where(sql<boolean>`version::text = ${n}`)
        .executeTakeFirst();
      if (version === undefined) throw new Refusal("not-found", "The dataset has no such version.");
      if (!version.is_kept) throw new Refusal("conflict", "The rows of this version are no longer kept.");
      if (version.version === current.data_version) return;
      const latest = await latestVersion(trx, id);
      const settings = withColumns(current.settings, version.columns);
      await trx
        .insertInto("own_dataset_versions")
        .values({
          dataset_id: id,
          version: latest + 1,
          kind: "restored",
          rows: Number(version.rows),
          files: JSON.stringify(version.files),
          added: JSON.stringify(version.added),
          originals: JSON.stringify(version.originals),
          columns: JSON.stringify(version.columns),
          created_by: user.username,
        })
        .execute();
      await trx
        .updateTable("own_datasets")
        .set({
          data_version: latest + 1,
          settings: JSON.stringify(settings),
          settings_version: current.settings_version + 1,
          changed_at: sql<Date>`now()`,
        })
        .where("id", "=", id)
        .execute();
    });
    return { dataset: refOf(row), versions: await this.versions(user, row.id) };
  }

  /** `now`: without the days in which it could be restored. */
  async remove(user: SignedInUser, id: string, now: boolean): Promise<DatasetRef> {
    const { row } = await this.#require(user, id, "own", { deleted: true });
    if (now) await this.purge(id);
    else if (row.deletedAt === null)
      await this.#changed(id, (trx) =>
        trx
          .updateTable("own_datasets")
          .set({ deleted_at: sql<Date>`now()`, gone_at: sql<Date>`now() + make_interval(days => ${restorableDays})` })
          .where("id", "=", id)
          .execute(),
      );
    return refOf(row);
  }

  async restore(user: SignedInUser, id: string): Promise<OwnDataset> {
    await this.#require(user, id, "own", { deleted: true });
    await this.#changed(id, (trx) =>
      trx
        .updateTable("own_datasets")
        .set({ deleted_at: null, gone_at: null })
        .where("id", "=", id)
        .where(sql<boolean>`coalesce(gone_at > now(), true)`)
        .execute(),
    );
    return this.#answer(user, id);
  }

  async purge(id: string): Promise<void> {
    await purge(this.#parts.db, id);
    await this.#parts.cleanFiles();
  }

  async #answer(user: SignedInUser, id: string): Promise<OwnDataset> {
    const { row, can } = await this.#require(user, id, "view");
    return ownDatasetOf(row, can, user);
  }

  /** Refuses with the same `not-found` whether it does not exist or is nothing to the user. */
  async #require(
    user: SignedInUser,
    id: string,
    needed: OwnOrShared,
    { deleted = false }: { readonly deleted?: boolean } = {},
  ): Promise<{ row: OwnDatasetRow; can: OwnOrShared }> {
    const found = await rowFor(this.#parts.db, id, user);
    if (found === undefined || (found.row.deletedAt !== null && !deleted)) throw noSuchDataset();
    const allowed = needed === "view" || found.can === "own" || found.can === needed;
    if (!allowed) throw mayNot(needed);
    return found;
  }

  async #changed<Result>(id: string, work: (trx: Kysely<Database>) => Promise<Result>): Promise<Result> {
    return this.#parts.db.transaction().execute(async (trx) => {
      const before = await sharingOf(trx, id);
      const result = await work(trx);
      await announceOwnDataset(trx, id, before);
      return result;
    });
  }

  /** Refuses lookups and computed columns that cannot be made of what the writer may read. */
  async #requireDerivable(user: SignedInUser, settings: OwnDatasetSettings): Promise<void> {
    const [first, ...others] = await this.#parts.derivedProblems({ source: anySource, ...settings }, user);
    const within = ({ path, ...problem }: ErrorItem): ErrorItem => Object.assign(problem, { path: `settings.${path ?? ""}` });
    if (first !== undefined) throw Refusal.of([within(first), ...others.map(within)]);
  }

  /** Refuses settings whose columns the rows do not have. */
  async #requireReadable({ id, name, category }: OwnDatasetRow, settings: OwnDatasetSettings): Promise<void> {
    const { db, engines } = this.#parts;
    const version = await db
      .selectFrom("own_dataset_versions as version")
      .innerJoin("own_datasets", (join) =>
        join.onRef("own_datasets.id", "=", "version.dataset_id").onRef("own_datasets.data_version", "=", "version.version"),
      )
      .select("version.files")
      .where("own_datasets.id", "=", id)
      .executeTakeFirstOrThrow();
    const files = version.files.map(({ key, bytes }) => ({ key, bytes, name }));
    const source = { kind: "imported" as const, format: "parquet" as const, files };
    const { engine, release } = await engines.lease(source);
    try {
      const columns = settings.schema.columns.filter(({ combined, computed }) => combined === null && computed === undefined);
      const call = { signal: AbortSignal.timeout(checkTimeoutMs), owner: category };
      const [problem] = (await engine.check?.({ source, columns }, call)) ?? [];
      if (problem === undefined) return;
      const index = settings.schema.columns.findIndex((column) => column.name === problem.column);
      throw new Refusal("invalid-value", `The rows cannot be read like this: ${problem.reason}.`, {
        path: index < 0 ? "settings.schema.columns" : `settings.schema.columns.${index}`,
      });
    } catch (error) {
      if (error instanceof SourceNotReady) throw new Refusal("not-ready", error.message, { cause: error });
      throw error;
    } finally {
      release();
    }
  }
}

const checkTimeoutMs = 10_000;

const derivedIn = ({ schema, lookups = [] }: Pick<OwnDatasetSettings, "schema" | "lookups">): unknown => [
  lookups,
  schema.columns.flatMap(({ name, computed }) => (computed === undefined ? [] : [[name, computed.expression]])),
];

export async function latestVersion(trx: Kysely<Database>, id: string): Promise<number> {
  const { version } = await trx
    .selectFrom("own_dataset_versions")
    .select(({ fn }) => fn.max("version").as("version"))
    .where("dataset_id", "=", id)
    .executeTakeFirstOrThrow();
  return version;
}

const stale = (current: EditableOwnDataset) =>
  new Refusal("stale-version", "Someone has changed this dataset in the meantime.", { current });

const isDeleted = () => new Refusal("conflict", "This dataset has been deleted. Its owner can restore it.");

const mayNot = (needed: OwnOrShared) =>
  new Refusal("forbidden", needed === "own" ? "Only the owner of this dataset may do this." : "You may only read this dataset.");

const refOf = ({ category, name }: Pick<OwnDatasetRow, "category" | "name">): DatasetRef => ({
  datasetCategory: category,
  datasetId: name,
});

const titleOf = ({ title, name }: Pick<OwnDatasetRow, "title" | "name">): string => title ?? name;

async function storeShares(trx: Kysely<Database>, id: string, shares: readonly StoredShare[]): Promise<void> {
  await trx.deleteFrom("own_dataset_shares").where("dataset_id", "=", id).execute();
  if (shares.length === 0) return;
  await trx
    .insertInto("own_dataset_shares")
    .values(shares.map(({ kind, target, can }) => ({ dataset_id: id, kind, target, can })))
    .execute();
}

export const linkOf = ({ category, name }: Pick<OwnDatasetRow, "category" | "name">): string =>
  `/data-catalog/${encodeURIComponent(category)}/${encodeURIComponent(name)}`;
