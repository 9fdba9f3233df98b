import type { EnvironmentOverview, FlowDeployment } from "@fairway/contract/flow-deployments";
import { expect, it } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";
import { accessTokenOf } from "#testing/signed-in.ts";

it("the overview lists for members the flows that run in each environment, without addresses and texts of failures, and administrators of every environment", async () => {
  const nifi = await fakeNifi();
  const app = await deploymentsApp();
  await app.environment("staging", { baseUrl: nifi.url, displayName: "Staging" });
  await app.environment("production", { baseUrl: "http://127.0.0.1:9/secret", displayName: "Production" });
  const overview = async (token = app.root) =>
    (await app.gateway.call<EnvironmentOverview[]>("GET", "/flowDeployments/overview", { token })).body;
  const grace = await accessTokenOf(app.gateway, "grace", "nanoseconds");
  expect(await overview()).toEqual([
    { id: "production", displayName: "Production", seenMs: null, flows: [] },
    { id: "staging", displayName: "Staging", seenMs: null, flows: [] },
  ]);
  expect(await overview(app.ada)).toEqual([]);

  await app.put("/admin/flowIteration/11/deploy/staging");
  const firstLookMs = await app.untilLooked("staging");
  const { body: current } = await app.put<FlowDeployment>("/admin/flowIteration/12/deploy/staging");
  await app.untilLooked("staging", firstLookMs);
  const runs = {
    deploymentId: current.id,
    group: "weather",
    flowId: 1,
    flowName: "storm-ingest",
    requestId: 1,
    requestName: "Request 1",
    iterationId: 12,
    iterationNumber: 2,
    deployedTimeMs: current.deployedTimeMs,
    deployedByUsername: "root",
    drift: null,
    laterFailureMs: null,
  };
  expect(await overview(app.ada)).toEqual([{ id: "staging", displayName: "Staging", seenMs: expect.any(Number), flows: [runs] }]);
  expect((await overview()).map(({ id, flows }) => [id, flows.length])).toEqual([
    ["production", 0],
    ["staging", 1],
  ]);
  expect(await overview(grace)).toEqual([]);

  await app.put(`/admin/flowDeployment/${current.id}/drift`);
  expect((await overview(app.ada)).at(0)?.flows).toMatchObject([{ drift: { isSame: true, changes: 0 } }]);
  nifi.fail({ path: /./ }, "reset");
  await app.put("/admin/flowIteration/11/deploy/staging");
  expect(JSON.stringify(await overview(app.ada))).not.toMatch(/127\.0\.0\.1|http|failed/);
  await app.entities.setEnabled(storedTypes.flowEnvironments, "staging", false);
  expect(await overview(app.ada)).toEqual([]);
});
