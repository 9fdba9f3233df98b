import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { ErrorBody } from "@fairway/contract/errors";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { sampleTemplate } from "#nifi/testing/sample-flows.ts";
import { testCertificate } from "#testing/certificates.ts";
import { deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";
import { opened, openStaging, deploy, deployed, failure, list, running, iteration } from "#testing/staged-deployments.ts";

beforeEach(openStaging);

describe("a deployment", () => {
  it("says that NiFi does not accept a wrong password, and leaves everything as it was", async () => {
    const ca = testCertificate("NiFi CA");
    const server = testCertificate("nifi", ca);
    const secured = await fakeNifi({ https: { key: server.key(), cert: server.pem }, users: { nina: "right" } });
    await opened.app.environment("secured", { baseUrl: secured.url, ca: ca.pem });
    const signIn = (password: string) => ({ passwordCredentials: { username: "nina", password } });
    const { body: before } = await deploy(11, "secured", signIn("right"));
    const groups = secured.groups();
    const refusal = "NiFi does not accept the username and password.";
    expect(await failure(12, "secured", signIn("wrong"))).toEqual([502, "upstream-failed", `${refusal} Nothing was changed in NiFi.`]);
    const drift = await opened.app.put<ErrorBody>(`/admin/flowDeployment/${before.id}/drift`, signIn("wrong"));
    expect([drift.status, drift.body.errors[0]?.message]).toEqual([502, refusal]);
    expect(secured.groups()).toEqual(groups);
    expect(await list(11)).toMatchObject([{ isCurrent: true, laterFailure: null, drift: null }]);
  });

  it("is started after a first deployment only if that is wanted, and later runs if the version before ran", async () => {
    const production = await fakeNifi();
    await opened.app.environment("production", { baseUrl: production.url });
    const isRunning = (nifi: FakeNifi) => nifi.groups().map(({ running: one }) => one);
    await deployed(11);
    expect(isRunning(opened.staging)).toEqual([false]);
    expect((await deploy(12, "staging", { startNew: true })).status).toBe(200);
    expect(isRunning(opened.staging)).toEqual([false]);
    expect((await deploy(11, "production", { startNew: true })).status).toBe(200);
    expect(isRunning(production)).toEqual([true]);
    await deployed(12, "production");
    expect(isRunning(production)).toEqual([true]);
  });

  it("is a roll back to an earlier iteration that ran there, and a promotion of one that runs elsewhere", async () => {
    const production = await fakeNifi();
    await opened.app.environment("production", { baseUrl: production.url });
    const kinds: [number, string, string][] = [];
    for (const [iteration, environment] of [
      [11, "staging"],
      [12, "staging"],
      [12, "production"],
      [21, "staging"],
      [12, "staging"],
      [12, "staging"],
      [21, "production"],
      [11, "production"],
      [21, "production"],
      [12, "production"],
      [21, "staging"],
      [21, "production"],
    ] as const) {
      kinds.push([iteration, environment, (await deployed(iteration, environment)).kind]);
    }
    expect(kinds).toEqual([
      [11, "staging", "deploy"],
      [12, "staging", "deploy"],
      [12, "production", "promotion"],
      [21, "staging", "deploy"],
      // Also while production runs it.
      [12, "staging", "rollback"],
      [12, "staging", "deploy"],
      [21, "production", "deploy"],
      // It ran in staging only, and no longer does.
      [11, "production", "deploy"],
      [21, "production", "deploy"],
      [12, "production", "rollback"],
      [21, "staging", "deploy"],
      [21, "production", "promotion"],
    ]);
  });

  it("turns an XML template into a flow where the NiFi has templates", async () => {
    const { iterations, modern } = {
      iterations: [{ ...iteration, format: "xml" as const, content: sampleTemplate }],
      modern: await fakeNifi({ version: "2.0.0" }),
    };
    opened.app = await deploymentsApp({ iterations, peer: opened.app });
    await opened.app.environment("modern", { baseUrl: modern.url });
    expect((await deployed(31)).warnings).toEqual([]);
    expect(opened.staging.groups()).toHaveLength(1);
    const refused = "NiFi 2.0.0 has no templates. Export the flow as a flow definition in JSON.";
    expect(await failure(31, "modern")).toEqual([409, "conflict", `${refused} Nothing was changed in NiFi.`]);
    expect(modern.groups()).toEqual([]);
    // The environment is known by then, so that nobody signs in for nothing.
    await vi.waitFor(async () => expect(await opened.app.environmentFacts("modern")).toMatchObject({ acceptsTemplates: false }), 15_000);
    const calls = modern.requests.length;
    expect(await failure(31, "modern", { tokenCredentials: { authToken: "t0ken" } })).toEqual([
      409,
      "conflict",
      `${refused} Nothing was sent to modern.`,
    ]);
    expect(modern.requests).toHaveLength(calls);
  });

  it("honors both timeouts of the environment, and answers that they passed", async () => {
    opened.staging.fail({ path: /./ }, "hang");
    await opened.app.environment("staging", { baseUrl: opened.staging.url, readTimeoutMs: 100 });
    expect(await failure(11)).toEqual([504, "timed-out", expect.stringContaining("did not answer within 0.1 s. Nothing was changed")]);
    // Takes the connection, and never begins TLS.
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await opened.app.environment("staging", { baseUrl: `https://127.0.0.1:${port}`, connectTimeoutMs: 100, readTimeoutMs: 60_000 });
    expect(await failure(11)).toEqual([
      504,
      "timed-out",
      `127.0.0.1:${port} accepted no connection within 0.1 s. Nothing was changed in NiFi.`,
    ]);
  });
});

describe("a deployment that fails", () => {
  it("removes what a first deployment had created, and calls it that", async () => {
    opened.staging.invalidate("Gen", "'Custom Text' is invalid because of a test");
    expect(await failure(11, "staging", { startNew: true })).toEqual([
      502,
      "upstream-failed",
      expect.stringMatching(/^Gen cannot be started.* The new process group is removed again\.$/),
    ]);
    expect((await running(11))?.steps.slice(-2)).toMatchObject([
      { name: "Start the processors", state: "failed" },
      { name: "Remove what was created", state: "done", text: "The new process group is removed again." },
    ]);
    expect(opened.staging.groups()).toEqual([]);
  });

  it("marks the deployment before if it could not be put back, until one succeeds", async () => {
    await deployed(11);
    opened.staging.fail({ method: "POST", path: /replace-requests/ }, { status: 500 });
    const [, , message] = await failure(12);
    expect(message).toMatch(/The previous version could not be restored: NiFi failed with the status 500\./);
    expect(await list(11)).toMatchObject([{ isCurrent: true, laterFailure: { failedMs: expect.any(Number), text: message } }]);
    const steps = (await running(12))?.steps ?? [];
    expect(steps.map(({ name, state }) => [name, state])).toEqual([
      ["Sign in to NiFi", "done"],
      ["Check the environment", "done"],
      ["Stop the running version", "skipped"],
      ["Replace the flow", "failed"],
      ["Restore the previous version", "failed"],
    ]);
    expect(steps.at(3)?.text).toBe(message);

    opened.staging.recover();
    await deployed(12);
    expect(await list(12)).toMatchObject([{ isCurrent: true, laterFailure: null }]);
    expect(opened.staging.groups()).toHaveLength(1);
  });
});

describe("while a deployment runs", () => {
  it("shows its steps on every gateway, and refuses another one of the flow to the environment", async () => {
    await opened.app.environment("staging", { baseUrl: opened.staging.url, displayName: "Staging", readTimeoutMs: 700 });
    const peer = await deploymentsApp({ peer: opened.app });
    expect(await running(11, peer)).toBe(null);
    opened.staging.fail({ path: /./, times: 1 }, "hang");
    const ended = deploy<ErrorBody>(11);
    await vi.waitFor(async () => expect((await running(11, peer))?.steps).toHaveLength(1), 15_000);
    expect(await running(11, peer)).toEqual({
      environmentId: "staging",
      startedMs: expect.any(Number),
      deployedByUsername: "root",
      state: "running",
      steps: [{ name: "Sign in to NiFi", state: "running", text: "", startedMs: expect.any(Number), durationMs: null }],
    });
    const second = await peer.put<ErrorBody>("/admin/flowIteration/12/deploy/staging");
    expect([second.status, second.body.errors[0]]).toEqual([
      409,
      { code: "conflict", message: "root is deploying Iteration 1 of storm-ingest to Staging. Wait until that has ended." },
    ]);
    await peer.environment("elsewhere", { baseUrl: (await fakeNifi()).url });
    expect((await peer.put("/admin/flowIteration/12/deploy/elsewhere")).status).toBe(200);

    const { status, body } = await ended;
    expect(status).toBe(504);
    expect(await running(11, peer)).toMatchObject({
      state: "failed",
      steps: [{ state: "failed", text: body.errors[0]?.message, durationMs: expect.any(Number) }],
    });
    opened.staging.recover();
    expect((await peer.put("/admin/flowIteration/12/deploy/staging")).status).toBe(200);
    expect((await running(12))?.state).toBe("done");
  });
});
