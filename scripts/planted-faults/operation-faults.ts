import type { Fault } from "./fault.ts";

const gateway = "gateway/src";

/** Commands for operators, and what they see of a running portal. */
export const operationFaults: readonly Fault[] = [
  {
    name: "a new master key leaves the codes of authenticator apps encrypted with the old one",
    file: `${gateway}/operate/encrypted-columns.ts`,
    from: "authenticatorColumn, apiKeyValueColumn",
    to: "apiKeyValueColumn",
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
];
