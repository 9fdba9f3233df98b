import type { SchemaChanges } from "@fairway/contract/dataset-administration";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

export interface SchemaUpdateTables {
  /** At most one of a dataset runs. */
  schema_updates: {
    id: string;
    dataset_id: string;
    status: "running" | "done" | "failed";
    /** Steps. */
    done: Generated<number>;
    step: string;
    started_at: ColumnType<Date, never, never>;
    /** The gateway that runs it says so again and again; one that is silent for long has died. */
    alive_at: Generated<Date>;
    finished_at: Date | null;
    result: JSONColumnType<SchemaChanges> | null;
    problem: string | null;
  };
}
