import type { DataImport, ImportChoices, ImportDraft, ImportedRow, ImportInto, imports } from "@fairway/contract/imports";
import { entityId } from "@fairway/contract/entities";
import type { Limits } from "@fairway/contract/limits";
import type { OwnDataWho } from "@fairway/contract/own-datasets";
import { uploadRole } from "@fairway/contract/own-datasets";
import { passesRole } from "@fairway/contract/access";
import type { BodyOf } from "@fairway/contract/route";
import { JobRunner } from "#background/jobs.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { administratorRole } from "#identity/accounts.ts";
import { insertFiles, type RoomLimits } from "#own-data/room.ts";
import { whyNotReadAgain } from "#own-data/originals.ts";
import { targetFor } from "#own-data/target.ts";
import { fileKey } from "#storage/key.ts";
import { StoreFailed } from "#storage/storage.ts";
import type { PartUploadRow } from "#uploads/part-upload-rows.ts";
import type { PartUploads } from "#uploads/part-uploads.ts";
import type { UploadTurns } from "#uploads/upload-turns.ts";
import { type DatasetCreation, requireFreeAddress, requireMayAdminister } from "./administered-dataset.ts";
import { withAnsweredEntries } from "./archive-questions.ts";
import { cleanImports } from "./cleaning.ts";
import { type ImportDestination, destinationOf } from "./destination.ts";
import { commonFormat, storedName, suggestedName } from "./file-names.ts";
import { answerOf, expiryOf, isUnchanged, openQuestions } from "./import-answer.ts";
import { beginningBytes, readBeginning } from "./read-beginning.ts";
import { ImportJobs, type ImportJobParts } from "./import-jobs.ts";
import {
  columnIsNeeded,
  driftIsOpen,
  fileTooLarge,
  isBeingRead,
  mayNotImport,
  nameTaken,
  noSuchFile,
  noSuchImport,
  nothingChanged,
  questionIsOpen,
} from "./refusals.ts";
import { mergedChoices } from "./merged-choices.ts";
import type { ImportFileRow, ImportRow } from "./repository.ts";
import { withFields } from "./settings.ts";
import { unreadableRows } from "./unreadable-rows.ts";

export interface ImportServiceParts extends Omit<ImportJobParts, "mayImport" | "administration"> {
  readonly who: OwnDataWho;
  readonly uploads: PartUploads<ImportDestination>;
  readonly turns: UploadTurns;
  /** Resolves once this gateway's caches know of every change that was committed before. */
  readonly caughtUp: () => Promise<void>;
  readonly limits: RoomLimits & Pick<Limits, "importsAtOnce">;
}

/** Whether a user may bring data. */
export const mayImportBy =
  (who: OwnDataWho) =>
  ({ roles }: Pick<SignedInUser, "roles">): boolean =>
    who === "everyone" || (who === "role" && (passesRole(roles, uploadRole) || passesRole(roles, administratorRole)));

export class Imports {
  readonly #parts: ImportServiceParts;
  readonly #runner: JobRunner<Awaited<ReturnType<ImportJobs["claim"]>>[number]>;
  readonly mayImport: (user: Pick<SignedInUser, "roles">) => boolean;
  /** The imports whose beginning is being read. */
  readonly #beginnings = new Map<string, AbortController>();

  /** Lets imports make internal datasets; until it is called, they wait. */
  administerBy: (administration: DatasetCreation) => void = () => undefined;

  constructor(parts: ImportServiceParts) {
    this.#parts = parts;
    this.mayImport = mayImportBy(parts.who);
    const administration = new Promise<DatasetCreation>((resolve) => (this.administerBy = resolve));
    this.#runner = new JobRunner(new ImportJobs({ ...parts, administration, mayImport: this.mayImport }));
  }

