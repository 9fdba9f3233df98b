import type { ApiKey } from "@fairway/contract/api-keys";
import type { TokenWrapper } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { describe, expect, it, vi } from "vitest";
import { testProvider } from "#testing/identity-provider.ts";
import { type OidcApp, oidcApp } from "#testing/oidc-app.ts";

const marie = { preferred_username: "marie", given_name: "Marie", family_name: "Curie", email: "marie@example.org", roles: ["editor"] };
const details = { takeRoles: true };

const withMarie = async ({ options, ...rest }: { options?: Parameters<typeof testProvider>[0] } & Parameters<typeof oidcApp>[1] = {}) => {
  const provider = await testProvider(options);
  provider.people.set("sub-1", marie);
  return { provider, app: await oidcApp(provider, { details, ...rest }) };
};

const renew = (app: OidcApp, { refresh_token: refreshToken }: TokenWrapper) =>
  app.call<TokenWrapper & Partial<ErrorBody>>("POST", "/auth/refresh", { body: { refreshToken } });

const renewed = async (app: OidcApp, token: TokenWrapper): Promise<TokenWrapper> => {
  const { status, body } = await renew(app, token);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
};

const ended = (message: string) => ({ status: 401, body: { errors: [{ code: "provider-ended", message }] } });
const endedByProvider = ended("Harbour ID has ended your session. Please sign in again.");

