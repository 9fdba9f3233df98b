import type { ExportDraft, ExportStatus } from "@fairway/contract/exports";
import type { ColumnType, JSONColumnType } from "kysely";
import type { ExportResult } from "./export-record.ts";

/** Written as a number, read as a text. */
type BigInteger = ColumnType<string, number | undefined, number>;

export interface ExportTables {
  exports: {
    id: string;
    owner_id: string;
    dataset_category: string;
    dataset_id: string;
    /** As it was asked for. */
    request: JSONColumnType<ExportDraft>;
    status: ExportStatus;
    /** Counts the runs. A gateway reports on the run that it was given, and on no other. */
    attempt: ColumnType<number, number | undefined, number>;
    /** When the gateway that runs it last reported; null while it waits for a gateway. */
    alive_at: Date | null;
    rows: BigInteger;
    total_rows: ColumnType<string | null, number | null | undefined, number | null>;
    /** Size of its file, finished or not. */
    bytes: BigInteger;
    /** Why it failed, for people. */
    failure: string | null;
    /** Of a finished one. */
    result: JSONColumnType<ExportResult> | null;
    started_at: ColumnType<Date, never, never>;
    finished_at: Date | null;
  };
}
