import type { DeployEnvironment, DriftReport, FlowDeployment } from "@fairway/contract/flow-deployments";
import type { ErrorBody } from "@fairway/contract/errors";
import { beforeEach, expect, it, vi } from "vitest";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { sampleTemplate } from "#nifi/testing/sample-flows.ts";
import { type DeploymentsApp, deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";

let app: DeploymentsApp;
let nifi: FakeNifi;
beforeEach(async () => {
  nifi = await fakeNifi();
  app = await deploymentsApp();
  await app.environment("staging", { baseUrl: nifi.url, displayName: "Staging" });
});

const deployed = async (iteration: number): Promise<FlowDeployment> => {
  const { status, body } = await app.put<FlowDeployment>(`/admin/flowIteration/${iteration}/deploy/staging`);
  expect(status).toBe(200);
  return body;
};
const check = async ({ id }: FlowDeployment, at = app) => {
  const { status, body } = await at.put<DriftReport & ErrorBody>(`/admin/flowDeployment/${id}/drift`);
  return status === 200 ? body : [status, body.errors[0]?.code, body.errors[0]?.message];
};
const listed = async () => (await app.get<FlowDeployment[]>("/admin/flow/1/deployments")).body;
const group = () => nifi.findGroup("weather / storm-ingest")?.id ?? "";
const processors = (contents: Record<string, unknown>) => contents["processors"] as Record<string, unknown>[];
const untilLooked = (earlierMs?: number) => app.untilLooked("staging", earlierMs);

it("finds nothing right after a deployment, whatever NiFi has added to the flow", async () => {
  const deployment = await deployed(12);
  await untilLooked();
  const report = await check(deployment);
  expect(report).toEqual({ checkedMs: expect.any(Number), isSame: true, changes: [], total: 0 });
  expect(await listed()).toMatchObject([{ drift: { isSame: true, changes: 0 } }]);
});

it("lists what somebody changed in NiFi, without layout and versions, and remembers that it differs", async () => {
  const deployment = await deployed(12);
  await untilLooked();
  nifi.edit(group(), (contents) => {
    const [first, second] = processors(contents);
    if (!first || !second) throw new Error("the sample has two processors");
    first["schedulingPeriod"] = "99 sec";
    first["position"] = { x: 7, y: 7 };
    second["name"] = "Renamed";
    (second["bundle"] as Record<string, unknown>)["version"] = "9.9.9";
  });
  const report = await check(deployment);
  expect(report).toMatchObject({ isSame: false, total: 2 });
  expect((report as DriftReport).changes.map(({ kind, sentence }) => [kind, sentence])).toEqual([
    ["changed", expect.stringMatching(/7 sec.*99 sec/)],
    ["renamed", expect.stringContaining("Renamed")],
  ]);
  expect(await listed()).toMatchObject([{ drift: { checkedMs: (report as DriftReport).checkedMs, isSame: false, changes: 2 } }]);
});

it("compares with the iteration if NiFi's definition could not be read after the deployment", async () => {
  nifi.fail({ path: /download$/, times: 1 }, { status: 500 });
  const deployment = await deployed(12);
  await vi.waitFor(() => expect(app.gateway.logged()).toContain("could not read what a NiFi holds after a deployment"), 15_000);
  const changed = async () => ((await check(deployment)) as DriftReport).changes.map(({ component }) => component.kind);
  const before = await changed();
  expect(before).not.toContain("process-group");
  nifi.edit(group(), (contents) => processors(contents).forEach((one) => (one["schedulingPeriod"] = "99 sec")));
  expect((await changed()).filter((kind) => kind === "processor")).toEqual(["processor", "processor"]);
  expect(before).not.toContain("processor");
});

it("says that a template cannot be compared if NiFi's definition of it could not be read after the deployment", async () => {
  const template = {
    requestId: 3,
    requestName: "Request 3",
    flowId: 3,
    flowName: "storm-ingest",
    group: "weather",
    format: "xml" as const,
    content: sampleTemplate,
  };
  const at = await deploymentsApp({ peer: app, iterations: [{ id: 31, number: 1, ...template }] });
  const first = await at.put<FlowDeployment>("/admin/flowIteration/31/deploy/staging");
  expect(first.status).toBe(200);
  await vi.waitFor(async () => expect(await at.environmentFacts("staging")).toBeDefined(), 15_000);
  expect(await check(first.body, at)).toMatchObject({ isSame: true });
  // As if NiFi had not answered then.
  await at.gateway.database.pool.query("update flow_deployment_targets set definition = null, definition_of = null");
  expect(await check(first.body, at)).toEqual([
    502,
    "upstream-failed",
    "Drift cannot be checked: what NiFi made of the XML template of Iteration 1 could not be read after the deployment, and the template itself cannot be compared with it. Deploy the iteration again to check later changes.",
  ]);
  expect((await at.get<FlowDeployment[]>("/admin/flow/3/deployments")).body).toMatchObject([{ drift: { isSame: true } }]);
});

it("is refused for a deployment that another one replaced, for an unknown one, and while one runs", async () => {
  const [first, second] = [await deployed(11), await deployed(12)];
  expect(await check(first)).toEqual([409, "conflict", "A later deployment of the flow has replaced this one in Staging."]);
  expect(await check({ ...first, id: 999 })).toEqual([404, "not-found", "There is no deployment 999."]);
  await app.environment("staging", { baseUrl: nifi.url, displayName: "Staging", readTimeoutMs: 120_000 });
  nifi.fail({ path: /flow\/about/, times: 1 }, "hang");
  const running = app.put("/admin/flowIteration/11/deploy/staging");
  await vi.waitFor(async () => {
    expect((await app.get("/admin/flowIteration/11/deployments/running")).body).toMatchObject({ state: "running", steps: [{}] });
  }, 15_000);
  expect(await check(second)).toEqual([409, "conflict", "The flow is being deployed to Staging. Wait until that has ended."]);
  nifi.letGo();
  expect((await running).status).toBe(502);
});

it("says that the flow is gone, or why the NiFi cannot be read, and keeps the last check", async () => {
  const deployment = await deployed(11);
  await untilLooked();
  expect(await check(deployment)).toMatchObject({ isSame: true });
  nifi.removeGroup(group());
  expect(await check(deployment)).toEqual([
    502,
    "upstream-failed",
    "The NiFi of Staging no longer has this flow: its process group was deleted there. Deploy it again to bring it back.",
  ]);
  nifi.fail({ path: /./, times: 1 }, "hang");
  await app.environment("staging", { baseUrl: nifi.url, displayName: "Staging", readTimeoutMs: 100 });
  expect(await check(deployment)).toEqual([504, "timed-out", expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer within 0\.1 s\.$/)]);
  await app.environment("staging", { baseUrl: nifi.url, displayName: "Staging" });
  nifi.fail({ path: /./ }, "reset");
  expect(await check(deployment)).toEqual([502, "upstream-failed", expect.stringMatching(/^The connection to 127\.0\.0\.1:\d+ failed/)]);
  expect(await listed()).toMatchObject([{ drift: { isSame: true } }]);
});

