import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { recordOf } from "@fairway/contract/records";
import { route } from "@fairway/contract/route";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { EngineFailed } from "#query/engine.ts";
import { answerFailure, installErrorHandler, toRefusal } from "./error-handler.ts";
import { Gatekeeper } from "./gatekeeper.ts";
import type { Handlers } from "./handlers.ts";
import type { SignedInUser } from "./signed-in-user.ts";
import { readJsonBodies } from "./json-body.ts";
import { Refusal } from "./refusal.ts";
import { serve } from "./serve.ts";
import { someUser } from "#testing/some-user.ts";

const ada: SignedInUser = someUser({ id: "1", username: "ada", roles: ["reader"] });

const routes = {
  open: route({ method: "GET", path: "/open", access: "public", summary: "Open.", response: z.object({ name: z.string() }) }),
  closed: route({ method: "GET", path: "/closed", access: "signed-in", summary: "Closed.", response: z.object({ username: z.string() }) }),
  readers: route({ method: "GET", path: "/readers", access: { role: "reader" }, summary: "Readers.", response: z.undefined() }),
  admins: route({ method: "GET", path: "/admins", access: { role: "admin" }, summary: "Admins.", response: z.undefined() }),
  operators: route({ method: "GET", path: "/operators", access: "operator", summary: "Operators.", response: z.undefined() }),
  reset: route({ method: "PUT", path: "/reset", access: "reset-token", summary: "Reset.", response: z.undefined() }),
  create: route({
    method: "POST",
    path: "/things/:id",
    access: "public",
    summary: "Create.",
    params: z.object({ id: z.string() }),
    query: z.object({ page: z.coerce.number().int().optional() }),
    body: z.object({ names: z.array(z.string().min(2)) }),
    response: z.object({ id: z.string(), page: z.number().optional(), names: z.array(z.string()) }),
    status: 201,
    bodyLimit: 2_000,
  }),
  sizes: route({
    method: "POST",
    path: "/things/:id/sizes",
    access: "public",
    summary: "Sizes by name.",
    params: z.object({ id: z.string() }),
    body: z.object({ sizes: recordOf(z.string(), z.union([z.number(), z.object({ a: z.number().optional() })])) }),
    response: z.object({ sizes: recordOf(z.string(), z.unknown()) }),
  }),
  lists: route({
    method: "POST",
    path: "/lists",
    access: "public",
    summary: "Lists.",
    body: z.object({ lists: z.array(z.object({ name: z.string(), values: z.array(z.object({ value: z.number() })) })) }),
    response: z.number(),
  }),
  download: route({ method: "GET", path: "/file", access: "signed-in", summary: "Download.", response: z.undefined(), cookie: true }),
  upload: route({ method: "PUT", path: "/file", access: "signed-in", summary: "Upload.", response: z.undefined(), cookie: true }),
  rows: route({ method: "GET", path: "/rows", access: "public", summary: "Rows.", response: z.array(z.number()), streamed: true }),
};

const handlers: Handlers<typeof routes> = {
  open: () => ({ name: "open", password: "secret" }) as { name: string },
  closed: ({ user }) => ({ username: user.username }),
  readers: () => undefined,
  admins: () => undefined,
  operators: () => undefined,
  reset: () => undefined,
  create: ({ params, query, body }) => ({ id: params.id, page: query.page, names: body.names }),
  sizes: ({ body }) => ({ sizes: body.sizes }),
  lists: ({ body }) => body.lists.length,
  download: () => undefined,
  upload: () => undefined,
  rows: async () => ({
    contentType: "application/json",
    chunks: (async function* () {
      yield "[1,";
      yield "2]";
    })(),
  }),
};