  async start(user: SignedInUser, draft: ImportDraft): Promise<DataImport> {
    const { repository, db, limits, uploads, turns, files: stored } = this.#parts;
    this.#requireMayImport(user);
    if (!reachesImport(user, draft.into ?? null)) throw new Refusal("forbidden", "This API key may not bring data.");
    if (draft.into?.mode === "read-again") return this.#readAgain(user, draft.into);
    if (draft.into !== undefined) await targetFor(db, user, draft.into);
    const given = draft.files ?? (await this.#ofFileset(user, draft.from));
    const files = given.map((file, index) => Object.assign({}, file, { number: index + 1 }));
    const format = commonFormat(files);
    if (draft.from !== undefined && (await repository.isReadingAnother(user.id, ""))) throw isBeingRead();
    const tooLarge = files.findIndex(({ size }) => size > limits.ownDataFileBytes);
    if (tooLarge >= 0) throw fileTooLarge(limits, `files.${tooLarge}.size`);
    turns.count(user.id);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const id = await insertFiles(db, user.id, bytes, limits, async (trx) => {
      const importId = await repository.insert(
        {
          user_id: user.id,
          from_fileset: draft.from?.filesetId ?? null,
          into_dataset: draft.into ?? null,
          format,
          suggested_name: suggestedName(files[0]?.file ?? ""),
          hints: draft.hints ?? {},
          bucket: stored.bucket,
        },
        trx,
      );
      for (const { number, file, size } of files) {
        const key = fileKey(importId, storedName(number, file));
        await trx
          .insertInto("own_data_files")
          .values({ key, user_id: user.id, import_id: importId, bytes: size, name: file, bucket: stored.bucket })
          .execute();
        await trx.insertInto("import_files").values({ import_id: importId, number, file, size, key, part_bytes: 0 }).execute();
      }
      return importId;
    });
    const row = await this.#find(user, id);
    try {
      const destination = destinationOf(row, stored);
      for (const { number, file, size, version = "" } of draft.from === undefined ? files : []) {
        const { uploadId, partBytes } = await uploads.start(
          user,
          id,
          destination,
          { file: storedName(number, file), size, version },
          { maxUnfinished: Infinity },
        );
        await db
          .updateTable("import_files")
          .set({ upload_id: uploadId, part_bytes: partBytes })
          .where("import_id", "=", id)
          .where("number", "=", number)
          .execute();
      }
    } catch (error) {
      await this.discard(user, id);
      throw error;
    }
    if (draft.from !== undefined && (await repository.begin(id, ["uploading"], "reading"))) void this.#runner.wake();
    return this.one(user, id);
  }

  /** An import of the files that a dataset was made of, which stay where they are. */
  async #readAgain(user: SignedInUser, into: ImportInto): Promise<DataImport> {
    const { repository, db } = this.#parts;
    const { version, settings } = await targetFor(db, user, into);
    const { originals } = version;
    const problem = whyNotReadAgain(originals);
    if (problem !== null) throw new Refusal("not-supported", problem);
    if (await repository.isReadingAnother(user.id, "")) throw isBeingRead();
    const columns = new Set(settings.schema.columns.map(({ name }) => name));
    const left = new Set(originals.flatMap(({ leftOut }) => leftOut).filter((name) => !columns.has(name)));
    const id = await db.transaction().execute(async (trx) => {
      const importId = await repository.insert(
        {
          user_id: user.id,
          from_fileset: null,
          into_dataset: into,
          of_version: version.version,
          format: commonFormat(originals),
          suggested_name: into.datasetId,
          hints: {},
          choices: left.size === 0 ? {} : { columns: Object.fromEntries([...left].map((name) => [name, { leaveOut: true }])) },
        },
        trx,
      );
      for (const [index, { key, file, size, sha256, renamed, entry = null }] of originals.entries()) {
        const names = Object.keys(renamed).length === 0 ? null : JSON.stringify(renamed);
        const values = {
          import_id: importId,
          number: index + 1,
          file,
          size,
          key,
          part_bytes: 0,
          is_complete: true,
          sha256,
          renamed: names,
          entry,
        };
        await trx.insertInto("import_files").values(values).execute();
      }
      return importId;
    });
    if (await repository.begin(id, ["uploading"], "reading")) void this.#runner.wake();
    return this.one(user, id);
  }

