import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { Column } from "@fairway/contract/columns";
import type { StoredReading } from "@fairway/contract/readings";
import type { ShareCan } from "@fairway/contract/sharing";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

type SetByDatabase = ColumnType<Date, never, never>;
/** A `bigint`, which the driver returns as text. */
type BigInteger = ColumnType<string, number, number>;

/** One Parquet file of a version. Versions share files: an appended one has those of the version before it, too. */
export interface RowsFile {
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
}

/** A file that a user has given. */
export interface GivenFile {
  readonly key: string;
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly rows: number | null;
}

/** Values and lines of a file that could not be read. */
export interface UnreadablePart {
  readonly lines: number;
  readonly values: number;
  /** Whether `values` are all: of files that were read together, only the first values are known by file. */
  readonly isExact: boolean;
  /** `column` is null of whole lines, which count from 1. */
  readonly first: readonly { readonly column: string | null; readonly line: number | null; readonly text: string }[];
}

/** A given file of the rows of a version, and how it was read. */
export interface OriginalFile extends GivenFile {
  readonly addedMs: number;
  /** The import that has read it: files of one were read together. Undefined of files from before it was stored. */
  readonly readBy?: string | undefined;
  /** Null if it is not known, as of files from before it was stored. */
  readonly format: string | null;
  /** A label of `textEncodings`; null of files that are no text. */
  readonly encoding: string | null;
  /** Null if it is not known. */
  readonly unreadable: UnreadablePart | null;
  /** Names of columns in the file that the dataset calls otherwise. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Columns of the file that the dataset leaves out. */
  readonly leftOut: readonly string[];
  /** Of a ZIP file: the file in it that was chosen. */
  readonly entry?: string | undefined;
}

export type VersionKind = "created" | "appended" | "replaced" | "restored" | "read-again";

declare module "#database/schema.ts" {
  interface Database {
    /** Categories of own datasets, each of which belongs to one account for good. */
    own_categories: { category: string; user_id: string | null };
    own_datasets: {
      id: string;
      category: string;
      name: string;
      /** Null once the account is gone. */
      owner_id: string | null;
      /** The username of the last owner. */
      owner_name: string;
      title: string | null;
      settings: JSONColumnType<OwnDatasetSettings>;
      settings_version: Generated<number>;
      /** How its text files are read; null of other files. */
      reading: JSONColumnType<StoredReading> | null;
      /** Warnings of its lookups and computed columns that its owner has been told. */
      broken: ColumnType<string[], string | undefined, string>;
      /** The current one of `own_dataset_versions`. */
      data_version: number;
      /** Whether administrators let it be used. */
      is_enabled: Generated<boolean>;
      created_at: SetByDatabase;
      changed_at: Generated<Date>;
      last_used_at: Date | null;
      /** Set while it can be restored. */
      deleted_at: Date | null;
      /** When it goes for good. */
      gone_at: Date | null;
    };
    own_dataset_shares: {
      dataset_id: string;
      kind: "user" | "group" | "role" | "everyone";
      /** Id of a user or group, name of a role, empty for everyone. */
      target: string;
      can: ShareCan;
    };
    own_dataset_versions: {
      dataset_id: string;
      version: number;
      kind: VersionKind;
      rows: BigInteger;
      files: JSONColumnType<RowsFile[]>;
      /** The files that it adds to the version before it. */
      added: JSONColumnType<GivenFile[]>;
      /** All given files of its rows. */
      originals: JSONColumnType<OriginalFile[]>;
      columns: JSONColumnType<Column[]>;
      created_at: SetByDatabase;
      /** A username. */
      created_by: string | null;
      /** Whether its files are still there. */
      is_kept: Generated<boolean>;
    };
    /** Every file in the store of own data; those of no import and no dataset are removed. */
    own_data_files: {
      key: string;
      /** Whose room it takes. */
      user_id: string | null;
      import_id: string | null;
      dataset_id: string | null;
      bytes: BigInteger;
      sha256: string | null;
      name: string;
      /** The bucket that holds it; empty: the disk that the gateways share. */
      bucket: Generated<string>;
      /** Another one that may hold it as well, while it is moved and for a while after that; null: none. */
      other_bucket: ColumnType<string | null, string | null | undefined, string | null>;
      /** Since when, or when its move was last reported. */
      other_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** Since when it is removed; the row goes later, because a gateway may have been storing the file just then. */
      dropped_at: Date | null;
      added_at: SetByDatabase;
    };
    /** Holds its one row while administrators know that the room of all is almost full. */
    own_data_warning: { only_one: Generated<boolean>; told_at: SetByDatabase };
    /** Rooms that administrators have set for single users. */
    own_data_rooms: { user_id: string; max_bytes: BigInteger };
  }
}
