import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { detectedBytes, detectFormat, readableFormat } from "@fairway/contract/data-file-formats";
import type { DateOrder } from "@fairway/contract/readings";
import { type Job, JobInterrupted, type JobKind, wasInterruptedBy } from "#background/jobs.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { addedFiles, targetFor } from "#own-data/target.ts";
import { fileKey } from "#storage/key.ts";
import type { EngineCall, QueryEngine } from "#query/engine.ts";
import { type AdministeredParts, createAdministered } from "./administered-dataset.ts";
import { addToDataset, type CreationParts, dropRows, exportRows, insertDataset, writeRows } from "./create-dataset.ts";
import { versionOf } from "./dataset-version.ts";
import { withArchiveQuestions } from "./archive-questions.ts";
import { failureOf } from "./import-failure.ts";
import { copyFromFileset, type GatheringParts } from "./gather-files.ts";
import type { DerivedProblems } from "./derived-drift.ts";
import { mergeRows } from "./merge-rows.ts";
import { originalsOf } from "./original-files.ts";
import { readAgain } from "./read-again.ts";
import { readForDataset } from "./read-for-dataset.ts";
import { type ReadingParts, type ReadRequest, readFiles, sourceOf } from "./read-files.ts";
import { savedUses } from "./saved-uses.ts";
import { mayNotImport } from "./refusals.ts";
import type { ImportFileRow, ImportRow } from "./repository.ts";
import type { ImportResult, ReadFormat } from "./tables.ts";
import { unpackFiles } from "./unpack-files.ts";

export interface ImportJobParts extends GatheringParts, AdministeredParts, Omit<ReadingParts, "engine"> {
  readonly engine: ReadingParts["engine"] & CreationParts["engine"] & Required<Pick<QueryEngine, "unreadable">>;
  /** The user's current account; undefined if it is deleted or locked. */
  readonly findUser: (userId: string) => Promise<SignedInUser | undefined>;
  readonly mayImport: (user: SignedInUser) => boolean;
  /** Why lookups and computed columns cannot be made of what a user may read. */
  readonly derivedProblems: (dataset: Parameters<DerivedProblems>[0], user: SignedInUser) => ReturnType<DerivedProblems>;
  /** The order of days and months that administrators have set for the portal; null if they have not. */
  readonly dateOrder: () => Promise<DateOrder | null>;
  readonly importsAtOnce: number;
  readonly log: { error(details: object, message: string): void };
}

/** A step of an import on this gateway. */
interface ImportWork {
  readonly row: ImportRow;
  progress: ImportRow["progress"];
}

/** Reads imports, and makes datasets of them. A step that was interrupted is repeated, by any gateway. */
export class ImportJobs implements JobKind<ImportWork> {
  readonly atOnce: number;
  readonly pollMs = 1_000;
  readonly firstMs = 0;
  readonly renewMs = 2_000;
  readonly #parts: ImportJobParts;

  constructor(parts: ImportJobParts) {
    this.atOnce = parts.importsAtOnce;
    this.#parts = parts;
  }

