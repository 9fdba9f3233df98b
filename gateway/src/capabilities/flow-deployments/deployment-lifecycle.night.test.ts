import { randomUUID } from "node:crypto";
import type { ErrorBody } from "@fairway/contract/errors";
import type { DriftReport, FlowDeployment } from "@fairway/contract/flow-deployments";
import { expect, it, onTestFinished, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import { rootGroups } from "#nifi/process-groups.ts";
import { readDeployed } from "#nifi/read-nifi.ts";
import { readRunState } from "#nifi/running.ts";
import { deleteContexts, deleteGroups } from "#nifi/testing/clean-up.ts";
import { sampleWithContext, testClient } from "#nifi/testing/sample-flows.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { fakeNifi } from "#testing/flow-deployments-app.ts";
import { type FlowClient, flowsApp, newFlow, newRequest } from "#testing/flows-app.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { openFlowDeployments } from "./capability.ts";

/** A real NiFi of version 1.18.0 over HTTP; `npm run test:nifi` starts one. */
const realUrl = process.env["NIFI_URL"];

if (realUrl === undefined) {
  noteNotRun("deployment, drift, roll back and promotion with a real NiFi", "run `npm run test:nifi`, see docs/decisions/archive/0442");
}

/** Flows and their deployments, with the environments Staging and Production. */
async function openPortal(addresses: Readonly<Record<"staging" | "production", string>>) {
  const definitions = new FlowDefinitions();
  onTestFinished(() => definitions.close());
  const app = await flowsApp({
    more: async ({ db, log, flows, entities }) => [
      await openFlowDeployments({
        db,
        live: new ReportedChanges(),
        log,
        flows,
        entities,
        definitions,
        addresses: new AddressPolicy(["127.0.0.1"]),
      }),
    ],
  });
  const timeouts = { connectTimeoutMs: 5_000, readTimeoutMs: 20_000 };
  await app.entities.create(storedTypes.flowEnvironments, {
    name: "staging",
    displayName: "Staging",
    baseUrl: addresses.staging,
    ...timeouts,
  });
  await app.entities.create(storedTypes.flowEnvironments, {
    name: "production",
    displayName: "Production",
    baseUrl: addresses.production,
    ...timeouts,
  });
  return app;
}

/** The id of the last iteration of a request that Ada submits and an administrator accepts. */
async function accepted(ada: FlowClient, root: FlowClient, flow: string, content: string): Promise<number> {
  const request = await newRequest(ada, content, flow);
  expect((await ada.change(request.path, "submit")).status).toBe(200);
  expect((await root.decide(request.id, "accept")).status).toBe(200);
  const { body } = await ada.get<{ id: number }[]>(`${request.path}/iterations`);
  return body.at(-1)?.id ?? 0;
}

/** A change made in NiFi itself, below `/nifi-api`. */
async function byHand<Answer>(url: string, method: "GET" | "PUT", path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${url}/nifi-api${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Answer;
}

interface Revised {
  readonly id: string;
  readonly revision: object;
  readonly component: { readonly name: string };
}

const kinds = [["fake", undefined] as const, ...(realUrl === undefined ? [] : [["real", realUrl] as const])];

it.each(kinds)("an accepted flow is deployed, drifts, is rolled back and promoted in a %s NiFi", { timeout: 120_000 }, async (_, real) => {
  const url = real ?? (await fakeNifi()).url;
  const nifi = testClient(url);
  const run = randomUUID().slice(0, 8);
  // Others may use the same NiFi at the same time: everything has a name of this run.
  const [flowName, context] = [`Storm tracks ${run}`, `fairway-lifecycle-${run}`];
  const groupName = `storm-desk / ${flowName}`;
  onTestFinished(async () => {
    await deleteGroups(nifi, groupName);
    await deleteContexts(url, context);
  });
  // One NiFi in the place of two: its address is written in another way.
  const addresses = { staging: url, production: `${url}/nifi` };
  const { ada, root, gateway } = await openPortal(addresses);
  const flow = await newFlow(ada, flowName);
  const scheduled = (period: string) =>
    sampleWithContext(context, ({ flowContents }) => {
      for (const processor of flowContents.processors) processor["schedulingPeriod"] = period;
    });
  const first = await accepted(ada, root, flow, scheduled("5 sec"));

  const deploy = (iteration: number, environment: string, body?: object) =>
    root.call<FlowDeployment>("PUT", `/admin/flowIteration/${iteration}/deploy/${environment}`, body);
  const deployed = async (...order: Parameters<typeof deploy>): Promise<FlowDeployment> => {
    const { status, body } = await deploy(...order);
    expect([status, body.errors]).toEqual([200, undefined]);
    // The definition that later checks compare with is read after the answer.
    const isRead = "select 1 from flow_deployment_targets where definition_of = $1";
    await vi.waitFor(async () => expect((await gateway.database.pool.query(isRead, [body.id])).rowCount).toBe(1), 20_000);
    return body;
  };
  const drift = async ({ id }: FlowDeployment): Promise<string[]> => {
    const { status, body } = await root.call<DriftReport>("PUT", `/admin/flowDeployment/${id}/drift`);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect([body.isSame, body.total]).toEqual([body.changes.length === 0, body.changes.length]);
    return body.changes.map(({ sentence }) => sentence);
  };
  const history = async () =>
    (await root.get<FlowDeployment[]>(`/admin/flow/${flow.split("/").at(-1)}/deployments`)).body.map((one) => [
      one.deployedEnvironmentName,
      one.iterationId,
      one.kind,
      one.isCurrent,
    ]);
  const ownGroups = async () =>
    (await rootGroups(nifi)).flatMap(({ id, component }) => (component?.name.startsWith(groupName) === true ? [{ id, component }] : []));
  const periods = async (group: string): Promise<unknown[]> => {
    const { flowContents } = JSON.parse(await readDeployed(nifi, group)) as { flowContents: { processors: Record<string, unknown>[] } };
    return flowContents.processors.map((one) => one["schedulingPeriod"]);
  };
  const running = async (group: string) =>
    (await readRunState(nifi, group)).components.filter(({ state }) => state === "Running").map(({ name }) => name);

  // Deployed and started, it runs as it was accepted.
  const original = await deployed(first, "staging", { startNew: true });
  expect(original).toMatchObject({ kind: "deploy", isCurrent: true, warnings: [] });
  const [group = { id: "" }, ...others] = await ownGroups();
  expect(others).toEqual([]);
  expect(await periods(group.id)).toEqual(["5 sec", "5 sec"]);
  expect((await running(group.id)).toSorted()).toEqual(["Gen", "Log"]);
  expect(await drift(original)).toEqual([]);

  // Somebody changes the schedule of one processor in NiFi.
  const { processors } = await byHand<{ processors: Revised[] }>(url, "GET", `/process-groups/${group.id}/processors`);
  const generator = processors.find(({ component }) => component.name === "Gen");
  const at = `/processors/${generator?.id}`;
  const schedule = async (state: "STOPPED" | "RUNNING") => {
    const { revision } = await byHand<Revised>(url, "GET", at);
    await byHand(url, "PUT", `${at}/run-status`, { revision, state });
  };
  await schedule("STOPPED");
  const idle = async () => (await readRunState(nifi, group.id)).components.find(({ name }) => name === "Gen")?.threads;
  await expect.poll(idle, { timeout: 20_000 }).toBe(0);
  const { revision } = await byHand<Revised>(url, "GET", at);
  await byHand(url, "PUT", at, { revision, component: { id: generator?.id, config: { schedulingPeriod: "42 sec" } } });
  await schedule("RUNNING");
  expect(await drift(original)).toEqual([expect.stringMatching(/Gen.*5 sec.*42 sec/)]);

  // A second change of the flow replaces the change that was made in NiFi; then the first comes back.
  const second = await accepted(ada, root, flow, scheduled("7 sec"));
  const replacement = await deployed(second, "staging");
  expect(replacement.kind).toBe("deploy");
  expect(await periods(group.id)).toEqual(["7 sec", "7 sec"]);
  expect(await drift(replacement)).toEqual([]);
  const rolledBack = await deployed(first, "staging", { ifRunning: "stop" });
  expect(rolledBack.kind).toBe("rollback");
  expect(await ownGroups()).toEqual([expect.objectContaining({ id: group.id })]);
  expect(await periods(group.id)).toEqual(["5 sec", "5 sec"]);
  expect((await running(group.id)).toSorted()).toEqual(["Gen", "Log"]);
  expect(await drift(rolledBack)).toEqual([]);
  expect(await history()).toEqual([
    ["Staging", first, "rollback", true],
    ["Staging", second, "deploy", false],
    ["Staging", first, "deploy", false],
  ]);

  // Production is the same NiFi: the group of Staging is not taken over. Renamed in NiFi, it makes room.
  const refused = await deploy(first, "production");
  expect([refused.status, (refused.body as ErrorBody).errors[0]?.message]).toEqual([
    502,
    `This NiFi already has a process group “${groupName}” that the portal did not deploy. Rename or delete it in NiFi first. Nothing was changed in NiFi.`,
  ]);
  const path = `/process-groups/${group.id}`;
  const entity = await byHand<Revised>(url, "GET", path);
  await byHand(url, "PUT", path, { revision: entity.revision, component: { id: group.id, name: `${groupName} in Staging` } });
  const promoted = await deployed(first, "production");
  expect(promoted).toMatchObject({ kind: "promotion", deployedBaseUrl: addresses.production, isCurrent: true });
  const other = (await ownGroups()).find(({ id }) => id !== group.id)?.id ?? "";
  expect(await periods(other)).toEqual(["5 sec", "5 sec"]);
  // A first deployment is left stopped unless it is to be started.
  expect(await running(other)).toEqual([]);
  expect((await running(group.id)).toSorted()).toEqual(["Gen", "Log"]);
  expect(await drift(promoted)).toEqual([]);
  expect(await drift(rolledBack)).toEqual([expect.stringContaining("in Staging")]);
  expect((await history()).at(0)).toEqual(["Production", first, "promotion", true]);
});