describe("a renewal", () => {
  it("asks the provider each time, with its newest refresh token, and takes over roles and name", async () => {
    const { provider, app } = await withMarie();
    let token = await app.signInAs("sub-1");
    const roles: string[][] = [];
    for (const role of ["editor", "reader", "unheard-of"]) {
      provider.people.set("sub-1", { ...marie, given_name: role, roles: [role] });
      token = await renewed(app, token);
      roles.push(await app.rolesOf(token.access_token));
    }
    expect(roles).toEqual([["editor"], ["reader"], []]);
    expect((await app.call("GET", "/profile", { token: token.access_token })).body).toMatchObject({ firstName: "unheard-of" });
    expect(provider.calls.filter((path) => path === "/token")).toHaveLength(4);
  });

  it("of a local session asks nobody", async () => {
    const { provider, app } = await withMarie();
    const { body } = await app.call<{ token: TokenWrapper }>("POST", "/auth/login", {
      body: { username: "grace", password: "nanoseconds" },
    });
    await renewed(app, body.token);
    expect(provider.calls).toEqual([]);
  });

  it("by two tabs and two gateways at once spends the provider's refresh token once", async () => {
    const { provider, app } = await withMarie();
    const second = await oidcApp(provider, { details, peer: app });
    const token = await app.signInAs("sub-1");
    const answers = await Promise.all([renew(app, token), renew(second, token), renew(app, token), renew(second, token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const last = answers[3]?.body ?? token;
    await renewed(app, last);
    expect(await app.statusOf(last.access_token)).toBe(200);
  });

  it("stores the provider's tokens encrypted", async () => {
    const { app } = await withMarie();
    await renewed(app, await app.signInAs("sub-1"));
    const { rows } = await app.database.pool.query<{ tokens: string; session_id: string }>(
      "select tokens, session_id from provider_sessions",
    );
    expect(rows[0]?.tokens).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
    expect(JSON.parse(app.masterKey.decrypt(rows[0]?.tokens ?? "", `provider_sessions ${rows[0]?.session_id}`).toString())).toEqual({
      refreshToken: expect.any(String) as unknown,
      idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
    });
  });
});

describe("someone whom the organization removes", () => {
  it("loses all sessions at the next renewal of one", async () => {
    const { provider, app } = await withMarie();
    const [laptop, phone] = [await app.signInAs("sub-1"), await app.signInAs("sub-1")];
    provider.people.delete("sub-1");
    expect(await app.statusOf(phone.access_token)).toBe(200);
    expect(await renew(app, laptop)).toMatchObject(endedByProvider);
    for (const { access_token } of [laptop, phone]) expect(await app.statusOf(access_token)).toBe(401);
    expect(await renew(app, phone)).toMatchObject(endedByProvider);
    expect((await renew(app, laptop)).body.errors?.[0]?.code).toBe("invalid-refresh-token");
    expect((await app.database.pool.query("select from sessions")).rowCount).toBe(0);
  });

  it("loses nothing but one session if it merely ended at the provider", async () => {
    const { provider, app } = await withMarie();
    const [laptop, phone] = [await app.signInAs("sub-1"), await app.signInAs("sub-1")];
    let refusals = 1;
    provider.intercept = (_request, response, path) =>
      path === "/token" &&
      refusals-- > 0 &&
      Boolean(response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}'));
    expect(await renew(app, laptop)).toMatchObject(endedByProvider);
    // Its calls wait for a renewal, which the provider confirms.
    expect(await app.statusOf(phone.access_token)).toBe(401);
    const { access_token } = await renewed(app, phone);
    expect(await app.statusOf(access_token)).toBe(200);
  });

  it("from the required groups is refused like someone who is gone", async () => {
    const { provider, app } = await withMarie({ details: { requiredRoles: ["editor"] } });
    const token = await app.signInAs("sub-1");
    provider.people.set("sub-1", { ...marie, roles: [] });
    expect(await renew(app, token)).toMatchObject(endedByProvider);
  });

  it("cannot go on as someone else whom the provider names", async () => {
    const { provider, app } = await withMarie();
    const token = await app.signInAs("sub-1");
    await app.database.pool.query("update provider_links set person_hash = 'other'");
    expect(await renew(app, token)).toMatchObject(endedByProvider);
    expect(provider.calls).not.toHaveLength(0);
  });
});

it.each([401, 403])("a renewal whose person the provider refuses with %d although it issues tokens ends the session", async (status) => {
  const { provider, app } = await withMarie();
  const token = await app.signInAs("sub-1");
  provider.intercept = (_request, response, path) =>
    path === "/me" && Boolean(response.writeHead(status, { "content-type": "application/json" }).end("{}"));
  expect(await renew(app, token)).toMatchObject(endedByProvider);
});

it("a provider that no longer knows the portal's secret ends no session at once", async () => {
  const { provider, app } = await withMarie();
  const token = await app.signInAs("sub-1");
  const headers = { "content-type": "application/json", "www-authenticate": "Basic" };
  provider.intercept = (_request, response, path) =>
    path === "/token" && Boolean(response.writeHead(401, headers).end('{"error":"invalid_client"}'));
  const bridged = await renewed(app, token);
  expect(await app.statusOf(bridged.access_token)).toBe(200);
  expect(app.logged()).toContain("it responded with 401 invalid_client");
});

describe("while the provider cannot be reached", () => {
  it.each([
    ["it closes connections", (response: { destroy(): unknown }) => response.destroy()],
    [
      "it answers HTML",
      (_response: unknown, send: (status: number, type: string, body: string) => unknown) => send(200, "text/html", "<h1>Sign in</h1>"),
    ],
    [
      "it fails",
      (_response: unknown, send: (status: number, type: string, body: string) => unknown) => send(503, "application/json", "{}"),
    ],
    [
      "it answers hugely",
      (_response: unknown, send: (status: number, type: string, body: string) => unknown) =>
        send(200, "application/json", `{"x":"${"x".repeat(1_000_000)}"}`),
    ],
  ])("because %s, sessions go on for the time of grace, then end with a message", async (_how, fail) => {
    const { provider, app } = await withMarie();
    const token = await app.signInAs("sub-1");
    provider.intercept = (_request, response, path) => {
      if (path !== "/token") return false;
      fail(response, (status, type, body) => response.writeHead(status, { "content-type": type }).end(body));
      return true;
    };
    const bridged = await renewed(app, token);
    expect(await app.statusOf(bridged.access_token)).toBe(200);
    const asked = provider.calls.length;
    // Not every page load waits for the time-out.
    const again = await renewed(app, bridged);
    expect(provider.calls).toHaveLength(asked);
    await app.database.pool.query("update provider_sessions set unreachable_since = now() - interval '15 minutes'");
    expect(await renew(app, again)).toMatchObject(
      ended("Harbour ID could not be reached for 15 minutes, so your session has ended. Please sign in again once it is back."),
    );
    expect(await app.statusOf(again.access_token)).toBe(401);
  });

  it("the grace starts anew once it was reached", async () => {
    const { provider, app } = await withMarie();
    const token = await app.signInAs("sub-1");
    let isDown = true;
    provider.intercept = (_request, response, path) => isDown && path === "/token" && Boolean(response.destroy());
    const bridged = await renewed(app, token);
    await app.database.pool.query("update provider_sessions set unreachable_since = now() - interval '14 minutes'");
    isDown = false;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    const confirmed = await renewed(app, bridged).finally(() => vi.useRealTimers());
    expect((await app.database.pool.query("select unreachable_since from provider_sessions")).rows).toEqual([{ unreachable_since: null }]);
    await renewed(app, confirmed);
  });
});

it("an API key of someone without a password stops when the provider has not confirmed the person for long, until the next sign-in", async () => {
  const { app } = await withMarie();
  const { access_token: token } = await app.signInAs("sub-1");
  const body = { name: "Nightly", datasets: [{ datasetCategory: "nature", datasetId: "storms" }] };
  const { key } = (await app.call<ApiKey>("POST", "/apiKeys", { token, body })).body;
  const owner = async () => (await app.apiKeyReader.readApiKey(key))?.username;
  expect(await owner()).toBe("marie");
  await app.database.pool.query("update provider_links set confirmed_at = now() - interval '31 days'");
  await app.identity.everyoneChanged();
  expect(await owner()).toBeUndefined();
  await app.signInAs("sub-1");
  await app.identity.everyoneChanged();
  expect(await owner()).toBe("marie");
});

it("a session without a refresh token of the provider ends after its time", async () => {
  const { app } = await withMarie({ options: { issuesRefreshTokens: false } });
  const token = await renewed(app, await app.signInAs("sub-1"));
  await app.database.pool.query("update sessions set signed_in_at = now() - interval '61 minutes'");
  expect(await renew(app, token)).toMatchObject(ended("Your session has ended. Please sign in with Harbour ID again."));
});

it("a session of a provider that is no longer configured ends at its renewal", async () => {
  const { app } = await withMarie();
  const token = await app.signInAs("sub-1");
  const without = await oidcApp(undefined, { peer: app });
  expect(await renew(without, token)).toMatchObject(ended("The sign-in service that started this session is no longer used here."));
  expect((await without.call("POST", "/oidc/requests", { body: {} })).status).toBe(404);
});