  async claim(count: number): Promise<ImportWork[]> {
    return (await this.#parts.repository.claim(count)).map((row) => ({ row, progress: null }));
  }

  renew({ row, progress }: ImportWork): Promise<boolean> {
    return this.#parts.repository.renew(row, progress);
  }

  async run(work: ImportWork, job: Job): Promise<void> {
    const { row } = work;
    try {
      await job.persist(() => (row.status === "creating" ? this.#create(work, job) : this.#read(work, job)));
    } catch (error) {
      if (error instanceof JobInterrupted || wasInterruptedBy(job.signal, "closing") || wasInterruptedBy(job.signal, "lost")) return;
      const failure = failureOf(error);
      // Tried at once, so that they take no room; the regular cleaning removes what stays.
      if (row.status === "creating") await dropRows(this.#parts.db, row).catch(() => undefined);
      if (failure.kind === "internal") this.#parts.log.error({ err: error, import: row.id }, "an import failed");
      await job.persist(() => this.#parts.repository.fail(row, failure));
    }
  }

  async release({ row }: ImportWork): Promise<void> {
    await this.#parts.repository.release(row);
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.error({ err: error }, "could not look for imports");
  }

  failed(error: unknown, { row }: ImportWork): void {
    this.#parts.log.error({ err: error, import: row.id }, "could not store the end of a step of an import");
  }

  async #read(work: ImportWork, job: Job): Promise<void> {
    const { repository } = this.#parts;
    const { row } = work;
    const user = await this.#userOf(row);
    work.progress = { step: "Reading the files", done: 0, total: 0 };
    await copyFromFileset(this.#parts, row, user, await repository.files(row.id));
    const files = await unpackFiles(this.#parts, row, await repository.files(row.id), job.signal);
    const format = await this.#formatOf(files);
    for (const file of await repository.files(row.id)) if (file.sha256 === null) await this.#digest(row, file, job.signal);
    const request = await requestOf(this.#parts, row, files, format);
    const found = await this.#result(row, user, request, job);
    // The files that a dataset was made of are known.
    const isAsked = row.into_dataset?.mode !== "read-again";
    const result = isAsked ? withArchiveQuestions(found, row.choices, await repository.files(row.id)) : found;
    job.signal.throwIfAborted();
    await repository.ready(row, result, { format });
  }

  async #result(row: ImportRow, user: SignedInUser, request: ReadRequest, job: Job): Promise<ImportResult> {
    const { db, repository } = this.#parts;
    const { into_dataset: into } = row;
    if (into === null) return readFiles(this.#parts, request, callOf(user, job));
    const { id, owner_id: ownerId, settings, reading, version } = await targetFor(db, user, into);
    const { mode } = into;
    const parts = {
      ...this.#parts,
      derivedProblems: (dataset: Parameters<DerivedProblems>[0]) => this.#parts.derivedProblems(dataset, user),
    };
    const withUses = async (result: ImportResult): Promise<ImportResult> => {
      const uses = await savedUses(db, into, ownerId, { before: settings, after: result.settings });
      return uses.length === 0 ? result : { ...result, drift: [...result.drift, ...uses] };
    };
    if (mode === "read-again") {
      const { originals } = version;
      return withUses(await readAgain(parts, request, { settings, reading, originals }, callOf(user, job)));
    }
    const added = mode === "append" ? await addedFiles(db, id) : new Map<string, Date>();
    const digests = (await repository.files(row.id)).filter(({ container }) => container === null);
    return withUses(await readForDataset(parts, request, { mode, settings, reading, added }, digests, callOf(user, job)));
  }

  async #create(work: ImportWork, job: Job): Promise<void> {
    const { db, repository, limits } = this.#parts;
    const { row } = work;
    const { draft, result } = row;
    if (draft === null || result === null) throw new Error("an import without a draft is to be created");
    const user = await this.#userOf(row);
    const given = await repository.files(row.id);
    const files = given.filter((file) => !file.is_container);
    const { append: plan } = result;
    const request = { ...(await requestOf(this.#parts, row, files, row.format)), reading: plan?.reading ?? undefined };
    const total = result.rows;
    const onRows = (done: number) => void (work.progress = { step: "Writing the rows", done, total });
    onRows(0);
    const written = { run: row, source: sourceOf(request), settings: draft.settings, plan, onRows };
    const { name, category: ordinary } = draft;
    if (name !== null && ordinary !== null) {
      const { settings } = draft;
      const write = async () => (await exportRows(this.#parts, written, callOf(user, job))).path;
      await createAdministered(this.#parts, row.id, { by: user, category: ordinary, id: name, settings }, write);
      const dataset = { id: null, datasetCategory: ordinary, datasetId: name, supportsMapResults: settings.mapSupport !== null };
      await repository.finish(row, dataset, db);
      return;
    }
    await dropRows(db, row);
    const rows = await writeRows(this.#parts, row, written, callOf(user, job));
    const { into_dataset: into } = row;
    if (into !== null && plan !== null) {
      const target = await targetFor(db, user, into);
      const originals = originalsOf(row, given, result, into.mode === "read-again" ? target.version.originals : []);
      const { datasetCategory, datasetId } = into;
      const dataset = { id: target.id, datasetCategory, datasetId, supportsMapResults: draft.settings.mapSupport !== null };
      const merging = { current: target.version.files, added: rows, settings: draft.settings };
      const merged = into.mode === "append" ? await mergeRows(this.#parts, row, merging, callOf(user, job)) : null;
      await addToDataset(
        db,
        row,
        target,
        versionOf(into.mode, { draft, result, rows, merged, given: originals, by: user.username, target, follows: row.of_version }),
        limits,
        async (trx) => {
          if (!(await repository.finish(row, dataset, trx))) throw new JobInterrupted("lost");
        },
      );
      return;
    }
    if (name === null) throw new Error("an import without a name is to be created");
    await insertDataset(
      db,
      row,
      { user, name, settings: draft.settings, reading: result.stored, rows, given: originalsOf(row, given, result), limits },
      async (trx, { id, category }) => {
        const dataset = { id, datasetCategory: category, datasetId: name, supportsMapResults: draft.settings.mapSupport !== null };
        // Rolls back: somebody has discarded the import meanwhile.
        if (!(await repository.finish(row, dataset, trx))) throw new JobInterrupted("lost");
      },
    );
  }

  async #userOf({ user_id: userId }: ImportRow): Promise<SignedInUser> {
    const user = await this.#parts.findUser(userId);
    if (user === undefined || !this.#parts.mayImport(user)) throw mayNotImport();
    return user;
  }

  /** The one format of all files, by their first bytes. */
  async #formatOf(files: readonly ImportFileRow[]): Promise<ReadFormat> {
    const { files: stored } = this.#parts;
    let common: ReadFormat | undefined;
    for (const { key, file, size } of files) {
      const head = Number(size) === 0 ? Buffer.alloc(0) : await contentOf(stored, key, { start: 0, end: detectedBytes - 1 });
      const found = detectFormat(file, head);
      if (found.refused !== undefined) throw new Refusal("not-supported", found.refused);
      const format = readableFormat(found.format);
      if (format === undefined)
        throw new Refusal("not-supported", `'${file}' is a file of a format that cannot be imported; save it as CSV or JSON.`);
      if (common !== undefined && common !== format)
        throw new Refusal("not-supported", `'${file}' has another format than the first file. Import files of one format together.`);
      common = format;
    }
    return common ?? "csv";
  }

  async #digest(row: ImportRow, { number, key, size }: ImportFileRow, signal: AbortSignal): Promise<void> {
    const { files: stored, repository } = this.#parts;
    const hash = createHash("sha256");
    await stored.use(key, Number(size), signal, async (path) => {
      for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
        signal.throwIfAborted();
        hash.update(chunk as Uint8Array);
      }
    });
    await repository.setDigest(row.id, number, hash.digest("hex"));
  }
}

/** How the files of an import are read. The portal's setting goes before the suggestion of a browser. */
export async function requestOf(
  parts: Pick<ImportJobParts, "dateOrder">,
  { choices, hints }: Pick<ImportRow, "choices" | "hints">,
  files: readonly ImportFileRow[],
  format: ReadFormat,
): Promise<ReadRequest> {
  const dateOrder = await parts.dateOrder();
  return {
    format,
    files: files.map(({ key, file, size, renamed }) => ({ key, name: file, bytes: Number(size), ...(renamed && { renamed }) })),
    choices,
    hints: dateOrder === null ? hints : { ...hints, dateOrder },
  };
}

async function contentOf(stored: CreationParts["files"], key: string, range: { start: number; end: number }): Promise<Buffer> {
  const { content } = await stored.read(fileKey(key), range);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Nobody waits at a screen as for a search. */
const callOf = ({ id, username }: SignedInUser, { signal }: Job): EngineCall => ({ signal, owner: id, user: username, isBackground: true });
