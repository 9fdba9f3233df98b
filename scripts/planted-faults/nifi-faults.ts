import type { Fault } from "./fault.ts";

const nifi = "gateway/src/nifi";
const deployTests = [`${nifi}/deploy-flow.test.ts`];

export const nifiFaults: readonly Fault[] = [
  {
    name: "a deployment takes over a process group that the portal did not deploy",
    file: `${nifi}/deploy-flow.ts`,
    from: "if (others.length === 0) return undefined;",
    to: "if (others.length >= 0) return undefined;",
    tests: deployTests,
  },
  {
    name: "after a failed deployment, components run that were stopped before",
    file: `${nifi}/put-back.ts`,
    from: "running.has(identifiers.get(one.id) ?? one.id) && !isRunning(one)",
    to: "running.size > 0 && !isRunning(one)",
    tests: deployTests,
  },
  {
    name: "draining also stops what works off the queues",
    file: `${nifi}/running.ts`,
    from: "isRunning(one) && sourceIds.has(one.id)",
    to: "isRunning(one) && sourceIds.size > 0",
    tests: deployTests,
  },
  {
    name: "a failed first deployment removes a group with queued data",
    file: `${nifi}/put-back.ts`,
    from: "if (queuedFlowFiles > 0) {",
    to: "if (queuedFlowFiles > 1_000) {",
    tests: deployTests,
  },
  {
    name: "NiFi's reason for not replacing a flow is overlooked",
    file: `${nifi}/process-groups.ts`,
    from: `if (typeof request.failureReason === "string" && request.failureReason !== "") {`,
    to: `if (typeof request.failureReason === "string" && !request.complete) {`,
    tests: deployTests,
  },
  {
    name: "an error repeats the password that NiFi repeated",
    file: `${nifi}/secret-filter.ts`,
    from: "texts.some((one) => one.includes(spelling))",
    to: "texts.some((one) => one === spelling)",
    tests: [`${nifi}/client.test.ts`],
  },
  {
    name: "credentials for NiFi are sent unencrypted to any address",
    file: `${nifi}/client.ts`,
    from: "this.#sendsPlainly ? addresses.listedOnly() : addresses",
    to: "addresses",
    tests: [`${nifi}/client.test.ts`],
  },
  {
    name: "a NiFi that accepts connections but never answers is waited for without limit",
    file: "gateway/src/outbound/bounded-fetch.ts",
    from: `connected: () => start("read", timeouts?.readMs)`,
    to: `connected: () => start("read", undefined)`,
    tests: [`${nifi}/client.test.ts`],
  },
];
