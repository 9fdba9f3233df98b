import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { cacApp } from "#testing/cac-app.ts";
import { portalOrigin, testIssuer } from "#testing/card-issuer.ts";
import { adasPassword } from "#testing/identity-app.ts";

const linkUri = { redirectUri: `${portalOrigin}/manage-cac` };

describe("sign-in with a card", () => {
  /** A server that responds to every request this way. */
  const hostileIssuer = async (respond: (path: string, response: ServerResponse) => void) => {
    const server = createServer((request, response) => respond(request.url ?? "", response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const secret = "token-that-nobody-may-see";
  const tokens = { access_token: secret, token_type: "Bearer", expires_in: 60 };
  /** Settings of an issuer that sends no ID token. */
  const withoutIdToken = (url: string) => ({ issuer: undefined, tokenUrl: `${url}/token`, userInfoUrl: `${url}/me`, timeoutMs: 500 });
  const attemptLogin = async (url: string, settings: Parameters<typeof cacApp>[1] = {}) => {
    const app = await cacApp(
      { url, clientSecret: "client-secret-that-nobody-may-see" },
      { ...settings, settings: { ...withoutIdToken(url), ...settings.settings } },
    );
    const response = await app.cardLogin({ code: "code-that-nobody-may-see" });
    return { app, response };
  };

  it("identifies the holder by the configured claim when the issuer sends no ID token", async () => {
    const url = await hostileIssuer((path, response) => (path === "/token" ? json(response, tokens) : json(response, { uid: 4711 })));
    const app = await cacApp({ url, clientSecret: "s" }, { settings: { ...withoutIdToken(url), subjectClaim: "uid" } });
    const token = await app.logIn();
    expect((await app.call("POST", "/geoAxis/linkCac", { token, body: { code: "one", password: adasPassword } })).status).toBe(200);
    expect((await app.cardLogin({ code: "two" })).status).toBe(200);
  });

  it.each<[string, (path: string, response: ServerResponse) => void]>([
    ["responds with 500", (_path, response) => json(response, { error: "server_error" }, 500)],
    ["refuses the portal's own credentials", (_path, response) => json(response, { error: "invalid_client" }, 401)],
    ["never responds", () => undefined],
    ["never finishes its response", (_path, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{")],
    [
      "sends a response that is too large",
      (path, response) => json(response, { ...(path === "/token" ? tokens : { sub: "1" }), padding: "x".repeat(300_000) }),
    ],
    ["responds with HTML", (_path, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>")],
    ["responds with invalid JSON", (_path, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{oops")],
    ["redirects", (_path, response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
    [
      "compresses without being asked to",
      (_path, response) => void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x"),
    ],
    ["responds with an invalid status", (_path, response) => void response.writeHead(799).end()],
    ["returns no subject", (path, response) => json(response, path === "/token" ? tokens : {})],
    ["returns an object as the subject", (path, response) => json(response, path === "/token" ? tokens : { sub: { id: "ada" } })],
    ["returns a list of users", (path, response) => json(response, path === "/token" ? tokens : [{ sub: "ada" }])],
    [
      "sends an ID token that cannot be verified",
      (path, response) => json(response, path === "/token" ? { ...tokens, id_token: "a.b.c" } : { sub: "ada" }),
    ],
  ])("fails with 502 and logs no secrets when the issuer %s", async (_how, respond) => {
    const { app, response: failed } = await attemptLogin(await hostileIssuer(respond));
    expect(failed).toMatchObject({ status: 502, body: { errors: [{ code: "upstream-failed" }] } });
    expect(app.logged()).toMatch(/the card issuer could not be used/);
    expect(app.logged()).not.toMatch(/nobody-may-see/);
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  });

  it("fails while the issuer is unavailable and retries discovery at the next sign-in", async () => {
    expect((await attemptLogin("http://127.0.0.1:9")).response.status).toBe(502);
    const requested: string[] = [];
    const url = await hostileIssuer((path, response) => {
      requested.push(path);
      json(response, {}, 503);
    });
    const app = await cacApp({ url, clientSecret: "s" });
    for (const code of ["one", "two"]) expect((await app.cardLogin({ code })).status).toBe(502);
    expect(requested).toEqual(["/.well-known/openid-configuration", "/.well-known/openid-configuration"]);
  });

  it("does not call an issuer at an address the portal may not call", async () => {
    const calls: string[] = [];
    const url = await hostileIssuer((path, response) => {
      calls.push(path);
      json(response, tokens);
    });
    const { response } = await attemptLogin(url, { allowed: [] });
    expect([response.status, calls]).toEqual([502, []]);
  });

  it("sends no secrets to an endpoint without https that discovery names", async () => {
    const url: string = await hostileIssuer((_path, response) =>
      json(response, { issuer: url, token_endpoint: "http://example.org/token", userinfo_endpoint: "http://example.org/me" }),
    );
    const app = await cacApp({ url, clientSecret: "s" });
    expect((await app.cardLogin({ code: "one" })).status).toBe(502);
    expect(app.logged()).toMatch(/is not an https address/);
  });

  it("refuses user information about a different subject than the ID token", async () => {
    const issuer = await testIssuer();
    const liar = await hostileIssuer((_path, response) => json(response, { sub: "ada" }));
    const app = await cacApp(issuer, { settings: { tokenUrl: `${issuer.url}/token`, userInfoUrl: `${liar}/me` } });
    const token = await app.logIn();
    expect((await app.link(token, await issuer.codeFor("ada", linkUri))).status).toBe(200);
    expect((await app.cardLogin(await issuer.codeFor("mallory"))).status).toBe(502);
  });
});
