import type { DeployEnvironment } from "@fairway/contract/flow-deployments";
import type { ErrorBody } from "@fairway/contract/errors";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { testCertificate } from "#testing/certificates.ts";
import { deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";
import { opened, openStaging, deploy, deployed, failure, list, running, iteration } from "#testing/staged-deployments.ts";

beforeEach(openStaging);

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
      deployedBaseUrl: opened.staging.url,
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
    expect(periods(opened.staging)).toEqual(["7 sec", "7 sec"]);
    expect(await list(12)).toEqual([deployment]);
    expect(await list(11)).toEqual([]);
    expect((await opened.app.get("/admin/flow/1/deployments")).body).toEqual([deployment]);
    expect(opened.app.recorded).toEqual([[12, "root", "Staging"]]);
    const reported = opened.app.reported.all;
    expect(reported.at(-1)).toEqual({ topic: "deployments", audience: { roles: ["admin", "flow-developer-weather"] } });
    // Steps that follow each other faster than they are saved are reported together.
    expect(reported.length).toBeGreaterThan(1);
    for (const step of reported.slice(0, -1)) expect(step).toEqual({ topic: "deployments", id: "12", audience: { roles: ["admin"] } });
  });

  it("[FLOW-72] signs in with a password over HTTPS, trusting the certificates of the environment", async () => {
    const ca = testCertificate("NiFi CA");
    const server = testCertificate("nifi", ca);
    const secured = await fakeNifi({ https: { key: server.key(), cert: server.pem }, users: { nina: "s3cret wörd" } });
    await opened.app.environment("secured", { baseUrl: `${secured.url}/nifi`, ca: ca.pem.replaceAll("\n", "") });
    const answer = await deploy(11, "secured", {
      passwordCredentials: { username: "nina", password: "s3cret wörd" },
      tokenCredentials: null,
    });
    expect([answer.status, answer.body]).toMatchObject([200, { iterationId: 11 }]);
    expect(secured.groups()).toMatchObject([{ name: "weather / storm-ingest" }]);

    const token = { tokenCredentials: { authToken: secured.token("nina") } };
    expect((await deploy(12, "secured", token)).status).toBe(200);
    expect(periods(secured)).toEqual(["7 sec", "7 sec"]);

    await opened.app.environment("secured", { baseUrl: secured.url });
    expect(await failure(12, "secured", token)).toEqual([
      502,
      "upstream-failed",
      expect.stringMatching(/^The portal does not trust the certificate of 127\.0\.0\.1:\d+ \(\w+\)\. Nothing was changed in NiFi\.$/),
    ]);
  });

  it("sends nothing to an address that the caller has not seen, and answers the present one", async () => {
    const [seen, present] = [opened.staging.url, await fakeNifi()];
    const { id } = await deployed(11);
    // The facts are read after a deployment.
    await vi.waitFor(async () => expect(await opened.app.environmentFacts("staging")).toBeDefined(), 15_000);
    await opened.app.environment("staging", { baseUrl: present.url, displayName: "Staging" });
    const calls = opened.staging.requests.length;
    const body = { expectedBaseUrl: seen, tokenCredentials: { authToken: "t0ken" } };
    for (const path of ["/admin/flowIteration/12/deploy/staging", `/admin/flowDeployment/${id}/drift`]) {
      const answer = await opened.app.put(path, body);
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
    const ofCallers = [...opened.staging.requests.slice(calls), ...present.requests].filter(({ path }) => path !== "/flow/about");
    expect(ofCallers).toEqual([]);
    expect(await running(12)).toBe(null);
    expect((await deploy(12, "staging", { expectedBaseUrl: present.url })).status).toBe(200);
  });

  it("replaces what was deployed before, whose deployment is no longer the current one", async () => {
    const first = await deployed(11);
    const second = await deployed(12);
    expect(opened.staging.groups()).toHaveLength(1);
    expect(await list(11)).toEqual([{ ...first, isCurrent: false }]);
    expect(await list(12)).toEqual([second]);
  });

  it.each([
    [
      "yaml",
      "processors:\n  - name: a\n",
      "Iteration 1 is YAML, which NiFi does not read. Add an iteration with a flow definition in JSON.",
    ],
    ["unknown", "hello", "Iteration 1 is neither a flow definition in JSON nor a template in XML, and NiFi reads nothing else."],
  ] as const)("[FLOW-72] refuses %s before anybody signs in, and stores nothing", async (format, content, sentence) => {
    opened.app = await deploymentsApp({ iterations: [{ ...iteration, format, content }], peer: opened.app });
    const signIn = { passwordCredentials: { username: "nina", password: "s3cret" } };
    expect(await failure(31, "staging", signIn)).toEqual([409, "conflict", `${sentence} Nothing was sent to Staging.`]);
    expect(await list(31)).toEqual([]);
    expect(await running(31)).toBe(null);
    expect(opened.staging.requests).toEqual([]);
  });

  it("refuses JSON that is no flow definition before anybody signs in", async () => {
    opened.app = await deploymentsApp({ iterations: [{ ...iteration, content: '{"flowContents":{}}' }], peer: opened.app });
    expect(await failure(31, "staging", { tokenCredentials: { authToken: "t0ken" } })).toEqual([
      409,
      "conflict",
      "This JSON is not a flow definition of NiFi: flowContents.name is missing or wrong. Nothing was changed in NiFi.",
    ]);
    expect(opened.staging.requests).toEqual([]);
  });

  it("calls no address that the operator has not allowed", async () => {
    await opened.app.environment("metadata", { baseUrl: "http://169.254.169.254" });
    expect(await failure(11, "metadata")).toEqual([
      502,
      "upstream-failed",
      "The portal does not call the address of 169.254.169.254. An operator can allow it. Nothing was changed in NiFi.",
    ]);
  });
});

describe("a deployment that fails", () => {
  it("is put back, says so, and is not stored", async () => {
    await deployed(11);
    opened.staging.fail({ method: "POST", path: /replace-requests/, times: 1 }, { status: 500, text: "An unexpected error has occurred." });
    expect(await failure(12)).toEqual([502, "upstream-failed", expect.stringMatching(/status 500.*The previous version is back in place/)]);
    expect(await list(12)).toEqual([]);
    expect(await list(11)).toMatchObject([{ isCurrent: true, laterFailure: null }]);
    expect(opened.app.recorded).toHaveLength(1);
  });

  it("refuses unknown iterations, environments and disabled ones", async () => {
    expect(await failure(99)).toEqual([404, "not-found", "There is no iteration 99."]);
    expect(await failure(11, "nowhere")).toEqual([404, "not-found", "There is no flow environment 'nowhere', or it is disabled."]);
    await opened.app.entities.setEnabled(storedTypes.flowEnvironments, "staging", false);
    expect(await failure(11)).toEqual([404, "not-found", "There is no flow environment 'staging', or it is disabled."]);
    expect((await opened.app.get<DeployEnvironment[]>("/admin/flowDeployments/environments")).body).toEqual([]);
    for (const path of [
      "/admin/flowIteration/99/deployments",
      "/admin/flowIteration/99/deployments/running",
      "/admin/flow/2/deployments",
    ]) {
      expect([path, (await opened.app.get(path)).status]).toEqual([path, 404]);
    }
    expect(opened.staging.requests).toEqual([]);
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
    expect(opened.staging.requests).toEqual([]);
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
      const { status, body } = await opened.app.gateway.call(method, path, { token: opened.app.ada });
      expect([path, status, body.errors[0]?.code]).toEqual([path, 403, "forbidden"]);
    }
    expect(opened.staging.requests).toEqual([]);
  });
});
