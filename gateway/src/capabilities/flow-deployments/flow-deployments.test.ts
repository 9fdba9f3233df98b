import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { DeployEnvironment, FlowDeployment, RunningDeployment } from "@fairway/contract/flow-deployments";
import type { ErrorBody } from "@fairway/contract/errors";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { sampleTemplate } from "#nifi/testing/sample-flows.ts";
import { testCertificate } from "#testing/certificates.ts";
import { type DeploymentsApp, deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";

let app: DeploymentsApp;
let staging: FakeNifi;
beforeEach(async () => {
  staging = await fakeNifi();
  app = await deploymentsApp();
  await app.environment("staging", { baseUrl: staging.url, displayName: "Staging" });
});

const deploy = <Body = FlowDeployment>(iteration: number, environment = "staging", body?: object) =>
  app.put<Body>(`/admin/flowIteration/${iteration}/deploy/${environment}`, body);
const deployed = async (iteration: number, environment?: string): Promise<FlowDeployment> => {
  const { status, body } = await deploy(iteration, environment);
  expect(status).toBe(200);
  return body;
};
const failure = async (iteration: number, environment?: string, body?: object) => {
  const answer = await deploy<ErrorBody>(iteration, environment, body);
  return [answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.message];
};
const list = async (iteration: number) => (await app.get<FlowDeployment[]>(`/admin/flowIteration/${iteration}/deployments`)).body;
const running = async (iteration: number, at = app) =>
  (await at.get<RunningDeployment | null>(`/admin/flowIteration/${iteration}/deployments/running`)).body;
const periods = (nifi: FakeNifi) => {
  const contents = nifi.findGroup("weather / storm-ingest")?.definition["flowContents"] as
    | { processors: { schedulingPeriod: string }[] }
    | undefined;
  return contents?.processors.map(({ schedulingPeriod }) => schedulingPeriod);
};

describe("a deployment", () => {
  it("[FLOW-72][FLOW-73] puts the iteration into the NiFi of the environment, answers the deployment and is listed", async () => {
    const before = Date.now();
    const deployment = await deployed(12);
    expect(deployment).toEqual({
      id: deployment.id,
      deployedTimeMs: expect.any(Number),
      deployedByUsername: "root",
      deployedEnvironmentName: "Staging",
      deployedBaseUrl: staging.url,
      environmentId: "staging",
      flowId: 1,
      requestId: 1,
      requestName: "Request 1",
      iterationId: 12,
      iterationNumber: 2,
      kind: "deploy",
      isCurrent: true,
      laterFailure: null,
      warnings: [],
      drift: null,
    });
    expect(deployment.deployedTimeMs).toBeGreaterThanOrEqual(before - 1_000);
    expect(periods(staging)).toEqual(["7 sec", "7 sec"]);
    expect(await list(12)).toEqual([deployment]);
    expect(await list(11)).toEqual([]);
    expect((await app.get("/admin/flow/1/deployments")).body).toEqual([deployment]);
    expect(app.recorded).toEqual([[12, "root", "Staging"]]);
    const reported = app.reported.all;
    expect(reported.at(-1)).toEqual({ topic: "deployments", audience: { roles: ["admin", "flow-developer-weather"] } });
    expect(reported.length).toBeGreaterThan(2);
    for (const step of reported.slice(0, -1)) expect(step).toEqual({ topic: "deployments", id: "12", audience: { roles: ["admin"] } });
  });

  it("[FLOW-72] signs in with a password over HTTPS, trusting the certificates of the environment", async () => {
    const ca = testCertificate("NiFi CA");
    const server = testCertificate("nifi", ca);
    const secured = await fakeNifi({ https: { key: server.key(), cert: server.pem }, users: { nina: "s3cret wörd" } });
    await app.environment("secured", { baseUrl: `${secured.url}/nifi`, ca: ca.pem.replaceAll("\n", "") });
    const answer = await deploy(11, "secured", {
      passwordCredentials: { username: "nina", password: "s3cret wörd" },
      tokenCredentials: null,
    });
    expect([answer.status, answer.body]).toMatchObject([200, { iterationId: 11 }]);
    expect(secured.groups()).toMatchObject([{ name: "weather / storm-ingest" }]);

    const token = { tokenCredentials: { authToken: secured.token("nina") } };
    expect((await deploy(12, "secured", token)).status).toBe(200);
    expect(periods(secured)).toEqual(["7 sec", "7 sec"]);

    await app.environment("secured", { baseUrl: secured.url });
    expect(await failure(12, "secured", token)).toEqual([
      502,
      "upstream-failed",
      expect.stringMatching(/^The portal does not trust the certificate of 127\.0\.0\.1:\d+ \(\w+\)\. Nothing was changed in NiFi\.$/),
    ]);
  });

  it("says that NiFi does not accept a wrong password, and leaves everything as it was", async () => {
    const ca = testCertificate("NiFi CA");
    const server = testCertificate("nifi", ca);
    const secured = await fakeNifi({ https: { key: server.key(), cert: server.pem }, users: { nina: "right" } });
    await app.environment("secured", { baseUrl: secured.url, ca: ca.pem });
    const signIn = (password: string) => ({ passwordCredentials: { username: "nina", password } });
    const { body: before } = await deploy(11, "secured", signIn("right"));
    const groups = secured.groups();
    const refusal = "NiFi does not accept the username and password.";
    expect(await failure(12, "secured", signIn("wrong"))).toEqual([502, "upstream-failed", `${refusal} Nothing was changed in NiFi.`]);
    const drift = await app.put<ErrorBody>(`/admin/flowDeployment/${before.id}/drift`, signIn("wrong"));
    expect([drift.status, drift.body.errors[0]?.message]).toEqual([502, refusal]);
    expect(secured.groups()).toEqual(groups);
    expect(await list(11)).toMatchObject([{ isCurrent: true, laterFailure: null, drift: null }]);
  });

  it("is started after a first deployment only if that is wanted, and later runs if the version before ran", async () => {
    const production = await fakeNifi();
    await app.environment("production", { baseUrl: production.url });
    const isRunning = (nifi: FakeNifi) => nifi.groups().map(({ running: one }) => one);
    await deployed(11);
    expect(isRunning(staging)).toEqual([false]);
    expect((await deploy(12, "staging", { startNew: true })).status).toBe(200);
    expect(isRunning(staging)).toEqual([false]);
    expect((await deploy(11, "production", { startNew: true })).status).toBe(200);
    expect(isRunning(production)).toEqual([true]);
    await deployed(12, "production");
    expect(isRunning(production)).toEqual([true]);
  });

  it("sends nothing to an address that the caller has not seen, and answers the present one", async () => {
    const [seen, present] = [staging.url, await fakeNifi()];
    const { id } = await deployed(11);
    // The facts are read after a deployment.
    await vi.waitFor(async () => expect(await app.environmentFacts("staging")).toBeDefined(), 15_000);
    await app.environment("staging", { baseUrl: present.url, displayName: "Staging" });
    const calls = staging.requests.length;
    const body = { expectedBaseUrl: seen, tokenCredentials: { authToken: "t0ken" } };
    for (const path of ["/admin/flowIteration/12/deploy/staging", `/admin/flowDeployment/${id}/drift`]) {
      const answer = await app.put(path, body);
      expect([path, answer]).toMatchObject([
        path,
        {
          status: 409,
          body: {
            errors: [
              {
                code: "conflict",
                path: "expectedBaseUrl",
                message: `The address of Staging is now ${present.url}. Nothing was sent there. Try again if that address is right.`,
              },
            ],
            current: { baseUrl: present.url },
          },
        },
      ]);
    }
    // The version of an environment is read now and then, without anyone's token.
    const ofCallers = [...staging.requests.slice(calls), ...present.requests].filter(({ path }) => path !== "/flow/about");
    expect(ofCallers).toEqual([]);
    expect(await running(12)).toBe(null);
    expect((await deploy(12, "staging", { expectedBaseUrl: present.url })).status).toBe(200);
  });

  it("replaces what was deployed before, whose deployment is no longer the current one", async () => {
    const first = await deployed(11);
    const second = await deployed(12);
    expect(staging.groups()).toHaveLength(1);
    expect(await list(11)).toEqual([{ ...first, isCurrent: false }]);
    expect(await list(12)).toEqual([second]);
  });

  it("is a roll back to an earlier iteration that ran there, and a promotion of one that runs elsewhere", async () => {
    const production = await fakeNifi();
    await app.environment("production", { baseUrl: production.url });
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
    app = await deploymentsApp({ iterations, peer: app });
    await app.environment("modern", { baseUrl: modern.url });
    expect((await deployed(31)).warnings).toEqual([]);
    expect(staging.groups()).toHaveLength(1);
    const refused = "NiFi 2.0.0 has no templates. Export the flow as a flow definition in JSON.";
    expect(await failure(31, "modern")).toEqual([409, "conflict", `${refused} Nothing was changed in NiFi.`]);
    expect(modern.groups()).toEqual([]);
    // The environment is known by then, so that nobody signs in for nothing.
    await vi.waitFor(async () => expect(await app.environmentFacts("modern")).toMatchObject({ acceptsTemplates: false }), 15_000);
    const calls = modern.requests.length;
    expect(await failure(31, "modern", { tokenCredentials: { authToken: "t0ken" } })).toEqual([
      409,
      "conflict",
      `${refused} Nothing was sent to modern.`,
    ]);
    expect(modern.requests).toHaveLength(calls);
  });

  it.each([
    [
      "yaml",
      "processors:\n  - name: a\n",
      "Iteration 1 is YAML, which NiFi does not read. Add an iteration with a flow definition in JSON.",
    ],
    ["unknown", "hello", "Iteration 1 is neither a flow definition in JSON nor a template in XML, and NiFi reads nothing else."],
  ] as const)("[FLOW-72] refuses %s before anybody signs in, and stores nothing", async (format, content, sentence) => {
    app = await deploymentsApp({ iterations: [{ ...iteration, format, content }], peer: app });
    const signIn = { passwordCredentials: { username: "nina", password: "s3cret" } };
    expect(await failure(31, "staging", signIn)).toEqual([409, "conflict", `${sentence} Nothing was sent to Staging.`]);
    expect(await list(31)).toEqual([]);
    expect(await running(31)).toBe(null);
    expect(staging.requests).toEqual([]);
  });

  it("refuses JSON that is no flow definition before anybody signs in", async () => {
    app = await deploymentsApp({ iterations: [{ ...iteration, content: '{"flowContents":{}}' }], peer: app });
    expect(await failure(31, "staging", { tokenCredentials: { authToken: "t0ken" } })).toEqual([
      409,
      "conflict",
      "This JSON is not a flow definition of NiFi: flowContents.name is missing or wrong. Nothing was changed in NiFi.",
    ]);
    expect(staging.requests).toEqual([]);
  });

  it("honors both timeouts of the environment, and answers that they passed", async () => {
    staging.fail({ path: /./ }, "hang");
    await app.environment("staging", { baseUrl: staging.url, readTimeoutMs: 100 });
    expect(await failure(11)).toEqual([504, "timed-out", expect.stringContaining("did not answer within 0.1 s. Nothing was changed")]);
    // Takes the connection, and never begins TLS.
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await app.environment("staging", { baseUrl: `https://127.0.0.1:${port}`, connectTimeoutMs: 100, readTimeoutMs: 60_000 });
    expect(await failure(11)).toEqual([
      504,
      "timed-out",
      `127.0.0.1:${port} accepted no connection within 0.1 s. Nothing was changed in NiFi.`,
    ]);
  });

  it("calls no address that the operator has not allowed", async () => {
    await app.environment("metadata", { baseUrl: "http://169.254.169.254" });
    expect(await failure(11, "metadata")).toEqual([
      502,
      "upstream-failed",
      "The portal does not call the address of 169.254.169.254. An operator can allow it. Nothing was changed in NiFi.",
    ]);
  });
});

const iteration = {
  id: 31,
  number: 1,
  requestId: 3,
  requestName: "Request 3",
  flowId: 3,
  flowName: "storm-ingest",
  group: "weather",
  format: "json" as const,
  content: "",
};

describe("a deployment that fails", () => {
  it("is put back, says so, and is not stored", async () => {
    await deployed(11);
    staging.fail({ method: "POST", path: /replace-requests/, times: 1 }, { status: 500, text: "An unexpected error has occurred." });
    expect(await failure(12)).toEqual([502, "upstream-failed", expect.stringMatching(/status 500.*The previous version is back in place/)]);
    expect(await list(12)).toEqual([]);
    expect(await list(11)).toMatchObject([{ isCurrent: true, laterFailure: null }]);
    expect(app.recorded).toHaveLength(1);
  });

  it("removes what a first deployment had created, and calls it that", async () => {
    staging.invalidate("Gen", "'Custom Text' is invalid because of a test");
    expect(await failure(11, "staging", { startNew: true })).toEqual([
      502,
      "upstream-failed",
      expect.stringMatching(/^Gen cannot be started.* The new process group is removed again\.$/),
    ]);
    expect((await running(11))?.steps.slice(-2)).toMatchObject([
      { name: "Start the processors", state: "failed" },
      { name: "Remove what was created", state: "done", text: "The new process group is removed again." },
    ]);
    expect(staging.groups()).toEqual([]);
  });

  it("marks the deployment before if it could not be put back, until one succeeds", async () => {
    await deployed(11);
    staging.fail({ method: "POST", path: /replace-requests/ }, { status: 500 });
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

    staging.recover();
    await deployed(12);
    expect(await list(12)).toMatchObject([{ isCurrent: true, laterFailure: null }]);
    expect(staging.groups()).toHaveLength(1);
  });

  it("refuses unknown iterations, environments and disabled ones", async () => {
    expect(await failure(99)).toEqual([404, "not-found", "There is no iteration 99."]);
    expect(await failure(11, "nowhere")).toEqual([404, "not-found", "There is no flow environment 'nowhere', or it is disabled."]);
    await app.entities.setEnabled(storedTypes.flowEnvironments, "staging", false);
    expect(await failure(11)).toEqual([404, "not-found", "There is no flow environment 'staging', or it is disabled."]);
    expect((await app.get<DeployEnvironment[]>("/admin/flowDeployments/environments")).body).toEqual([]);
    for (const path of [
      "/admin/flowIteration/99/deployments",
      "/admin/flowIteration/99/deployments/running",
      "/admin/flow/2/deployments",
    ]) {
      expect([path, (await app.get(path)).status]).toEqual([path, 404]);
    }
    expect(staging.requests).toEqual([]);
  });

  it.each([
    [{ passwordCredentials: { username: "", password: "x" } }, "passwordCredentials.username"],
    [{ passwordCredentials: { username: "nina", password: "" } }, "passwordCredentials.password"],
    [{ passwordCredentials: { username: "nina" } }, "passwordCredentials.password"],
    [{ tokenCredentials: { authToken: " " } }, "tokenCredentials.authToken"],
    [{ passwordCredentials: { username: "nina", password: "x" }, tokenCredentials: { authToken: "t" } }, "tokenCredentials"],
    [{ ifRunning: "hope" }, "ifRunning"],
    [{ username: "nina" }, "username"],
  ])("[FLOW-72] refuses %j naming the field, before anything is called", async (body, path) => {
    const answer = await deploy<ErrorBody>(11, "staging", body);
    expect([answer.status, answer.body.errors.map((error) => error.path)]).toEqual([400, [path]]);
    expect(staging.requests).toEqual([]);
  });

  it("[FLOW-74] refuses deploy and deployments to a user without the role admin", async () => {
    for (const [method, path] of [
      ["PUT", "/admin/flowIteration/11/deploy/staging"],
      ["GET", "/admin/flowIteration/11/deployments"],
      ["GET", "/admin/flowIteration/11/deployments/running"],
      ["GET", "/admin/flow/1/deployments"],
      ["GET", "/admin/flowDeployments/environments"],
      ["PUT", "/admin/flowDeployment/1/drift"],
    ] as const) {
      const { status, body } = await app.gateway.call(method, path, { token: app.ada });
      expect([path, status, body.errors[0]?.code]).toEqual([path, 403, "forbidden"]);
    }
    expect(staging.requests).toEqual([]);
  });
});

describe("while a deployment runs", () => {
  it("shows its steps on every gateway, and refuses another one of the flow to the environment", async () => {
    await app.environment("staging", { baseUrl: staging.url, displayName: "Staging", readTimeoutMs: 700 });
    const peer = await deploymentsApp({ peer: app });
    expect(await running(11, peer)).toBe(null);
    staging.fail({ path: /./, times: 1 }, "hang");
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
    staging.recover();
    expect((await peer.put("/admin/flowIteration/12/deploy/staging")).status).toBe(200);
    expect((await running(12))?.state).toBe("done");
  });
});
