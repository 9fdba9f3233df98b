import { beforeEach, expect, it, vi } from "vitest";
import type { ErrorBody } from "@fairway/contract/errors";
import type { FakeFailure, FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { testCertificate } from "#testing/certificates.ts";
import { type DeploymentsApp, deploymentsApp, fakeNifi } from "#testing/flow-deployments-app.ts";

/** In no spelling may this be found outside the NiFi. */
const canary = "c4n4ry/s3cr3t+wörd";
const spellings = [
  canary,
  encodeURIComponent(canary),
  JSON.stringify(canary).slice(1, -1),
  Buffer.from(canary).toString("base64"),
  "c4n4ry",
];
const username = "n1n4-th3-d3pl0y3r";

let app: DeploymentsApp;
let nifi: FakeNifi;
const ca = testCertificate("NiFi CA");
const server = testCertificate("nifi", ca);
beforeEach(async () => {
  nifi = await fakeNifi({ https: { key: server.key(), cert: server.pem }, users: { [username]: canary } });
  app = await deploymentsApp();
  await app.environment("staging", { baseUrl: nifi.url, ca: ca.pem, readTimeoutMs: 400 });
});

const password = { passwordCredentials: { username, password: canary } };
/** As a NiFi gives it; not the canary itself, so that it can be distinguished. */
const token = () => ({ tokenCredentials: { authToken: `${canary.replace("ö", "o")}.${nifi.token(username)}` } });
const deployPath = "/admin/flowIteration/11/deploy/staging";

/** Everything that the database, the log, the audit log and the metrics hold, by where it is. */
async function kept(): Promise<Record<string, string>> {
  await app.audit.audit.recorder.flush();
  const { pool } = app.gateway.database;
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ text: string }>(`select one::text as text from "${name}" as one`);
    tables[name] = found.map(({ text }) => text).join("\n");
  }
  return { ...tables, log: app.gateway.logged(), "audit log": app.audit.logged() };
}

async function expectNoSecret(...answers: unknown[]): Promise<void> {
  for (const [place, text] of Object.entries({ ...(await kept()), answers: JSON.stringify(answers) })) {
    for (const spelling of [...spellings, username]) expect([place, text.includes(spelling)]).toEqual([place, false]);
  }
}

it("a successful deployment and drift check leave no credentials behind", async () => {
  const deployed = await app.put<{ id: number }>(deployPath, password);
  expect(deployed.status).toBe(200);
  await vi.waitFor(async () => expect(await app.environmentFacts("staging")).toMatchObject({ version: "1.18.0" }), 15_000);
  const drift = await app.put(`/admin/flowDeployment/${deployed.body.id}/drift`, password);
  expect(drift.status).toBe(200);
  const answers = await Promise.all(
    ["/admin/flowIteration/11/deployments", "/admin/flowIteration/11/deployments/running", "/auditing/events"].map((path) => app.get(path)),
  );
  expect(nifi.requests.some(({ authorization }) => authorization?.startsWith("Bearer fake."))).toBe(true);
  await expectNoSecret(deployed.body, drift.body, ...answers.map(({ body }) => body));
});

it.each<[string, { method?: string; path: RegExp }, FakeFailure]>([
  ["repeats them when they are wrong", { path: /access\/token/ }, { status: 400, text: `The password ${canary} of ${username} is wrong.` }],
  ["repeats them when it fails", { path: /flow\/about/ }, { status: 500, text: `token ${canary} for ${username}` }],
  ["repeats them encoded", { path: /flow\/about/ }, { status: 409, text: `username=x&password=${encodeURIComponent(canary)}` }],
  ["repeats them where it creates the group", { method: "POST", path: /process-groups/ }, { status: 409, text: `It was ${canary} again` }],
  ["never answers", { path: /access\/token/ }, "hang"],
  ["closes the connection", { path: /access\/token/ }, "reset"],
  ["closes it later", { method: "POST", path: /process-groups/ }, "reset"],
  ["answers something else", { path: /flow\/about/ }, "garbage"],
  ["grants a token that is none", { path: /access\/token/ }, { status: 201, text: `${canary}\r\nx: ${canary}` }],
])("a NiFi that %s makes a deployment fail without exposing credentials", async (_, match, failure) => {
  nifi.fail(match, failure);
  const answer = await app.put<ErrorBody>(deployPath, password);
  expect([answer.status, answer.body.errors[0]?.code]).toEqual(failure === "hang" ? [504, "timed-out"] : [502, "upstream-failed"]);
  const { body } = await app.get("/admin/flowIteration/11/deployments/running");
  await expectNoSecret(answer.body, body);
});

it("wrong credentials, and an address that is not NiFi or takes none, do not expose them", async () => {
  const wrong = { passwordCredentials: { username, password: `${canary}!` } };
  const answers = [await app.put(deployPath, wrong), await app.put(deployPath, token())];
  await app.environment("staging", { baseUrl: nifi.url.replace("https:", "http:"), ca: ca.pem });
  answers.push(await app.put(deployPath, password));
  await app.environment("staging", { baseUrl: nifi.url });
  answers.push(await app.put(deployPath, password), await app.put("/admin/flowDeployment/1/drift", password));
  await app.environment("staging", { baseUrl: "http://10.255.255.1", connectTimeoutMs: 50 });
  answers.push(await app.put(deployPath, password));
  // Nothing answers at the last address, or something on the way refuses it.
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502, 404, expect.toBeOneOf([502, 504])]);
  await expectNoSecret(answers.map(({ body }) => body));
});

it("a secret anywhere in a body that is refused is not repeated", async () => {
  const headers = { authorization: `Bearer ${app.root}`, "content-type": "application/json" };
  for (const body of [
    { passwordCredentials: canary },
    { passwordCredentials: { username: [username], password: { canary } } },
    { passwordCredentials: { password: canary } },
    { passwordCredentials: { username, password: canary }, tokenCredentials: { authToken: canary } },
    { tokenCredentials: { authToken: canary.repeat(10_000) } },
    { ifRunning: canary },
    `{"passwordCredentials": {"username": "${username}", "password": "${canary}" "`,
  ]) {
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    for (const url of [deployPath, "/admin/flowDeployment/1/drift"]) {
      const answer = await app.gateway.app.inject({ method: "PUT", url, headers, payload });
      expect([payload.slice(0, 100), answer.statusCode]).toEqual([payload.slice(0, 100), 400]);
      await expectNoSecret(answer.json());
    }
  }
  expect(nifi.requests).toEqual([]);
});

it("a secret in the place of a field's name is only repeated to the caller", async () => {
  const answers = [
    await app.put(deployPath, { [canary]: username }),
    await app.put(deployPath, { passwordCredentials: { [canary]: username } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  await expectNoSecret();
});
