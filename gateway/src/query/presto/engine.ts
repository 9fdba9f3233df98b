import type { TableCatalog } from "#query/engine.ts";
import { SqlEngine } from "#query/sql/engine.ts";
import { inPlace } from "#query/sql/table-source.ts";
import { type PrestoOptions, PrestoServer } from "./server.ts";
import type { StatementSession } from "./statement-runner.ts";

/** Queries tables of a Trino or Presto server. Decision 0478. */
export class PrestoEngine extends SqlEngine<StatementSession> {
  readonly tables: TableCatalog;

  constructor(options: PrestoOptions) {
    const server = new PrestoServer(options);
    super(server, inPlace, options.limits);
    this.tables = server.catalog;
  }
}
