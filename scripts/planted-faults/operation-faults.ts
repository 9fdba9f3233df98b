import type { Fault } from "./fault.ts";

const gateway = "gateway/src";

/** Commands for operators, and what they see of a running portal. */
export const operationFaults: readonly Fault[] = [
  {
    name: "a new master key leaves the codes of authenticator apps encrypted with the old one",
    file: `${gateway}/operate/encrypted-columns.ts`,
    from: "  authenticatorColumn,\n",
    to: "",
    tests: [`${gateway}/operate/rotate-master-key.test.ts`],
  },
  {
    name: "the master key is replaced while a gateway uses the old one",
    file: `${gateway}/operate/rotate-master-key.ts`,
    from: "if (!(await lockOutGateways(client))) throw stillRunning();",
    to: "",
    tests: [`${gateway}/operate/rotate-master-key.test.ts`],
  },
  {
    name: "a start after an interrupted replacement removes the only key that fits",
    file: `${gateway}/master-key-replacement.ts`,
    from: "if (await isReplacementUnfinished(home, storedId)) {",
    to: "if (storedId === undefined) {",
    tests: [`${gateway}/operate/rotate-master-key.test.ts`],
  },
  {
    name: "a backup contains master keys that were replaced",
    file: `${gateway}/operate/backup.ts`,
    from: String.raw`/^(?:\.probe-|master\.key)/`,
    to: String.raw`/^(?:\.probe-|master\.key$)/`,
    tests: [`${gateway}/operate/rotate-master-key.test.ts`],
  },
  {
    name: "anybody can choose the trace that a call belongs to",
    file: `${gateway}/tracing/request-spans.ts`,
    from: "ips !== undefined && ips.length > 1",
    to: "ips !== undefined",
    tests: [`${gateway}/tracing/tracing.test.ts`],
  },
  {
    name: "statements of calls with a body have no trace",
    file: `${gateway}/tracing/request-spans.ts`,
    from: "(request.span === undefined ? done() : request.span.within(done))",
    to: "done()",
    tests: [`${gateway}/tracing/tracing.test.ts`],
  },
  {
    name: "traces quote the messages of errors",
    file: `${gateway}/tracing/open-tracing.ts`,
    from: "systemCode(error) ?? (error instanceof Error ? error.name : typeof error)",
    to: "String(error)",
    tests: [`${gateway}/tracing/tracing.test.ts`],
  },
  {
    name: "a graph of the dashboard is empty, because its metric has another name",
    file: `${gateway}/open-parts.ts`,
    from: "fairway_engine_queue_wait_seconds",
    to: "fairway_engine_wait_seconds",
    tests: [`${gateway}/http/dashboard.test.ts`],
  },
  {
    name: "reset-admin removes the second factors of an account unasked",
    file: `${gateway}/operate/reset-admin.ts`,
    from: "reset.removeSecondFactors && (await",
    to: "(await",
    tests: [`${gateway}/operate/reset-admin.test.ts`],
  },
  {
    name: "a password on the command line of reset-admin is ignored instead of refused",
    file: `${gateway}/operate/command-line.ts`,
    from: 'others.length > 0)\n    throw new WrongUsage("reset-admin',
    to: 'others.length > 9)\n    throw new WrongUsage("reset-admin',
    tests: [`${gateway}/operate/reset-admin.test.ts`],
  },
  {
    name: "a gateway of the first release cannot restart while releases are exchanged",
    file: `${gateway}/database/migrate.ts`,
    from: "if (isOfFirstRelease(name) || requires !== undefined) {",
    to: "if (name !== requires) {",
    tests: [`${gateway}/database/migrate.test.ts`],
  },
  {
    name: "a gateway starts on a database that lacks what it uses",
    file: `${gateway}/database/migration-record.ts`,
    from: "requires !== null && !(requires in known)",
    to: "requires !== null && requires in known",
    tests: [`${gateway}/database/migrate.test.ts`],
  },
  {
    name: "a migration makes sign-ins wait behind a long read",
    file: `${gateway}/database/migrate.ts`,
    from: "await sql.raw(`set local lock_timeout = '${lockTimeout}'`).execute(trx);",
    to: "",
    tests: [`${gateway}/database/migrate.test.ts`],
  },
  {
    name: "a migration may add a column that the last release does not fill",
    file: `${gateway}/database/contracting-statements.ts`,
    from: "contracting.some((pattern) => pattern.test(text)) || addsMandatoryColumn(text)",
    to: "contracting.some((pattern) => pattern.test(text))",
    tests: [`${gateway}/database/contracting-statements.test.ts`],
  },
];