let app: FastifyInstance;
async function open(overrides: Partial<Handlers<typeof routes>> = {}): Promise<FastifyInstance> {
  app = Fastify({ frameworkErrors: (error, request, reply) => void answerFailure(toRefusal(error, request), request, reply) });
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  readJsonBodies(app);
  const gatekeeper = new Gatekeeper({
    readAccessToken: async (token) => (token === "ada" ? ada : undefined),
    readStepToken: async (step, token) => (step === "password-reset" && token === "once" ? ada : undefined),
  });
  serve(app, gatekeeper, routes, { ...handlers, ...overrides });
  await app.ready();
  return app;
}
afterEach(() => app.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("access", () => {
  it("[API-01] refuses a call without a valid bearer token with 401 and does not run the handler", async () => {
    let ran = 0;
    await open({ closed: ({ user }) => ({ username: `${user.username}${++ran}` }) });
    for (const headers of [
      {},
      bearer("eve"),
      { authorization: "Basic YWRh" },
      { authorization: "Bearer" },
      { authorization: "ada" },
      { cookie: "JWT=ada" },
    ]) {
      const response = await app.inject({ url: "/closed", headers });
      expect([response.statusCode, response.json().errors[0].code]).toEqual([401, "not-signed-in"]);
    }
    expect(ran).toBe(0);
    expect((await app.inject({ url: "/closed", headers: bearer("ada") })).json()).toEqual({ username: "ada1" });
  });

  it("takes a session cookie on routes that allow it, and only to read", async () => {
    await open();
    const statusOf = async (method: "GET" | "PUT", headers: Record<string, string>) =>
      (await app.inject({ method, url: "/file", headers })).statusCode;
    expect(await statusOf("GET", { cookie: "theme=dark; JWT=ada" })).toBe(204);
    expect(await statusOf("PUT", { cookie: "theme=dark; JWT=ada" })).toBe(401);
    expect(await statusOf("PUT", bearer("ada"))).toBe(204);
  });

  it("[ACCESS-01][ACCESS-02] admits every signed-in user for '*' and only holders for a named role", async () => {
    await open();
    expect((await app.inject({ url: "/closed", headers: bearer("ada") })).statusCode).toBe(200);
    expect((await app.inject({ url: "/readers", headers: bearer("ada") })).statusCode).toBe(204);
    const refused = await app.inject({ url: "/admins", headers: bearer("ada") });
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { errors: [{ code: "forbidden", message: "This needs the role 'admin'." }] },
    ]);
  });

  it("accepts a reset token for the password route only", async () => {
    await open();
    expect((await app.inject({ method: "PUT", url: "/reset", headers: bearer("once") })).statusCode).toBe(204);
    expect((await app.inject({ url: "/closed", headers: bearer("once") })).statusCode).toBe(401);
  });

  it("admits direct loopback callers as operators, but not callers behind a proxy", async () => {
    await open();
    expect((await app.inject({ url: "/operators" })).statusCode).toBe(204);
    expect((await app.inject({ url: "/operators", headers: { "x-forwarded-for": "127.0.0.1" } })).statusCode).toBe(401);
    expect((await app.inject({ url: "/operators", remoteAddress: "10.1.2.3" })).statusCode).toBe(401);
    expect((await app.inject({ url: "/operators", remoteAddress: "10.1.2.3", headers: bearer("ada") })).statusCode).toBe(403);
  });
});

