import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installErrorHandler } from "./error-handler.ts";
import { installSecurityHeaders } from "./security-headers.ts";
import { installWebApp } from "./web-app.ts";

let app: FastifyInstance;
let folder: string;
let uploads: readonly string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), '<title>application</title><meta nonce="__NONCE__">');
  await writeFile(join(folder, "login.html"), '<title>sign-in</title><meta nonce="__NONCE__">');
  await writeFile(join(folder, "theme.js"), "theme");
  await writeFile(join(folder, "favicon.svg"), "<svg/>");
  await writeFile(join(folder, "assets", "main-abc.js"), "main");
  await writeFile(join(folder, "assets", "main-abc.js.gz"), gzipSync("main"));
  await writeFile(join(folder, "secret.key"), "secret");
  app = Fastify();
  installSecurityHeaders(app);
  installErrorHandler(app);
  await installWebApp(app, folder, () => ({ frames: ["https://wiki.example"], tiles: ["https://tiles.example"], uploads }));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe("pages", () => {
  it.each(["/", "/search", "/search/abc?x=1", "/datasets", "/no-such-screen", "/filesets/a.b", "//?a"])(
    "serve the application at %s",
    async (url) => {
      const response = await app.inject({ url });
      expect([response.statusCode, response.body.includes("application"), response.headers["cache-control"]]).toEqual([
        200,
        true,
        "no-store",
      ]);
    },
  );

  it("allow uploads to the store of the moment", async () => {
    const connections = async () =>
      /connect-src ([^;]*)/.exec(String((await app.inject({ url: "/" })).headers["content-security-policy"]))?.[1];
    uploads = ["https://s3.example"];
    expect(await connections()).toBe("'self' https://tiles.example https://s3.example");
    uploads = [];
    expect(await connections()).toBe("'self' https://tiles.example");
  });

  it.each(["/login", "/login?redirect=%2Fsearch", "/setup"])("serve the sign-in page at %s", async (url) => {
    expect((await app.inject({ url })).body).toContain("sign-in");
  });

  it("have a new nonce in their policy, and allow nothing inline", async () => {
    const [first, second] = [await app.inject({ url: "/search" }), await app.inject({ url: "/search" })];
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? "";
    const policy = String(first.headers["content-security-policy"]);
    expect(nonce).toMatch(/^[\w+/=]{20,}$/);
    expect(second.body).not.toContain(nonce);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' https://tiles.example;");
    expect(policy).toContain("frame-src 'self' https://wiki.example");
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  it("have all security headers", async () => {
    const { headers } = await app.inject({ url: "/" });
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["x-request-id"]).toBeTruthy();
  });
});

describe("files", () => {
  it("with hashed names are immutable and precompressed", async () => {
    const response = await app.inject({ url: "/assets/main-abc.js", headers: { "accept-encoding": "gzip" } });
    expect(response.headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable", "content-encoding": "gzip" });
    expect((await app.inject({ url: "/assets/main-abc.js" })).body).toBe("main");
  });

  it("that are scripts may load scripts of ours where they are workers, and nothing else", async () => {
    const policyOf = async (url: string, headers = {}) => (await app.inject({ url, headers })).headers["content-security-policy"];
    const policy = await policyOf("/assets/main-abc.js");
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|connect-src/);
    await expect(policyOf("/assets/main-abc.js", { "accept-encoding": "gzip" })).resolves.toBe(policy);
    await expect(policyOf("/favicon.svg")).resolves.not.toContain("script-src");
  });

  it("that are missing are answered with 404, not a page", async () => {
    for (const url of ["/assets/gone-123.js", "/api/nothing", "/static/nothing.json"]) {
      const response = await app.inject({ url });
      expect([url, response.statusCode, response.json().errors[0].code]).toEqual([url, 404, "not-found"]);
    }
  });

  it("with unhashed names are revalidated each time", async () => {
    const first = await app.inject({ url: "/favicon.svg" });
    expect([first.headers["content-type"], first.headers["cache-control"]]).toEqual(["image/svg+xml", "no-cache"]);
    const again = await app.inject({ url: "/favicon.svg", headers: { "if-none-match": String(first.headers.etag) } });
    expect(again.statusCode).toBe(304);
  });

  it("outside the assets are not accessible", async () => {
    for (const url of ["/assets/../secret.key", "/assets/%2e%2e/secret.key", "/assets/..%2fsecret.key", "/secret.key"]) {
      expect((await app.inject({ url })).body).not.toBe("secret");
    }
  });
});
