import type { EntityBody } from "@fairway/contract/administration";
import { expect, onTestFinished, vi } from "vitest";
import { openFlowDeployments } from "#capabilities/flow-deployments/capability.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import { type FakeNifi, startFakeNifi } from "#nifi/testing/fake-nifi.ts";
import { changedSample, sampleDefinition } from "#nifi/testing/sample-flows.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type TestAudit, testAudit } from "./audit-app.ts";
import { type ApiResponse, adasPassword, type IdentityApp, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { secretKey } from "./secret-key.ts";
import { accessTokenOf } from "./signed-in.ts";

type DeploymentParts = Parameters<typeof openFlowDeployments>[0];
type Iteration = NonNullable<Awaited<ReturnType<DeploymentParts["flows"]["findIteration"]>>>;

/** The sample flow with another schedule. */
export const scheduled = (period: string): string =>
  changedSample(({ flowContents }) => {
    for (const processor of flowContents.processors) processor["schedulingPeriod"] = period;
  });

const iterationOf = (id: number, requestId: number, content: string): Iteration => ({
  id,
  number: id - 10 * requestId,
  requestId,
  requestName: `Request ${requestId}`,
  flowId: 1,
  flowName: "storm-ingest",
  group: "weather",
  format: "json",
  content,
});

/** Iterations 11, 12 and 21 of the requests 1 and 2 of flow 1. */
const someIterations = [
  iterationOf(11, 1, sampleDefinition),
  iterationOf(12, 1, scheduled("7 sec")),
  iterationOf(21, 2, scheduled("9 sec")),
];

interface Options {
  readonly timing?: DeploymentParts["timing"];
  /** Opens a second gateway on the database of this one. */
  readonly peer?: DeploymentsApp;
  readonly iterations?: readonly Iteration[];
}

export interface DeploymentsApp {
  readonly gateway: IdentityApp;
  readonly entities: EntityStore;
  readonly audit: TestAudit;
  /** Access token of an administrator. */
  readonly root: string;
  readonly ada: string;
  /** Calls of `recordDeployed`. */
  readonly recorded: unknown[][];
  readonly reported: ReportedChanges;
  readonly environmentFacts: Awaited<ReturnType<typeof openFlowDeployments>>["environmentFacts"];
  /**
   * The state that the NiFi showed right after a deployment is stored shortly after the deployment is answered. Returns its time; with
   * the time of an earlier one, waits for another.
   */
  readonly untilLooked: (environment: string, earlierMs?: number) => Promise<number>;
  readonly close: () => Promise<void>;
  readonly get: <Body>(path: string) => Promise<ApiResponse<Body>>;
  readonly put: <Body>(path: string, body?: unknown) => Promise<ApiResponse<Body>>;
  /** Creates or replaces a flow environment. */
  readonly environment: (name: string, fields: Partial<EntityBody<"flowEnvironments">>) => Promise<void>;
}

/** A gateway with deployments of a flow and an audit log. `root` is an administrator who may know all iterations. */
export async function deploymentsApp({ timing, peer, iterations = someIterations }: Options = {}): Promise<DeploymentsApp> {
  const recorded: unknown[][] = [];
  const reported = new ReportedChanges();
  let opened: Pick<DeploymentsApp, "entities" | "audit" | "environmentFacts" | "close"> | undefined;
  const gateway = await identityApp({
    ...(peer ? { peer: peer.gateway } : { accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] } }),
    capabilities: async ({ database, db, log }) => {
      const entities = entityStore(db, log, secretKey);
      const audit = await testAudit(database);
      const definitions = new FlowDefinitions();
      onTestFinished(() => definitions.close());
      const deployments = await openFlowDeployments({
        db,
        live: reported,
        log,
        entities,
        addresses: new AddressPolicy(["127.0.0.1"]),
        flows: {
          findIteration: async (_user, id) => iterations.find((one) => one.id === id),
          locateIteration: async (_user, id) => iterations.find((one) => one.id === id),
          hasFlow: async (_user, id) => iterations.some(({ flowId }) => flowId === id),
          // Ada is a member of the group, and Grace is not.
          locateFlows: async ({ username }, ids) =>
            username === "grace" || !ids.includes(1) ? [] : [{ id: 1, name: "storm-ingest", group: "weather" }],
          recordDeployed: async (...call) => void recorded.push(call),
        },
        definitions,
        timing: { closeMs: 50, retryMs: [50, 50], ...timing },
      });
      opened = { entities, audit, environmentFacts: deployments.environmentFacts, close: async () => deployments.close?.() };
      return [audit.capability, deployments];
    },
  });
  if (!opened) throw new Error("the capabilities have not opened");
  const root = await accessTokenOf(gateway, "root", rootsAccount.password);
  const { entities, environmentFacts } = opened;
  const untilLooked = (environment: string, earlierMs = 0) =>
    vi.waitFor(async () => {
      const { seenMs } = (await environmentFacts(environment)) ?? { seenMs: 0 };
      expect(seenMs).toBeGreaterThan(earlierMs);
      return seenMs;
    }, 15_000);
  return {
    ...opened,
    untilLooked,
    gateway,
    recorded,
    reported,
    root,
    ada: await accessTokenOf(gateway, "ada", adasPassword),
    get: (path) => gateway.call("GET", path, { token: root }),
    put: (path, body) => gateway.call("PUT", path, { token: root, ...(body === undefined ? {} : { body }) }),
    environment: async (name, fields) => {
      const body = { name, displayName: name, baseUrl: "http://127.0.0.1:9", connectTimeoutMs: 2_000, readTimeoutMs: 5_000, ...fields };
      if (await entities.createIfAbsent(storedTypes.flowEnvironments, body)) return;
      await entities.replace(storedTypes.flowEnvironments, name, body);
    },
  };
}

/** A NiFi for one test. */
export async function fakeNifi(options: Partial<Parameters<typeof startFakeNifi>[0]> = {}): Promise<FakeNifi> {
  const nifi = await startFakeNifi({ version: "1.18.0", ...options });
  onTestFinished(() => nifi.close());
  return nifi;
}
