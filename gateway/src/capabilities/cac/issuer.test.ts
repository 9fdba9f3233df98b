import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { cacApp } from "#testing/cac-app.ts";
import { portalOrigin, testIssuer } from "#testing/card-issuer.ts";
import { adasPassword } from "#testing/identity-app.ts";

const linkUri = { redirectUri: `${portalOrigin}/manage-cac` };

describe("an issuer", () => {
  /** Answers every call so. */
  const hostile = async (answer: (path: string, response: ServerResponse) => void) => {
    const server = createServer((request, response) => answer(request.url ?? "", response));
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
  /** Without an ID token. */
  const plain = (url: string) => ({ issuer: undefined, tokenUrl: `${url}/token`, userInfoUrl: `${url}/me`, timeoutMs: 500 });
  const turnIn = async (url: string, settings: Parameters<typeof cacApp>[1] = {}) => {
    const app = await cacApp(
      { url, clientSecret: "client-secret-that-nobody-may-see" },
      { ...settings, settings: { ...plain(url), ...settings.settings } },
    );
    const answer = await app.cardLogin({ code: "code-that-nobody-may-see" });
    return { app, answer };
  };

  it("without ID tokens tells the holder by the field that the operator names", async () => {
    const url = await hostile((path, response) => (path === "/token" ? json(response, tokens) : json(response, { uid: 4711 })));
    const app = await cacApp({ url, clientSecret: "s" }, { settings: { ...plain(url), subjectClaim: "uid" } });
    const token = await app.logIn();
    expect((await app.call("POST", "/geoAxis/linkCac", { token, body: { code: "one", password: adasPassword } })).status).toBe(200);
    expect((await app.cardLogin({ code: "two" })).status).toBe(200);
  });

  it.each<[string, (path: string, response: ServerResponse) => void]>([
    ["breaks", (_path, response) => json(response, { error: "server_error" }, 500)],
    ["refuses the portal itself", (_path, response) => json(response, { error: "invalid_client" }, 401)],
    ["never answers", () => undefined],
    ["drips its answer", (_path, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{")],
    [
      "answers without end",
      (_path, response) => void response.writeHead(200, { "content-type": "application/json" }).end("x".repeat(2_000_000)),
    ],
    ["answers a page", (_path, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>")],
    ["answers no JSON", (_path, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{oops")],
    ["redirects", (_path, response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end()],
    [
      "compresses unasked",
      (_path, response) => void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x"),
    ],
    ["answers a status that there is not", (_path, response) => void response.writeHead(799).end()],
    ["tells of nobody", (path, response) => json(response, path === "/token" ? tokens : {})],
    ["tells of an object", (path, response) => json(response, path === "/token" ? tokens : { sub: { id: "ada" } })],
    ["tells of many", (path, response) => json(response, path === "/token" ? tokens : [{ sub: "ada" }])],
    [
      "sends an ID token that cannot be checked",
      (path, response) => json(response, path === "/token" ? { ...tokens, id_token: "a.b.c" } : { sub: "ada" }),
    ],
  ])("that %s fails the sign-in with 502, and nothing secret is logged", async (_how, answer) => {
    const { app, answer: failed } = await turnIn(await hostile(answer));
    expect(failed).toMatchObject({ status: 502, body: { errors: [{ code: "upstream-failed" }] } });
    expect(app.logged()).toMatch(/the card issuer could not be used/);
    expect(app.logged()).not.toMatch(/nobody-may-see/);
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  });

  it("that is away fails the sign-in, and is asked again at the next", async () => {
    expect((await turnIn("http://127.0.0.1:9")).answer.status).toBe(502);
    const asked: string[] = [];
    const url = await hostile((path, response) => {
      asked.push(path);
      json(response, {}, 503);
    });
    const app = await cacApp({ url, clientSecret: "s" });
    for (const code of ["one", "two"]) expect((await app.cardLogin({ code })).status).toBe(502);
    expect(asked).toEqual(["/.well-known/openid-configuration", "/.well-known/openid-configuration"]);
  });

  it("on an address that the portal may not call is not called", async () => {
    const calls: string[] = [];
    const url = await hostile((path, response) => {
      calls.push(path);
      json(response, tokens);
    });
    const { answer } = await turnIn(url, { allowed: [] });
    expect([answer.status, calls]).toEqual([502, []]);
  });

  it("whose discovery sends secrets to an address without https gets none", async () => {
    const url: string = await hostile((_path, response) =>
      json(response, { issuer: url, token_endpoint: "http://example.org/token", userinfo_endpoint: "http://example.org/me" }),
    );
    const app = await cacApp({ url, clientSecret: "s" });
    expect((await app.cardLogin({ code: "one" })).status).toBe(502);
    expect(app.logged()).toMatch(/names no address with https/);
  });

  it("whose user information is of somebody else than its ID token is not believed", async () => {
    const issuer = await testIssuer();
    const liar = await hostile((_path, response) => json(response, { sub: "ada" }));
    const app = await cacApp(issuer, { settings: { tokenUrl: `${issuer.url}/token`, userInfoUrl: `${liar}/me` } });
    const token = await app.logIn();
    expect((await app.link(token, await issuer.codeFor("ada", linkUri))).status).toBe(200);
    expect((await app.cardLogin(await issuer.codeFor("mallory"))).status).toBe(502);
  });
});