it("deployments and checks store what the NiFi has, with the time, and without values of parameters", async () => {
  expect(await app.environmentFacts("staging")).toBe(undefined);
  expect((await app.get<DeployEnvironment[]>("/admin/flowDeployments/environments")).body).toEqual([
    { id: "staging", displayName: "Staging", baseUrl: nifi.url, seen: null },
  ]);
  const deployment = await deployed(11);
  await untilLooked();
  const facts = await app.environmentFacts("staging");
  expect(facts).toMatchObject({
    version: "1.18.0",
    acceptsTemplates: true,
    processorTypes: expect.arrayContaining(["org.apache.nifi.processors.standard.LogAttribute"]),
    parameterContexts: [{ name: "fw-ctx", parameters: expect.any(Array) }],
    seenMs: expect.any(Number),
  });
  nifi.addProcessorType("org.example.New");
  await check(deployment);
  expect((await app.environmentFacts("staging"))?.processorTypes).toContain("org.example.New");
  expect((await app.get<DeployEnvironment[]>("/admin/flowDeployments/environments")).body).toMatchObject([
    { seen: { version: "1.18.0", seenMs: expect.any(Number) } },
  ]);
  // Another address is another NiFi.
  await app.environment("staging", { baseUrl: `${nifi.url}/nifi` });
  expect(await app.environmentFacts("staging")).toBe(undefined);
});
