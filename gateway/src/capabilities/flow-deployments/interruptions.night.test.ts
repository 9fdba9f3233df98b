import { request } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuditPage } from "@fairway/contract/audit";
import type { ErrorBody } from "@fairway/contract/errors";
import type { FlowDeployment, RunningDeployment } from "@fairway/contract/flow-deployments";
import { beforeEach, expect, it, vi } from "vitest";
import { readableEnvironmentFactsMigration } from "#database/migrations/0042-readable-environment-facts.ts";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { type DeploymentsApp, deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";

const interrupted =
  "The portal stopped while it deployed. What NiFi now contains is unknown: check it there, and deploy again to replace it.";

let app: DeploymentsApp;
let nifi: FakeNifi;
beforeEach(async () => {
  nifi = await fakeNifi();
  app = await deploymentsApp();
  await app.environment("staging", { baseUrl: nifi.url, readTimeoutMs: 60_000 });
});

const deployPath = "/admin/flowIteration/11/deploy/staging";
const list = async (at = app) => (await at.get<FlowDeployment[]>("/admin/flowIteration/11/deployments")).body;
const running = async (at = app) => (await at.get<RunningDeployment | null>("/admin/flowIteration/11/deployments/running")).body;

/** Begins a deployment that the NiFi never answers. */
async function beginForever(): Promise<void> {
  nifi.fail({ path: /./ }, "hang");
  void app.put(deployPath).catch(() => undefined);
  await vi.waitFor(async () => expect((await running())?.steps).toHaveLength(1), 15_000);
}

it("a deployment whose caller leaves ends properly, and is in the audit log", async () => {
  await app.gateway.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.gateway.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${app.root}` };
  const call = request({ port, host: "127.0.0.1", method: "PUT", path: deployPath, headers });
  call.on("error", () => undefined);
  call.end();
  await vi.waitFor(async () => expect(await running()).not.toBe(null), 15_000);
  call.destroy();
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), 10_000);
  expect(nifi.groups()).toHaveLength(1);
  expect(await running()).toMatchObject({ state: "done" });
  await vi.waitFor(async () => {
    await app.audit.audit.recorder.flush();
    const { body } = await app.get<AuditPage>("/auditing/events?path=deploy/staging");
    expect(body.content).toMatchObject([{ username: "root", method: "PUT", path: deployPath }]);
  });
});

it("a NiFi that is killed while it is rolled back leaves that uncertain, until a later attempt succeeds", async () => {
  expect((await app.put(deployPath)).status).toBe(200);
  nifi.start(nifi.groups()[0]?.id ?? "");
  const later = await app.put<FlowDeployment>("/admin/flowIteration/12/deploy/staging");
  nifi.fail({ method: "POST", path: /replace-requests/ }, "killed");
  const answer = await app.put<ErrorBody>(deployPath);
  const text = answer.body.errors[0]?.message;
  expect([answer.status, text]).toEqual([
    502,
    expect.stringMatching(/ The previous version could not be restored, because NiFi no longer answers; check it in NiFi\.$/),
  ]);
  expect(await running()).toMatchObject({ state: "failed" });
  const history = async () =>
    (await app.get<FlowDeployment[]>("/admin/flow/1/deployments")).body.map(({ iterationId, kind, laterFailure }) => [
      iterationId,
      kind,
      laterFailure?.text,
    ]);
  expect(await history()).toEqual([
    [12, "deploy", text],
    [11, "deploy", undefined],
  ]);
  expect((await app.put(`/admin/flowDeployment/${later.body.id}/drift`)).status).toBe(502);

  nifi.recover();
  expect((await app.put(deployPath)).status).toBe(200);
  expect((await history()).at(0)).toEqual([11, "rollback", undefined]);
  expect(nifi.groups()).toHaveLength(1);
  expect(JSON.stringify(nifi.groups()[0]?.definition)).not.toContain("7 sec");
});

it("a closing gateway waits for a running deployment", async () => {
  const peer = await deploymentsApp({ peer: app, timing: { closeMs: 20_000 } });
  nifi.fail({ path: /flow\/about/, times: 1 }, "reset");
  const answer = peer.put(deployPath);
  await vi.waitFor(async () => expect(await running()).not.toBe(null), 15_000);
  await peer.close();
  expect((await running())?.state).not.toBe("running");
  expect((await answer).status).toBe(502);
});

it("a gateway that cannot wait longer says what it leaves, and another one deploys", async () => {
  await beginForever();
  await app.close();
  const peer = await deploymentsApp({ peer: app });
  expect(await running(peer)).toMatchObject({
    state: "failed",
    steps: [{ name: "Sign in to NiFi", state: "failed", text: interrupted, durationMs: expect.any(Number) }],
  });
  const refused = await app.gateway.call("PUT", deployPath, { token: app.root });
  expect([refused.status, refused.body.errors[0]?.code]).toEqual([503, "not-ready"]);
  nifi.recover();
  expect((await peer.put(deployPath)).status).toBe(200);
  expect(await list(peer)).toMatchObject([{ isCurrent: true, laterFailure: null }]);
});

it("the run of a gateway that was killed ends when it is stale, also after a deployment that succeeded before", async () => {
  expect((await app.put(deployPath)).status).toBe(200);
  await beginForever();
  // As if nothing renewed it.
  const silence = () => app.gateway.database.pool.query("update flow_deployment_runs set alive_at = now() - interval '31 seconds'");
  expect((await app.put(deployPath)).status).toBe(409);
  await silence();
  const peer = await deploymentsApp({ peer: app });
  expect(await running(peer)).toMatchObject({ state: "failed", steps: [{ text: interrupted }] });
  expect(await list(peer)).toMatchObject([{ isCurrent: true, laterFailure: { failedMs: expect.any(Number), text: interrupted } }]);
  nifi.recover();
  expect((await peer.put(deployPath)).status).toBe(200);
});

it("a version with a NUL is kept without it, and the environments are still listed", async () => {
  nifi.fail({ path: /flow\/about/ }, { status: 200, text: JSON.stringify({ about: { version: "1.18.0\u0000" } }) });
  expect((await app.put(deployPath)).status).toBe(200);
  await vi.waitFor(async () => expect(await app.environmentFacts("staging")).toMatchObject({ version: "1.18.0" }), 15_000);
  expect((await app.get("/admin/flowDeployments/environments")).status).toBe(200);
});

it("facts that were stored with what PostgreSQL cannot read are readable after an upgrade", async () => {
  const { pool, db } = app.gateway.database;
  // Half a surrogate pair is no text either. The last one is a backslash before four digits.
  const facts = String.raw`{"version":"1.18.0\u0000\ud800","processorTypes":["a\\u0000"]}`;
  const environment = { id: "staging", seen: { version: "1.18.0  " } };
  await pool.query("insert into flow_environment_facts values ('staging', $1, now(), $2)", [nifi.url, facts]);
  expect((await app.get("/admin/flowDeployments/environments")).status).toBe(500);
  await readableEnvironmentFactsMigration.up(db);
  expect(await app.get("/admin/flowDeployments/environments")).toMatchObject({ status: 200, body: [environment] });
  expect(await app.environmentFacts("staging")).toMatchObject({ processorTypes: [String.raw`a\u0000`] });
});

it("a failure that cannot be stored ends the run and remembers the process group", async () => {
  const { pool } = app.gateway.database;
  await pool.query("alter table flow_deployments add constraint never check (process_group_id = '')");
  await pool.query(
    "alter table flow_deployment_runs add constraint short check (jsonb_array_length(steps::jsonb) < 2 or ended_at is null)",
  );
  expect((await app.put(deployPath)).status).toBe(500);
  expect(await running()).toMatchObject({ state: "failed", steps: [{ name: "Deploy", state: "failed" }] });
  const { rows } = await pool.query<{ id: string }>("select process_group_id as id from flow_deployment_targets");
  expect(rows).toEqual([{ id: nifi.groups()[0]?.id }]);
});