  /** The files of a fileset with their sizes. Refuses what the user may not read. */
  async #ofFileset(user: SignedInUser, from: ImportDraft["from"]): Promise<{ file: string; size: number; version?: string }[]> {
    const files: { file: string; size: number }[] = [];
    for (const file of from?.files ?? []) {
      const { size, content } = await this.#parts.openFilesetFile(user, from?.filesetId ?? "", file);
      // Ending an iterator that nobody has begun to read would leave the file open.
      content.destroy();
      files.push({ file, size });
    }
    return files;
  }

  async list(user: SignedInUser) {
    const rows = await this.#parts.repository.listOf(user.id);
    return rows.map((row) => ({
      id: row.id,
      status: row.status,
      createdMs: row.created_at.getTime(),
      expiresMs: expiryOf(row),
      into: row.into_dataset,
      suggestedName: row.suggested_name,
    }));
  }

  async one(user: SignedInUser, id: string): Promise<DataImport> {
    const row = await this.#find(user, id);
    // Whoever is told of the end reads the new rows with the next call. Caches forget all once a lost connection is back.
    if (row.status === "done") await this.#parts.caughtUp().catch(() => undefined);
    return answerOf(this.#parts, user, row);
  }

  /** The upload of one file of an import. */
  async uploadOf(user: SignedInUser, id: string, n: string): Promise<string> {
    const row = await this.#find(user, id);
    this.#requireMayImport(user);
    const files = await this.#parts.repository.files(row.id);
    const uploadId = files.find(({ number }) => String(number) === n)?.upload_id;
    if (uploadId == null) throw noSuchFile(files.length);
    return uploadId;
  }

  /** Likewise, for a call whose address is its permission. */
  async uploadIdOf(id: string, n: string): Promise<string | undefined> {
    const files = await this.#parts.repository.files(id);
    return files.find(({ number }) => String(number) === n)?.upload_id ?? undefined;
  }

  /** The import and number of an upload's file. */
  async fileOf(uploadId: string): Promise<Pick<ImportFileRow, "import_id" | "number"> | undefined> {
    return this.#parts.db.selectFrom("import_files").select(["import_id", "number"]).where("upload_id", "=", uploadId).executeTakeFirst();
  }

  /** Reads the beginning of the first file as soon as it is there. */
  async partArrived(
    { id: uploadId, holder, size }: Pick<PartUploadRow, "id" | "holder" | "size">,
    part: number,
    beginning: (bytes: number) => Promise<Buffer | undefined>,
  ): Promise<void> {
    const { repository, db } = this.#parts;
    if (part !== 1 || size <= beginningBytes) return;
    const [first] = await repository.files(holder);
    if (first?.upload_id !== uploadId) return;
    const row = await db.selectFrom("imports").selectAll().where("id", "=", holder).executeTakeFirst();
    if (row?.status !== "uploading" || row.result !== null || row.into_dataset !== null) return;
    const bytes = await beginning(beginningBytes);
    if (bytes === undefined) return;
    const stop = new AbortController();
    this.#beginnings.set(row.id, stop);
    try {
      await readBeginning(this.#parts, row, first, bytes, stop.signal);
    } finally {
      if (this.#beginnings.get(row.id) === stop) this.#beginnings.delete(row.id);
    }
  }

  async complete(user: SignedInUser, id: string): Promise<DataImport> {
    const { repository, uploads } = this.#parts;
    const row = await this.#find(user, id);
    this.#requireMayImport(user);
    if (row.status === "uploading") {
      if (await repository.isReadingAnother(user.id, id)) throw isBeingRead();
      for (const { number, upload_id: uploadId, is_complete: isComplete } of await repository.files(id)) {
        if (isComplete) continue;
        if (uploadId !== null) await uploads.complete(user, id, uploadId);
        // The import may have been discarded meanwhile; the cleaning then removes the file.
        if (!(await repository.fileArrived(id, number))) throw noSuchImport();
      }
      if (await repository.begin(id, ["uploading"], "reading")) void this.#runner.wake();
      this.#beginnings.get(id)?.abort();
    }
    return this.one(user, id);
  }

  async choose(user: SignedInUser, id: string, choices: ImportChoices): Promise<DataImport> {
    const { repository } = this.#parts;
    const row = await this.#find(user, id);
    this.#requireMayImport(user);
    if (
      !(await repository.begin(id, ["reading", "ready", "failed"], "reading", {
        choices: mergedChoices(row.choices, withAnsweredEntries(choices)),
      }))
    )
      throw notRead(row);
    void this.#runner.wake();
    return this.one(user, id);
  }

  /** Values and lines that could not be read. */
  async rows(
    user: SignedInUser,
    id: string,
    asked: { readonly column?: string | undefined; readonly from?: number | undefined },
    signal: AbortSignal,
  ): Promise<{ rows: ImportedRow[]; total: number }> {
    const row = await this.#find(user, id);
    return unreadableRows(this.#parts, row, asked, { signal, owner: user.id, user: user.username });
  }

  async create(user: SignedInUser, id: string, body: BodyOf<(typeof imports)["create"]>): Promise<DataImport> {
    const { repository, db } = this.#parts;
    const row = await this.#find(user, id);
    this.#requireMayImport(user);
    if (row.status === "creating" || row.status === "done") return answerOf(this.#parts, user, row);
    const { result } = row;
    if (result === null || row.is_partial || (row.status !== "ready" && !(row.status === "failed" && row.draft !== null)))
      throw notRead(row);
    const [open] = openQuestions(row);
    if (open !== undefined && body.acceptAssumed !== true) throw questionIsOpen(open);
    const { append, drift, settings: found } = result;
    if (append !== null) {
      const [missing] = append.needed;
      if (missing !== undefined) throw columnIsNeeded(missing);
      if (row.into_dataset?.mode === "read-again" && isUnchanged(row)) throw nothingChanged();
      const open = drift.find(({ kind }) => body.acceptDrift?.includes(kind) !== true);
      if (open !== undefined) throw driftIsOpen(open);
      const draft = { name: null, category: null, settings: found, by: user.username };
      if (await repository.begin(id, ["ready", "failed"], "creating", { draft })) void this.#runner.wake();
      return this.one(user, id);
    }
    if (body.category !== undefined) requireMayAdminister(user);
    const name = body.name ?? row.suggested_name;
    const { error } = entityId.safeParse(name);
    if (error !== undefined) throw new Refusal("invalid-value", `'name' ${error.issues[0]?.message ?? "is not a name"}.`, { path: "name" });
    const settings = withFields({ ...result.settings, description: body.description ?? result.settings.description }, body.fields ?? {});
    if (body.category !== undefined) {
      const { error: problem, data: ordinary } = entityId.safeParse(body.category);
      if (problem !== undefined)
        throw new Refusal("invalid-value", `'category' ${problem.issues[0]?.message ?? "is not a name"}.`, { path: "category" });
      await requireFreeAddress(db, { category: ordinary, id: name });
      const draft = { name, category: ordinary, settings, by: user.username };
      if (await repository.begin(id, ["ready", "failed"], "creating", { draft })) void this.#runner.wake();
      return this.one(user, id);
    }
    const category = await db.selectFrom("own_categories").select("category").where("user_id", "=", user.id).executeTakeFirst();
    if (category !== undefined) {
      const known = await db
        .selectFrom("own_datasets")
        .select("id")
        .where("category", "=", category.category)
        .where("name", "=", name)
        .executeTakeFirst();
      if (known !== undefined) throw nameTaken(name);
    }
    const draft = { name, category: null, settings, by: user.username };
    if (await repository.begin(id, ["ready", "failed"], "creating", { draft })) void this.#runner.wake();
    return this.one(user, id);
  }

  async discard(user: SignedInUser, id: string): Promise<void> {
    const { repository, uploads } = this.#parts;
    const row = await this.#find(user, id);
    const files = await repository.files(row.id);
    for (const { upload_id: uploadId, is_complete: isComplete } of files) {
      if (uploadId !== null && !isComplete) await uploads.abort(user, id, uploadId).catch(ignoreFailure);
    }
    this.#beginnings.get(id)?.abort();
    await repository.remove(id);
    await this.#runner.interrupt(({ row: running }) => running.id === id);
    await this.clean();
  }

  /** Removes imports that nobody has asked for, files that belong to nothing, and what killed gateways have left. */
  clean(): Promise<void> {
    return cleanImports(this.#parts);
  }

  close(): Promise<void> {
    return this.#runner.close();
  }

  #requireMayImport(user: SignedInUser): void {
    if (!this.mayImport(user)) throw mayNotImport();
  }

  async #find(user: SignedInUser, id: string): Promise<ImportRow> {
    const row = await this.#parts.repository.find(id, user.id);
    if (row === undefined || !reachesImport(user, row.into_dataset)) throw noSuchImport();
    return row;
  }
}

/** A key that may append reaches the imports into its datasets, and nothing more. */
const reachesImport = ({ reach }: Pick<SignedInUser, "reach">, into: ImportRow["into_dataset"]): boolean =>
  reach === undefined ||
  (reach.mayAppend === true && into !== null && into.mode !== "read-again" && reachesDataset(reach, into.datasetCategory, into.datasetId));

const notRead = ({ status }: ImportRow) =>
  status === "failed"
    ? new Refusal("conflict", "The files could not be read. Change how they are read, or import others.")
    : new Refusal("conflict", "The files have not been read yet.");

/** There is nothing to discard, or the file store cannot be reached: parts that stay go when the upload expires. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof Refusal || error instanceof StoreFailed)) throw error;
}
