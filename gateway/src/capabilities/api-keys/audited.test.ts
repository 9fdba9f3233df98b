import { type ApiKey, apiKeyAdministration, apiKeys } from "@fairway/contract/api-keys";
import type { LoginAnswer } from "@fairway/contract/auth";
import { type RouteShape, route } from "@fairway/contract/route";
import { expect, it } from "vitest";
import { z } from "zod";
import { implement } from "#http/capability.ts";
import { type TestAudit, testAudit } from "#testing/audit-app.ts";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

const data = {
  read: route({
    method: "GET",
    path: "/probe/data",
    access: "signed-in",
    summary: "Data.",
    response: z.object({ username: z.string() }),
    apiKey: true,
  }),
};

it("audits every change of a key before responding", () => {
  const all: RouteShape[] = [...Object.values(apiKeys), ...Object.values(apiKeyAdministration)];
  const writing = all.filter(({ method }) => method !== "GET");
  expect(writing.map(({ method, path, audit }) => [method, path, audit])).toEqual([
    ["POST", "/apiKeys", "security"],
    ["PUT", "/apiKeys", "security"],
    ["DELETE", "/apiKeys/:name", "security"],
    ["POST", "/apiKeys/:name/rotate", "security"],
    ["DELETE", "/admin/apiKeys/:id", "security"],
  ]);
});

it("audits calls with an API key under the owner and the key's name, including refused ones, and never logs the value", async () => {
  let audit: TestAudit | undefined;
  const gateway = await identityApp({
    accounts: someAccounts,
    capabilities: async ({ database }) => {
      audit = await testAudit(database);
      return [audit.capability, { routes: { data: implement(data, { read: ({ user }) => ({ username: user.username }) }) } }];
    },
  });
  const login = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
  const created = await gateway.call<ApiKey>("POST", "/apiKeys", {
    token: login.body.token.access_token,
    body: { name: "Nightly", datasets: [{ datasetCategory: "nature", datasetId: "storms" }] },
  });
  const token = created.body.key;
  expect((await gateway.call("GET", "/probe/data", { token })).status).toBe(200);
  expect((await gateway.call("GET", "/apiKeys", { token })).status).toBe(403);
  await audit?.audit.recorder.flush();
  const { content } = (await audit?.audit.page({}, 1)) ?? { content: [] };
  expect(
    content.map(({ method, path, responseCode, username, details }) => [method, path, responseCode, username, details.apiKey]),
  ).toEqual([
    ["GET", "/apiKeys", 403, "ada", "Nightly"],
    ["GET", "/probe/data", 200, "ada", "Nightly"],
    ["POST", "/apiKeys", 201, "ada", null],
    ["POST", "/auth/login", 200, "ada", null],
  ]);
  expect(JSON.stringify(content)).not.toContain(token.slice(4));
});
