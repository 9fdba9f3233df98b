import type { Column } from "@fairway/contract/columns";
import type {
  ArchivedFiles,
  ColumnSpread,
  Drift,
  ImportChoices,
  ImportFailure,
  ImportInto,
  ImportStatus,
  SampledRow,
} from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { Reading, ReadingHints, StoredReading } from "@fairway/contract/readings";
import type { FileFormat } from "#query/engine.ts";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

type SetByDatabase = ColumnType<Date, never, never>;

/** The format of the files as the engine reads them. */
export type ReadFormat = FileFormat;

/** The result of reading the files. */
export interface ImportResult {
  /** Null of Parquet. */
  readonly reading: Reading | null;
  readonly stored: StoredReading | null;
  readonly rows: number;
  readonly sample: { readonly rows: SampledRow[]; readonly spreads: ColumnSpread[] };
  /** The settings of a dataset of it, without columns that are left out. */
  readonly settings: OwnDatasetSettings;
  readonly drift: Drift[];
  /** Contradictions of the reading of a dataset, in sentences. */
  readonly differences: readonly string[];
  /** How the files are added to a dataset; null of a new one. `settings` are those of the dataset with them. */
  readonly append: AppendPlan | null;
}

export interface AppendPlan {
  /** Columns of the files that are written, in their types. */
  readonly columns: Column[];
  /** Names of columns of the files that the dataset calls otherwise. */
  readonly renamed: Readonly<Record<string, string>>;
  /** How the files are read; null of Parquet. */
  readonly reading: StoredReading | null;
  /** Columns without which the dataset does not work, and that the files lack. */
  readonly needed: readonly string[];
}

/** The dataset to be made. */
export interface CreationDraft {
  readonly name: string | null;
  readonly category: string | null;
  readonly settings: OwnDatasetSettings;
  readonly by: string;
}

/** A file that was unpacked from an archive. */
export interface ArchiveContents {
  /** The file that was chosen; null: the files with the most bytes. */
  readonly entry: string | null;
  readonly taken: ArchivedFiles;
  readonly others: readonly ArchivedFiles[];
}

interface ImportProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

interface CreatedDataset {
  readonly id: string | null;
  readonly datasetCategory: string;
  readonly datasetId: string;
  readonly supportsMapResults: boolean;
}

declare module "#database/schema.ts" {
  interface Database {
    imports: {
      id: string;
      user_id: string;
      status: ImportStatus;
      from_fileset: string | null;
      into_dataset: JSONColumnType<ImportInto> | null;
      /** The version of the dataset whose files are read again. */
      of_version: ColumnType<number | null, number | undefined, never>;
      format: ReadFormat;
      suggested_name: string;
      /** Where its given files are stored, see `own_data_files`. */
      bucket: ColumnType<string, string | undefined, never>;
      hints: JSONColumnType<ReadingHints>;
      choices: JSONColumnType<ImportChoices>;
      draft: JSONColumnType<CreationDraft> | null;
      result: JSONColumnType<ImportResult> | null;
      /** Whether the result is of the beginning of the first file. */
      is_partial: Generated<boolean>;
      progress: JSONColumnType<ImportProgress> | null;
      dataset: JSONColumnType<CreatedDataset> | null;
      failure: JSONColumnType<ImportFailure> | null;
      /** Counts runs and changes: what a run stores is ignored once it is another one. */
      attempt: Generated<number>;
      /** Runs of the current step. */
      tries: Generated<number>;
      alive_at: Date | null;
      created_at: SetByDatabase;
      /** The last call. */
      used_at: Generated<Date>;
    };
    import_files: {
      import_id: string;
      /** From 1. */
      number: number;
      /** As the user calls it. */
      file: string;
      size: ColumnType<string, number, number>;
      key: string;
      /** Null of files that are copied from a fileset. */
      upload_id: string | null;
      part_bytes: ColumnType<string, number, number>;
      is_complete: Generated<boolean>;
      /** The number of the file that it was unpacked from. */
      container: ColumnType<number | null, number | undefined, never>;
      /** Whether files were unpacked from it, which are read in its place. */
      is_container: Generated<boolean>;
      sha256: string | null;
      /** Of an archive that files were unpacked from. */
      contents: JSONColumnType<ArchiveContents> | null;
      /** Of an archive of a dataset that is read again: the file that was chosen. */
      entry: string | null;
      /** Names of columns that the dataset of the file calls otherwise. */
      renamed: JSONColumnType<Readonly<Record<string, string>>> | null;
    };
  }
}
