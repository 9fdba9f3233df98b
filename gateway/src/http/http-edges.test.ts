import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoGateway } from "#testing/demo-gateway.ts";
import { rawCall, rawRequest } from "#testing/raw-http.ts";

let gateway: Awaited<ReturnType<typeof demoGateway>>;
beforeAll(async () => {
  gateway = await demoGateway();
});
afterAll(() => gateway.close());

const call = (request: string) => rawCall(gateway.port, request);
const get = (target: string, headers?: readonly string[], version?: string) => call(rawRequest("GET", target, headers, version));

describe("an unsupported method", () => {
  it("gets 405 with Allow before any other check, on every route of the API", async () => {
    const { paths } = (await gateway.app.inject({ url: "/api/openapi.json" })).json<{ paths: Record<string, Record<string, object>> }>();
    const patterns = Object.entries(paths).map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      methods: Object.keys(methods).map((method) => method.toUpperCase()),
    }));
    expect(patterns.length).toBeGreaterThan(100);
    const allMethods = METHODS.filter((method) => method !== "CONNECT");
    const common = [
      ["GET", "OPTIONS"],
      ["PUT", "TRACE"],
      ["POST", "HEAD"],
      ["PATCH", "DELETE"],
    ];
    const refused: unknown[] = [];
    for (const [index, path] of Object.keys(paths)
      .map((pattern) => pattern.replaceAll(/\{\w+\}/g, "some%20name"))
      .entries()) {
      const supported = new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods));
      if (supported.has("GET")) supported.add("HEAD");
      const allow = [...supported].toSorted().join(", ");
      // All methods of the parser on every fiftieth path, and two of the common ones in turn on the others.
      const methods = index % 50 === 0 ? allMethods : (common[index % common.length] ?? []);
      for (const method of methods.filter((name) => !supported.has(name))) {
        const answer = await gateway.app.inject({
          method: method as "GET",
          url: `/api${path}?x=1`,
          headers: method === "PUT" ? { "content-type": "text/plain" } : {},
          ...(method === "PUT" ? { payload: "text" } : {}),
        });
        const code = method === "HEAD" ? "method-not-allowed" : answer.json<{ errors: { code: string }[] }>().errors[0]?.code;
        refused.push([method, path, answer.statusCode, answer.headers.allow, code]);
        expect(refused.at(-1)).toEqual([method, path, 405, allow, "method-not-allowed"]);
      }
    }
    expect(refused.length).toBeGreaterThan(400);
  });

  it("gets 405 even if the parser does not know it, and 404 on an unknown path", async () => {
    const unknownMethod = await call(rawRequest("BREW", "/api/auth/login"));
    expect([unknownMethod.status, unknownMethod.headers["allow"], unknownMethod.errors?.[0]?.code]).toEqual([
      405,
      "POST",
      "method-not-allowed",
    ]);
    for (const method of ["BREW", "TRACE", "PATCH", "POST", "GET"]) {
      const notFound = await call(rawRequest(method, "/api/no-such-thing"));
      expect([method, notFound.status, notFound.headers["allow"], notFound.errors?.[0]?.code]).toEqual([
        method,
        404,
        undefined,
        "not-found",
      ]);
    }
  });

  it("gets 405 on pages and files of the web app, and 404 on missing files", async () => {
    for (const [method, path, status, allow] of [
      ["POST", "/search", 405, "GET, HEAD"],
      ["DELETE", "/assets/main-abc.js", 405, "GET, HEAD"],
      ["OPTIONS", "/", 405, "GET, HEAD"],
      ["PUT", "/static/settings.json", 405, "GET, HEAD"],
      ["PUT", "/static/nothing.json", 404, undefined],
      ["GET", "/static/nothing.json", 404, undefined],
      ["GET", "/assets/nothing.js", 404, undefined],
      ["HEAD", "/search", 200, undefined],
      ["HEAD", "/api/health/live", 200, undefined],
    ] as const) {
      const answer = await gateway.app.inject({ method, url: path });
      expect([method, path, answer.statusCode, answer.headers.allow]).toEqual([method, path, status, allow]);
    }
  });
});

