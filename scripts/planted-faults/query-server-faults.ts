import type { Fault } from "./fault.ts";

const engine = "gateway/src/query/presto";
const client = `${engine}/client`;
const inspection = "gateway/src/capabilities/dataset-administration/inspect-table.test.ts";
const tests = [`${client}/statement-server.test.ts`];

export const queryServerFaults: readonly Fault[] = [
  {
    name: "pages of a query server on another port are asked for with the portal's credentials",
    file: `${client}/coordinator.ts`,
    from: "url?.origin === this.#base.origin &&",
    to: "url?.hostname === this.#base.hostname &&",
    tests,
  },
  {
    name: "pages of a query server are asked for outside of its API",
    file: `${client}/coordinator.ts`,
    from: `url.pathname.startsWith(this.url("/v1/").pathname)`,
    to: `url.pathname.startsWith("/")`,
    tests,
  },
  {
    name: "a password for a query server is sent unencrypted to any address",
    file: `${client}/coordinator.ts`,
    from: "this.#sendsPlainly ? settings.addresses.listedOnly() : settings.addresses",
    to: "settings.addresses",
    tests,
  },
  {
    name: "a quotation mark in a value ends the literal of a statement",
    file: `${client}/bound-statement.ts`,
    from: `.replaceAll("'", "''")`,
    to: `.replaceAll("''", "'")`,
    tests: [`${client}/bound-statement.test.ts`],
  },
  {
    name: "a query goes on at the query server when its caller leaves",
    file: `${client}/statement-run.ts`,
    from: "if (this.#next !== undefined) this.#parts.inBackground(this.#cancel());",
    to: "if (this.#next === undefined) this.#parts.inBackground(this.#cancel());",
    tests,
  },
  {
    name: "a query whose caller leaves during the first call is not canceled",
    file: `${client}/statement-run.ts`,
    from: "() => (this.#isEnded ? this.#cancel() : undefined),",
    to: "() => undefined,",
    tests,
  },
  {
    name: "pages of a query server are not limited in size",
    file: `${client}/coordinator.ts`,
    from: "if (length <= maxBytes) continue;",
    to: "if (length > 0) continue;",
    tests,
  },
  {
    name: "names of tables that need quotation marks are proposed without them",
    file: "gateway/src/query/presto/table-name.ts",
    from: "/^[a-z_][a-z\\d_]*$/.test(part)",
    to: "/^[^.]*$/.test(part)",
    tests: [inspection],
  },
  {
    name: "a long list of tables is cut without saying so",
    file: "gateway/src/query/presto/table-catalog.ts",
    from: "limit: limit + 1 }",
    to: "limit }",
    tests: [inspection],
  },
  {
    name: "a partitioned table is proposed without a required filter on its partitions",
    file: "gateway/src/capabilities/dataset-administration/partition-filters.ts",
    from: "filterOn(column, column === outermost)",
    to: "filterOn(column, false)",
    tests: [inspection],
  },
  {
    name: "pages far from the first one are looked for among the rows that someone else may see",
    file: `${engine}/row-order.ts`,
    from: "timeRange, area, conditions, sort, owner];",
    to: "timeRange, area, conditions, sort];",
    tests: [`${engine}/engine.test.ts`],
  },
  {
    name: "an export in parts leaves out the rows that have no value to sort by",
    file: `${engine}/row-order.ts`,
    from: "while (missing > 0 && at <= segments.list.length)",
    to: "while (missing > 0 && at < segments.list.length)",
    tests: [`${engine}/engine.test.ts`],
  },
  {
    name: "integers of tables beyond 2^53 lose digits",
    file: `${engine}/row-text.ts`,
    from: "const maxExact = 2n ** 53n;",
    to: "const maxExact = 2n ** 64n;",
    tests: [`${engine}/engine.test.ts`],
  },
];
