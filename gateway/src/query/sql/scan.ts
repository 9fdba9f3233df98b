import type { TextRow } from "./column-values-read.ts";
import type { Compiled } from "./compile.ts";
import type { SqlTable } from "./table.ts";

/** Runs one statement over a dataset's table and returns its rows. */
export type Scan = (compile: (table: SqlTable) => Compiled) => Promise<readonly TextRow[]>;