describe("requests and responses", () => {
  it("drops fields from a response that the contract does not name", async () => {
    await open();
    expect((await app.inject({ url: "/open" })).json()).toEqual({ name: "open" });
  });

  it("passes the parsed request to the handler and responds with the declared status", async () => {
    await open();
    const response = await app.inject({ method: "POST", url: "/things/a%20b?page=3", payload: { names: ["xy"] } });
    expect([response.statusCode, response.json()]).toEqual([201, { id: "a b", page: 3, names: ["xy"] }]);
  });

  it("names all invalid fields of a body at once", async () => {
    await open();
    const response = await app.inject({ method: "POST", url: "/things/a", payload: { names: ["x", 2] } });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors.map((error: { path: string }) => error.path)).toEqual(["names.0", "names.1"]);
  });

  it.each([
    ["entries", { lists: Array.from({ length: 50_000 }, () => ({})) }, "lists.0.name"],
    ["entries of an entry", { lists: [{ name: "a", values: Array.from({ length: 50_000 }, () => ({})) }] }, "lists.0.values.0.value"],
    ["unknown fields", { lists: Array.from({ length: 20_000 }, () => ({ name: "a", values: [], x: 1 })) }, "lists.0.x"],
  ])("reports only some of many invalid %s", async (_what, payload, path) => {
    await open();
    const response = await app.inject({ method: "POST", url: "/lists", payload });
    const { errors } = response.json<{ errors: { path: string }[] }>();
    expect([response.statusCode, errors[0]?.path]).toEqual([400, path]);
    expect(errors.length).toBeLessThan(250);
  });

  it("accepts a large body, but refuses one with too many values before parsing it", async () => {
    await open();
    const lists = (count: number) => JSON.stringify({ lists: Array.from({ length: count }, () => ({ name: "a,{}[]", values: [] })) });
    const send = (payload: string) =>
      app.inject({ method: "POST", url: "/lists", payload, headers: { "content-type": "application/json" } });
    expect((await send(lists(20_000))).json()).toBe(20_000);
    const refused = await send(`{"lists":[${"{},".repeat(200_000)}`);
    expect([refused.statusCode, refused.json().errors]).toEqual([
      413,
      [{ code: "too-large", message: "The request body contains more than 120,000 values." }],
    ]);
  });

  it("names every unknown field of a body together with other problems", async () => {
    await open();
    const response = await app.inject({ method: "POST", url: "/things/a", payload: { nmaes: [], names: ["x"], page: 7, x: 1 } });
    expect([response.statusCode, response.json().errors]).toEqual([
      400,
      [
        { code: "invalid-request", message: "'nmaes': there is no such field.", path: "nmaes" },
        { code: "invalid-request", message: "'x': there is no such field.", path: "x" },
        expect.objectContaining({ path: "names.0" }),
      ],
    ]);
  });

  it("drops fields of a body that only responses have, so that an object can be read and sent back", async () => {
    await open();
    const read = { id: "b", page: 7, userId: "1", version: 3, names: ["xy"] };
    const response = await app.inject({ method: "POST", url: "/things/a", payload: read });
    expect([response.statusCode, response.json()]).toEqual([201, { id: "a", names: ["xy"] }]);
  });

  it("takes names of records as they are, also __proto__, and refuses it everywhere else", async () => {
    await open();
    const send = async (payload: string) => {
      const headers = { "content-type": "application/json" };
      const response = await app.inject({ method: "POST", url: "/things/a/sizes", payload, headers });
      return [response.statusCode, response.statusCode === 200 ? response.body : response.json().errors[0].code];
    };
    const sizes = '{"sizes":{"__proto__":1,"constructor":2,"toString":3}}';
    expect(await send(sizes)).toEqual([200, sizes]);
    expect(await send('{"sizes":{"\\u005f_proto__":1}}')).toEqual([200, '{"sizes":{"__proto__":1}}']);
    for (const hostile of [
      '{"sizes":{},"__proto__":{"admin":true}}',
      '{"sizes":{},"\\u005f_proto__":{"admin":true}}',
      '{"sizes":{"a":{"__proto__":1}}}',
      '{"sizes":{"constructor":{"prototype":{"admin":true}}}}',
    ]) {
      expect(await send(hostile)).toEqual([400, "malformed-json"]);
    }
    expect(await send('{"sizes":{"__proto__":"wide"}}')).toEqual([400, "invalid-request"]);
  });

  it.each([
    ["malformed JSON", '{"names":', "application/json", 400, "malformed-json"],
    ["an empty body", "", "application/json", 400, "malformed-json"],
    ["a prototype key", '{"names":["ab"],"__proto__":{"x":1}}', "application/json", 400, "malformed-json"],
    ["another media type", "names=ab", "application/x-www-form-urlencoded", 415, "unsupported-media-type"],
    ["a body over the limit", JSON.stringify({ names: ["x".repeat(3_000)] }), "application/json", 413, "too-large"],
  ])("refuses %s with a standard error body", async (_what, payload, contentType, status, code) => {
    await open();
    const response = await app.inject({ method: "POST", url: "/things/a", payload, headers: { "content-type": contentType } });
    expect([response.statusCode, response.json().errors[0].code]).toEqual([status, code]);
  });

  it.each([
    ["an unknown path", "/nothing", 404, "not-found"],
    ["an invalid URL", "/things/%zz", 400, "invalid-request"],
  ])("answers %s with a standard error body", async (_what, url, status, code) => {
    await open();
    const response = await app.inject({ url });
    expect([response.statusCode, response.json().errors[0].code]).toEqual([status, code]);
  });

  it("hides the details of an unexpected error", async () => {
    await open({
      open: () => {
        throw new Error("password=hunter2");
      },
    });
    const response = await app.inject({ url: "/open" });
    expect([response.statusCode, response.json().errors[0].code]).toEqual([500, "internal"]);
    expect(response.body).not.toContain("hunter2");
  });

  it("responds with 500 if an answer violates the contract", async () => {
    await open({ open: () => ({ name: 7 }) as unknown as { name: string } });
    expect((await app.inject({ url: "/open" })).statusCode).toBe(500);
  });

  it.each([
    [new EngineFailed("busy", "busy", { retryAfterSeconds: 2.2 }), 503, "engine-busy", "3"],
    [new EngineFailed("timed-out", "slow"), 504, "timed-out", undefined],
    [new EngineFailed("upstream", "upstream"), 502, "upstream-failed", undefined],
    [new Refusal("too-many-requests", "slow down", { retryAfterSeconds: 60 }), 429, "too-many-requests", "60"],
  ])("converts %o to its status and Retry-After", async (failure, status, code, retryAfter) => {
    await open({
      open: () => {
        throw failure;
      },
    });
    const response = await app.inject({ url: "/open" });
    expect([response.statusCode, response.json().errors[0].code, response.headers["retry-after"]]).toEqual([status, code, retryAfter]);
  });
});

describe("streams", () => {
  it("are sent unchanged", async () => {
    await open();
    const response = await app.inject({ url: "/rows" });
    expect([response.headers["content-type"], response.body]).toEqual(["application/json", "[1,2]"]);
  });

  it("get an error status if they fail before the first chunk", async () => {
    await open({ rows: () => Promise.reject(new EngineFailed("timed-out", "slow")) });
    expect((await app.inject({ url: "/rows" })).statusCode).toBe(504);
  });

  it("abort the handler's signal when the caller disconnects", async () => {
    const events = new EventEmitter();
    const [entered, aborted] = [once(events, "entered"), once(events, "aborted")];
    await open({
      rows: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            events.emit("aborted");
            reject(signal.reason as Error);
          });
          events.emit("entered");
        }),
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET /rows HTTP/1.1\r\nhost: x\r\n\r\n");
    await entered;
    socket.destroy();
    expect(await aborted).toEqual([]);
  });
});