describe("a path that traverses out of the assets", () => {
  it.each([
    "/assets/../login.html",
    "/assets/.%2e/index.html",
    "/assets/%2e%2e/login.html",
    "/assets/%2e%2e%2flogin.html",
    "/assets/..%5clogin.html",
    "/assets/./main-abc.js",
    "/assets//main-abc.js",
    "/assets/x/../../index.html",
    "/%61ssets/../login.html",
    "/assets/..",
    "/assets/",
    "/assets/%00",
  ])("is answered with 404 that is not cached: %s", async (target) => {
    const answer = await get(target);
    expect([answer.status, answer.headers["cache-control"], answer.body.includes("__NONCE__")]).toEqual([404, "no-store", false]);
  });

  it("does not affect the caching of real files", async () => {
    expect((await get("/assets/main-abc.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get("/theme.js")).headers["cache-control"]).toBe("no-cache");
  });
});

describe("every response", () => {
  it.each([
    "/api/profile",
    "/%61pi/profile",
    "http://localhost/api/profile",
    "/api/%zz",
    "/static/settings.json",
    "/nothing.js",
    "/search",
  ])("of the gateway forbids caching and content sniffing: %s", async (target) => {
    const { headers } = await get(target);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  });
});

describe("the host of a request", () => {
  const statusFor = async (host: string, target = "/api/settings.json") => (await get(target, [`Host: ${host}`])).status;

  it.each(["localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:443"])(
    "is allowed in the demo if it is this machine: %s",
    async (host) => {
      expect(await statusFor(host, "/api/static/settings.json")).toBe(200);
      expect(await statusFor(host, "/")).toBe(200);
    },
  );

  it.each(["rebound.example", "rebound.example:8080", "localhost.rebound.example", "192.0.2.1", "127.0.0.1.rebound.example", "[::2]", "0"])(
    "is refused in the demo if it is another machine: %s",
    async (host) => {
      for (const target of ["/", "/api/static/settings.json", "/api/metrics", "/api/nothing", "/assets/main-abc.js"]) {
        const answer = await get(target, [`Host: ${host}`]);
        expect([target, answer.status, answer.errors?.[0]?.code]).toEqual([target, 421, "host-not-allowed"]);
      }
      expect(await statusFor(host, "/api/health/live")).toBe(200);
      expect(await statusFor(host, "/api/health/ready")).toBe(200);
    },
  );

  it("prevents a page of another site from signing in to the demo through DNS rebinding", async () => {
    const body = JSON.stringify({ username: "root", password: "tide-table" });
    const signIn = (host: string) =>
      call(
        [
          "POST /api/auth/login HTTP/1.1",
          `Host: ${host}`,
          `Origin: http://${host}`,
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          "Connection: close",
          "",
          body,
        ].join("\r\n"),
      );
    const refused = await signIn(`rebound.example:${gateway.port}`);
    expect([refused.status, refused.body.includes("access_token")]).toEqual([421, false]);
    expect((await signIn(`localhost:${gateway.port}`)).status).toBe(200);
  });

  it("is required exactly once", async () => {
    for (const [headers, version, status] of [
      [["Host: localhost", "Host: localhost"], "1.1", 400],
      [["Host: localhost", "hOST: rebound.example"], "1.1", 400],
      [[], "1.1", 400],
      [["Host:"], "1.1", 400],
      [["Host: user@localhost"], "1.1", 400],
      [["Host: localhost/x"], "1.1", 400],
      [["Host: localhost, rebound.example"], "1.1", 400],
      [["Host: localhost:port"], "1.1", 400],
      [[], "1.0", 421],
    ] as const) {
      const answer = await get("/api/static/settings.json", headers, version);
      expect([headers, version, answer.status, answer.errors?.length]).toEqual([headers, version, status, 1]);
    }
    expect((await get("/api/health/live", [], "1.0")).status).toBe(200);
  });

  it("is taken from a target in absolute form", async () => {
    const settings = "/api/static/settings.json";
    expect((await get(`http://localhost:1${settings}`, ["Host: rebound.example"])).status).toBe(200);
    expect((await get("HTTP://LOCALHOST", ["Host: localhost"])).status).toBe(200);
    expect((await get(`http://rebound.example${settings}`)).status).toBe(421);
    expect((await get(`http://localhost@rebound.example${settings}`)).status).toBe(400);
    expect((await get(`http://${settings}`)).status).toBe(400);
    expect((await get(`http://localhost${settings}`, [])).status).toBe(400);
    expect((await get(`ftp://localhost${settings}`)).status).toBe(404);
  });
});

describe("ALLOWED_HOSTS", () => {
  it("allows hosts for every port or for one, and also applies to hosts that a trusted proxy forwards", async () => {
    const restricted = await demoGateway({ ALLOWED_HOSTS: "Data.Example.org, inner:8080 [::1]", TRUSTED_PROXIES: "127.0.0.1" });
    const statusOf = async (...headers: string[]) => (await rawCall(restricted.port, rawRequest("GET", "/", headers))).status;
    try {
      expect(await statusOf("Host: data.example.org")).toBe(200);
      expect(await statusOf("Host: data.example.org:444")).toBe(200);
      expect(await statusOf("Host: inner:8080")).toBe(200);
      expect(await statusOf("Host: inner")).toBe(421);
      expect(await statusOf("Host: localhost")).toBe(421);
      expect(await statusOf("Host: inner:8080", "X-Forwarded-Host: data.example.org")).toBe(200);
      expect(await statusOf("Host: inner:8080", "X-Forwarded-Host: rebound.example")).toBe(421);
      expect(await statusOf("Host: rebound.example", "X-Forwarded-Host: data.example.org")).toBe(421);
    } finally {
      await restricted.close();
    }
  });
});
