import type { TextRow } from "./column-values-read.ts";
import type { Compiled } from "./compile.ts";
import type { SqlTable } from "./table.ts";

/**
 * Runs one statement over a dataset's table and returns its rows. `columns`: the only ones that it names, so that the engine need not plan
 * how all others of a wide table are read. Default: any.
 */
export type Scan = (compile: (table: SqlTable) => Compiled, columns?: ReadonlySet<string>) => Promise<readonly TextRow[]>;
