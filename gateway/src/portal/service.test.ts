import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { schemaEditRole } from "@fairway/contract/descriptions";
import { errorBody } from "@fairway/contract/errors";
import type { RouteShape } from "@fairway/contract/route";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config/config.ts";
import { openNotifications } from "#database/notifications.ts";
import { openLog } from "#log/log.ts";
import { openMasterKey } from "#secrets/master-key.ts";
import type { Service } from "#portal/portal.ts";
import type { Platform } from "#seed/seed.ts";
import { openService } from "#portal/service.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";

const tides: Platform = {
  categories: [{ id: "Coast", description: "What the sea does." }],
  datasets: [
    {
      entity: buildDataset({
        id: "tides",
        category: "Coast",
        description: "Heights.",
        source: { kind: "files", glob: "coast/tides/*.parquet", format: "parquet" },
        schema: {
          columns: [
            buildColumn("harbour", "STRING", { description: "Where." }),
            buildColumn("height", "decimal", { description: "How high.", unit: "m" }),
          ],
        },
      }),
      sources: {},
      select: "select * from (values ('Dover', 6.1), ('Brest', 7.4)) tides (harbour, height)",
    },
  ],
  accounts: {
    roles: ["admin", schemaEditRole],
    groups: [{ name: "Administrators", roles: ["admin", schemaEditRole] }],
    users: [
      {
        username: "root",
        password: "tide-table",
        firstName: "Ruth",
        lastName: "Root",
        email: "root@fairway.example",
        groups: ["Administrators"],
      },
      { username: "ada", password: "tide-table", firstName: "Ada", lastName: "L", email: "ada@fairway.example", groups: [] },
      {
        username: "grace",
        password: "tide-table",
        firstName: "Grace",
        lastName: "H",
        email: "grace@fairway.example",
        groups: [],
        roles: ["flow-developer-graces-desk"],
      },
      { username: "mary", password: "tide-table", firstName: "Mary", lastName: "S", email: "mary@fairway.example", groups: [] },
    ],
  },
};

interface Registered {
  method: string;
  url: string;
  guarded: boolean;
  /** The response goes on until the caller leaves. */
  isEndless: boolean;
}

interface Operation {
  security: unknown[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

let service: Service;
let database: TestDatabase;
let home: string;
let notifications: Awaited<ReturnType<typeof openNotifications>>;
let tokens: { admin: string; reader: string };
let openApi: string;
let portalLog: ReturnType<typeof openLog>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "fairway-service-"));
  for (const page of ["index.html", "login.html", "theme.js", "favicon.svg"]) await writeFile(join(home, page), "<meta nonce='__NONCE__'>");
  database = await testDatabase();
  // The sweeps call every route many times, all with one account.
  const env = { FAIRWAY_HOME: home, DATABASE_URL: database.url, LIMIT_USER_CALLS_PER_MINUTE: "1000000" };
  const config = { ...readConfig(env, { demo: true }), webRoot: home, toolsFolder: await toolsIn(home) };
  portalLog = openLog(config);
  const { log } = portalLog;
  notifications = await openNotifications(database.url, log);
  const masterKey = await openMasterKey(config);
  service = await openService(
    { config, log, database, notifications, masterKey, signal: new AbortController().signal, print: () => undefined },
    tides,
    "r7 with later changes",
  );
  await service.app.ready();
  tokens = { admin: await tokenOf("root"), reader: await tokenOf("ada") };
  openApi = (await service.app.inject({ url: "/api/openapi.json" })).body;
});

afterAll(async () => {
  await service.app.close();
  await service.close();
  await notifications.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

async function toolsIn(folder: string): Promise<string> {
  const files = [{ filename: "client.tgz", size: 1, sha256: "0".repeat(64), description: "" }];
  const tool = {
    display: "Test client",
    description: "",
    icon: { type: "fa-solid", name: "code" },
    version: "1",
    files,
    guide: "guide.md",
  };
  await writeFile(join(folder, "index.json"), JSON.stringify([tool]));
  for (const name of ["client.tgz", "guide.md"]) await writeFile(join(folder, name), "x");
  return folder;
}

async function tokenOf(username: string): Promise<string> {
  const response = await service.app.inject({ method: "POST", url: "/api/auth/login", payload: { username, password: "tide-table" } });
  return response.json().token.access_token as string;
}

/** Every documented route, with placeholders for its parameters. */
function routes(): Registered[] {
  const document = JSON.parse(openApi) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      url: `/api${path.replace(/\{(\w+)\}/g, "x-$1")}`,
      guarded: operation.security.length > 0,
      isEndless: operation.responses["200"]?.content?.["text/event-stream"] !== undefined,
    })),
  );
}

const isAdministrative = (url: string) => /^\/api\/(admin|auditing)\b/.test(url);

interface BodySchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  additionalProperties?: unknown;
}

/** The documented request bodies, except those of entity edits, which are validated like creations. */
function bodies(): { method: string; url: string; schema: BodySchema }[] {
  const { paths, components } = JSON.parse(openApi) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: BodySchema }> } }>>;
    components: { schemas: Record<string, BodySchema> };
  };
  const resolved = (schema: BodySchema): BodySchema => {
    const named = schema.$ref === undefined ? undefined : components.schemas[schema.$ref.replace("#/components/schemas/", "")];
    return named ?? schema;
  };
  const expanded = (schema: BodySchema): BodySchema => {
    const { properties, items, anyOf, oneOf, ...others } = resolved(schema);
    return {
      ...others,
      ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, expanded(inner)])) }),
      ...(items && { items: expanded(items) }),
      ...(anyOf && { anyOf: anyOf.map(expanded) }),
      ...(oneOf && { oneOf: oneOf.map(expanded) }),
    };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      const isEntityEdit = method === "put" && /^\/admin\/[^{]*$/.test(path) && methods["post"] !== undefined;
      if (schema === undefined || isEntityEdit) return [];
      return [{ method: method.toUpperCase(), url: `/api${path.replace(/\{(\w+)\}/g, "x-$1")}`, schema: expanded(schema) }];
    }),
  );
}

interface ObjectPath {
  path: string[];
  /** Creates a body with `fields` at the path. */
  bodyWith: (fields: object) => unknown;
}

/** Every path of a body at which there is an object with known fields, including the body itself. */
function objectPaths({ properties, items, anyOf = [], oneOf = [], additionalProperties }: BodySchema): ObjectPath[] {
  const nested = (step: string, schema: BodySchema, wrap: (value: unknown) => unknown): ObjectPath[] =>
    objectPaths(schema).map(({ path, bodyWith }) => ({ path: [step, ...path], bodyWith: (fields) => wrap(bodyWith(fields)) }));
  const fixed = Object.fromEntries(
    Object.entries(properties ?? {}).flatMap(([name, { const: value }]) => (value === undefined ? [] : [[name, value]])),
  );
  const self =
    properties === undefined || additionalProperties !== false
      ? []
      : [{ path: [], bodyWith: (fields: object) => ({ ...fixed, ...fields }) }];
  return [
    ...self,
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => nested(name, inner, (value) => ({ ...fixed, [name]: value }))),
    ...(items ? nested("0", items, (value) => [value]) : []),
    ...[...anyOf, ...oneOf].flatMap(objectPaths),
  ];
}

describe("the API", () => {
  it("serves and documents every route of the contract", async () => {
    const folder = new URL("../../../contract/src/", import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>));
    const isRoute = (value: unknown): value is RouteShape => typeof value === "object" && value !== null && "access" in value;
    const shapes = modules.flatMap((module) =>
      Object.values(module).flatMap((group) => (typeof group === "object" && group !== null ? Object.values(group).filter(isRoute) : [])),
    );
    expect(shapes.length).toBeGreaterThan(80);
    const documented = new Set(routes().map(({ method, url }) => `${method} ${url}`));
    const missing = shapes
      .map(({ method, path }) => `${method} /api${path.replace(/:(\w+)/g, "x-$1")}`)
      .filter((call) => !documented.has(call));
    expect(missing).toEqual([]);
  });

  it("[API-02][API-04] has every route below /api, and none beside it", async () => {
    const { status } = (await service.app.inject({ url: "/api/health/live" })).json<{ status: string }>();
    expect(status).toBe("ok");
    // The web app's own copy of the settings.
    const alsoBeside = "/api/static/settings.json";
    for (const { method, url } of routes().filter((route) => route.url !== alsoBeside)) {
      expect(url).toMatch(/^\/api\//);
      const { statusCode, headers } = await service.app.inject({ method: method as "GET", url: url.slice("/api".length) });
      // Addresses beside it are of the web app, which has only pages.
      const isPage = method === "GET" && String(headers["content-type"]).startsWith("text/html");
      expect([method, url, isPage || statusCode === 404 || statusCode === 405]).toEqual([method, url, true]);
    }
  });

  it("[API-01] refuses calls of non-public routes without a token or with an invalid one with 401", async () => {
    const guarded = routes().filter(({ guarded }) => guarded);
    expect(guarded.length).toBeGreaterThanOrEqual(9);
    const invalid = ["Bearer nonsense", `Bearer ${tokens.reader}x`];
    for (const [index, { method, url }] of guarded.entries()) {
      for (const authorization of [undefined, invalid[index % invalid.length]]) {
        const response = await service.app.inject({
          method: method as "GET",
          url,
          remoteAddress: "192.0.2.7",
          headers: authorization === undefined ? {} : { authorization },
          ...(method === "GET" ? {} : { payload: {} }),
        });
        expect([method, url, response.statusCode]).toEqual([method, url, 401]);
        expect(errorBody.safeParse(response.json()).success).toBe(true);
      }
    }
  });

  it("answers hostile bodies and parameters with a standard error body, never with 500", async () => {
    const bodies = [
      "{",
      "[]",
      "null",
      '"text"',
      "{}",
      '{"filters":7}',
      '{"__proto__":{"admin":true}}',
      `{"filters":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
      "\u0000",
    ];
    const parameters = ["x", "%00", "%2e%2e", "'%3B%20drop%20table%20users", "__proto__", "%F0%9F%90%A6", "a".repeat(900)];
    /** One of them, which is another one for the next route: attacks at night send each to every route. */
    const some = (values: readonly string[], index: number) => [values[index % values.length] ?? ""];
    const wrong: unknown[] = [];
    for (const [index, { method, url }] of routes()
      .filter(({ isEndless }) => !isEndless)
      .entries()) {
      // No combinations of bodies and parameters, because routes validate both before using them together.
      const calls = [
        ...(url.includes("x-") ? some(parameters, index) : ["x"]).map((parameter) => ({
          parameter,
          payload: method === "GET" ? undefined : "{}",
        })),
        // Administration is refused before the body is read.
        ...(method === "GET" || isAdministrative(url) ? [] : some(bodies, index)).map((payload) => ({ parameter: "x", payload })),
      ];
      for (const { parameter, payload } of calls) {
        const response = await service.app.inject({
          method: method as "GET",
          url: url.replaceAll(/x-\w+/g, parameter),
          headers: { authorization: `Bearer ${tokens.reader}`, ...(payload === undefined ? {} : { "content-type": "application/json" }) },
          ...(payload === undefined ? {} : { payload }),
        });
        const isStandardBody = response.statusCode < 400 || errorBody.safeParse(response.json()).success;
        if (response.statusCode >= 500 || !isStandardBody) wrong.push({ method, url, parameter, payload, status: response.statusCode });
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("[ADMIN-02] refuses calls of administration and auditing without the role admin", async () => {
    const administrative = routes().filter(({ url }) => isAdministrative(url));
    expect(administrative.length).toBeGreaterThan(180);
    for (const { method, url } of administrative) {
      const response = await service.app.inject({
        method: method as "GET",
        url,
        headers: { authorization: `Bearer ${tokens.reader}` },
        ...(method === "GET" ? {} : { payload: {} }),
      });
      expect([method, url, response.statusCode, response.json().errors[0].code]).toEqual([method, url, 403, "forbidden"]);
    }
  });

  it("leaves it to browsers and balancers to close idle connections, so that no request gets no answer", () => {
    expect(service.app.server.keepAliveTimeout).toBeGreaterThan(300_000);
  });

  it("records uploads with the uploader and without their signature, asks a client that waits for the body only if it takes it, and does not compress the file", async () => {
    const asAdmin = { authorization: `Bearer ${tokens.admin}` };
    const fileset = { id: "inbox", s3Bucket: "inbox", allowsUploads: true };
    const created = await service.app.inject({ method: "POST", url: "/api/admin/filesets", headers: asAdmin, payload: fileset });
    expect(created.statusCode).toBe(201);
    const asReader = { authorization: `Bearer ${tokens.reader}` };
    const address = await service.app.inject({ url: "/api/filesets/inbox/upload?file=a.txt", headers: asReader });
    const { uploadUrl } = address.json<{ uploadUrl: string }>();
    const signature = new URL(uploadUrl, "http://x").searchParams.get("signature") ?? "";

    const { port } = new URL(await service.app.listen({ host: "127.0.0.1", port: 0 }));
    /** Sends the body once the gateway asks for it. */
    const upload = async (url: string, length: number): Promise<string> => {
      const socket = connect(Number(port), "127.0.0.1");
      let answer = "";
      socket.on("data", (chunk) => {
        answer += String(chunk);
        if (answer.endsWith("100 Continue\r\n\r\n")) socket.write("x".repeat(length));
      });
      socket.write(`PUT ${url} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
      while (!/\r\n\r\n\{.*\}$/s.test(answer)) await once(socket, "data");
      socket.destroy();
      return answer;
    };
    expect(await upload(uploadUrl, 2_000)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    const download = { url: "/api/filesets/inbox/download?file=a.txt", headers: { ...asReader, "accept-encoding": "gzip" } };
    const { headers } = await service.app.inject(download);
    expect([headers["content-encoding"], headers["content-length"]]).toEqual([undefined, "2000"]);
    const refused = await upload(uploadUrl, 6_000_000_000);
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    expect(refused.toLowerCase()).toContain("connection: close");

    const audited = await service.app.inject({ url: "/api/auditing/events?method=PUT&path=/filesets/inbox/", headers: asAdmin });
    expect(audited.json<{ content: unknown[] }>().content).toMatchObject([
      { method: "PUT", path: "/api/filesets/inbox/upload", username: "ada", responseCode: 413 },
      { method: "PUT", path: "/api/filesets/inbox/upload", username: "ada", responseCode: 201 },
    ]);
    portalLog.flush();
    const logged = await readFile(portalLog.file ?? "", "utf8");
    expect(logged).toContain('"path":"/api/filesets/inbox/upload"');
    for (const text of [logged, audited.body]) expect(text).not.toContain(signature.slice(0, 30));
  });

  it("[KEYS-26][SAVED-16] never exposes another user's keys, sessions, saved items, exports, feedback or flows, by any name or id", async () => {
    const token = await tokenOf("grace");
    const as = (bearer: string) => async (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object) => {
      const headers = { authorization: `Bearer ${bearer}` };
      return service.app.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) });
    };
    const [grace, ada] = [as(token), as(tokens.reader)];
    const secret = "graces-secret";
    const dataset = { datasetCategory: "Coast", datasetId: "tides" };
    const create = async (path: string, payload: object) => {
      const answer = await grace("POST", path, payload);
      expect([path, answer.statusCode]).toEqual([path, path.endsWith("/export") ? 202 : 201]);
      return answer.json<Record<string, string>>();
    };
    const query = JSON.stringify({ filters: [{ name: "harbour", operator: "=", value: secret }] });
    const created = {
      key: await create("/apiKeys", { name: "graces-key", datasets: [dataset] }),
      favorite: await create("/favorite/datasets", dataset),
      savedSearch: await create("/favorite/queries", { ...dataset, queryName: "graces-query", query }),
      graphTemplate: await create("/favorite/graphTemplates", {
        ...dataset,
        templateName: "graces-template",
        templateJson: JSON.stringify({ secret }),
      }),
      exported: await create("/datasets/Coast/tides/export", { format: "csv", search: { filters: [] } }),
      feedback: await create("/feedback/create", {
        username: "grace",
        name: "",
        email: "",
        type: "bug",
        description: secret,
        datasets: [],
        attachments: [],
      }),
    };
    const flowGroup = { name: "graces-desk", displayName: "Grace's desk", description: secret };
    expect((await as(tokens.admin)("POST", "/admin/flowGroups", flowGroup)).statusCode).toBe(201);
    const flow = await create("/flowGroups/graces-desk/flows", { name: "graces-flow" });
    const flowPath = `/flowGroups/graces-desk/flows/${flow["id"]}`;
    const request = await create(`${flowPath}/requests`, { name: "graces-request", iterations: [{ content: secret }] });
    const comment = await create(`${flowPath}/requests/${request["id"]}/comments`, { text: secret });
    await database.pool.query(
      `insert into dataset_groups (id, user_id, name, name_key, description, datasets)
       select 'graces-group-id', id, 'graces-group', 'graces-group', $1, '[]'::jsonb from users where username = 'grace'`,
      [secret],
    );
    const privateDescription = "/datasets/Coast/tides/description/user";
    expect((await grace("PUT", privateDescription, { description: secret, columnDescriptions: [] })).statusCode).toBe(200);
    const suggestions = "/datasets/Coast/tides/description/suggestions";
    const suggested = await grace("PUT", suggestions, { columnName: null, description: secret });
    expect(suggested.statusCode).toBe(200);
    await database.pool.query(
      "insert into notifications (id, user_id, title) select 'graces-notification', id, $1 from users where username = 'grace'",
      [secret],
    );
    const columns = { kind: "columns", order: [secret], hidden: [], pinned: [], widths: {} };
    expect((await grace("PUT", "/preferences/columns:Coast:tides", { value: columns })).statusCode).toBe(200);
    const owned = async () => {
      const paths = [
        "/preferences",
        privateDescription,
        suggestions,
        "/notifications",
        "/apiKeys",
        "/favorite/datasets",
        "/favorite/queries",
        "/favorite/graphTemplates",
        "/feedback/own",
        "/datasetGroupings",
        "/profile",
        "/flowGroups",
        `${flowPath}/requests`,
        `${flowPath}/requests/${request["id"]}/iterations`,
        `${flowPath}/requests/${request["id"]}/comments`,
        "/profile/sessions",
      ];
      const answers = await Promise.all(paths.map(async (path) => (await grace("GET", path)).json<unknown[]>()));
      // Her own calls are a use of her session, which is noted once a minute.
      for (const session of answers.at(-1) as { lastUsedMs?: number }[]) delete session.lastUsedMs;
      return answers;
    };
    await vi.waitFor(async () =>
      expect((await grace("GET", `/exports/${created.exported["exportId"]}`)).json()).toMatchObject({ status: "done" }),
    );
    const before = await owned();
    const [session] = before.at(-1) as { id: string }[];
    const names = [
      "graces-key",
      "graces-query",
      "graces-template",
      "graces-group",
      "graces-group-id",
      "grace",
      session?.id ?? "",
      "graces-notification",
      suggested.json<{ id: string }>().id,
      "graces-desk",
      ...[flow["id"], request["id"], comment["id"]].map(String),
    ];
    const identifiers = [
      ...names,
      ...Object.values(created).flatMap(({ id, exportId }) => [id, exportId].filter((value) => value !== undefined)),
    ];
    // Sends only the fields that a route knows, because unknown fields are refused.
    const body = (identifier: string, knownFields: readonly string[]) =>
      Object.fromEntries(Object.entries(allFields(identifier)).filter(([name]) => knownFields.includes(name)));
    const allFields = (identifier: string) => ({
      ...dataset,
      id: identifier,
      name: identifier,
      username: identifier,
      queryName: identifier,
      templateName: identifier,
      exportId: identifier,
      ids: [identifier],
      attachments: [identifier],
      sharedWithRoles: [],
    });
    const documented = bodies();
    // Routes without a parameter, and without a field that names something, are called once instead of once per identifier.
    const made = new Set<string>();
    for (const { method, url } of routes().filter(({ guarded, url, isEndless }) => guarded && !isAdministrative(url) && !isEndless)) {
      const knownFields = Object.keys(documented.find((body) => body.method === method && body.url === url)?.schema.properties ?? {});
      const template = url.replace("/api", "");
      // Also with the dataset that both users may read, for what is kept per dataset.
      const templates = new Set([
        template,
        template.replace("x-category", "Coast").replace("x-datasetId", "tides"),
        template
          .replace("x-group", "graces-desk")
          .replace("x-flowId", String(flow["id"]))
          .replace("x-requestId", String(request["id"]))
          .replace("x-commentId", String(comment["id"]))
          .replace("x-iterationId", String(request["lastIterationId"])),
      ]);
      for (const [identifier, from] of identifiers.flatMap((one) => [...templates].map((path) => [one, path] as const))) {
        const path = from.replaceAll(/x-\w+/g, encodeURIComponent(identifier));
        const payload = method === "GET" ? undefined : body(identifier, knownFields);
        const call = JSON.stringify([method, path, payload]);
        if (made.has(call)) continue;
        made.add(call);
        const answer = await ada(method as "GET", path, payload);
        const isNamed = path !== from || path.includes("graces-desk");
        const isExposed = answer.body.includes(secret) || (isNamed && answer.statusCode < 300);
        expect([method, path, answer.statusCode, isExposed]).toEqual([method, path, answer.statusCode, false]);
      }
    }
    const search = `/datasets/find?text=${secret}`;
    expect((await ada("GET", search)).json()).toEqual({ total: 0, hits: [] });
    expect((await grace("GET", search)).json()).toMatchObject({ total: 1 });
    expect(await owned()).toEqual(before);
    expect((await grace("GET", `/exports/${created.exported["exportId"]}/file`)).statusCode).toBe(200);
    // Thousands of calls, one after another.
  }, 120_000);

  it("records calls of flow requests by their paths, without contents, names and comments", async () => {
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const call = async (method: "POST" | "PUT", url: string, payload?: object) =>
      (await service.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json<{ id: number }>();
    await call("POST", "/api/admin/flowGroups", { name: "audited-desk", displayName: "Audited", description: "" });
    const group = "/api/flowGroups/audited-desk/flows";
    const flow = await call("POST", group, { name: "audited-secret-flow" });
    const requests = `${group}/${flow.id}/requests`;
    const request = await call("POST", requests, { name: "audited-secret-request", iterations: [{ content: "audited-secret-content" }] });
    await call("POST", `${requests}/${request.id}/comments`, { text: "audited-secret-comment" });
    await call("PUT", `/api/admin/flowRequest/${request.id}/accept`, { comment: "audited-secret-reason" });
    const readAudited = () => service.app.inject({ url: "/api/auditing/events?path=flow&username=root", headers });
    const eventsOf = ({ json }: Awaited<ReturnType<typeof readAudited>>) =>
      json<{ content: { method: string; path: string; responseCode: number }[] }>().content;
    // Written shortly after the call.
    await vi.waitFor(async () => expect(eventsOf(await readAudited())[0]?.path).toContain("/accept"));
    const audited = await readAudited();
    const events = eventsOf(audited);
    expect(events.slice(0, 4).map(({ method, path, responseCode }) => [method, path, responseCode])).toEqual([
      ["PUT", `/api/admin/flowRequest/${request.id}/accept`, 200],
      ["POST", `${requests}/${request.id}/comments`, 201],
      ["POST", requests, 201],
      ["POST", group, 201],
    ]);
    portalLog.flush();
    const logged = await readFile(portalLog.file ?? "", "utf8");
    for (const text of [audited.body, logged]) expect(text).not.toContain("audited-secret");
  });

  it("ignores client-supplied owner, id, state and timestamps", async () => {
    const headers = { authorization: `Bearer ${tokens.reader}` };
    const others = { authorization: `Bearer ${await tokenOf("grace")}` };
    const read = async (url: string, as: { authorization: string }) => (await service.app.inject({ url, headers: as })).json<unknown>();
    const { rows } = await database.pool.query<{ id: string }>("select id from users where username = 'grace'");
    const grace = rows[0]?.id;
    const forged = { id: "chosen", userId: grace, createdDateMs: 1 };
    const dataset = { datasetCategory: "Coast", datasetId: "tides" };
    const feedback = { username: "ada", name: "", email: "", type: "bug", description: "It creaks.", datasets: [], attachments: [] };
    const query = '{"filters":[]}';
    const drafts: [path: string, list: string, draft: object, forged: object][] = [
      ["/api/favorite/queries", "/api/favorite/queries", { ...dataset, queryName: "assigned", query }, { owner: "grace" }],
      ["/api/favorite/graphTemplates", "/api/favorite/graphTemplates", { ...dataset, templateName: "assigned", templateJson: "{}" }, {}],
      ["/api/feedback/create", "/api/feedback/own", feedback, { status: "done", statusDateMs: 1 }],
      ["/api/apiKeys", "/api/apiKeys", { name: "assigned", datasets: [dataset] }, { key: "fwk_chosen" }],
    ];
    for (const [path, list, draft, moreForged] of drafts) {
      const before = await read(list, others);
      const save = (payload: object) => service.app.inject({ method: "POST", url: path, headers, payload });
      const answer = await save({ ...draft, ...forged, ...moreForged });
      expect([path, answer.statusCode, /"chosen"|"done"|fwk_chosen|DateMs":1\b/.test(answer.body)]).toEqual([path, 201, false]);
      const refused = await save({ ...draft, user_id: grace });
      expect([path, refused.statusCode, refused.json().errors[0].path]).toEqual([path, 400, "user_id"]);
      expect(await read(list, others)).toEqual(before);
    }
  });

  it("refuses unknown fields at any depth of a body, naming their path", async () => {
    const objects = bodies().flatMap(({ method, url, schema }) =>
      objectPaths(schema).map(({ path, bodyWith }) => ({ method, url, path, bodyWith })),
    );
    expect(objects.length).toBeGreaterThan(150);
    expect(objects.map(({ url, path }) => `${url} ${path.join(".")}`)).toContain("/api/datasets/x-category/x-datasetId/search filters.0");
    await database.pool.query(
      "insert into authenticators (user_id, secret, confirmed_at) select id, 'none', now() from users where username = 'mary'",
    );
    const stepToken = await tokenOf("mary");
    for (const { method, url, path, bodyWith } of objects) {
      const token = url === "/api/auth/second-factor" ? stepToken : tokens.admin;
      const response = await service.app.inject({
        method: method as "POST",
        url: url
          .replaceAll("x-category", "Coast")
          .replaceAll("x-datasetId", "tides")
          .replace(/x-key$/, "zone"),
        headers: { authorization: `Bearer ${token}` },
        payload: bodyWith({ polygon: 1 }) as object,
      });
      const error = response.json<{ errors: { code: string; path?: string }[] }>().errors.find(({ path }) => path?.endsWith("polygon"));
      expect([method, url, response.statusCode, error?.code, error?.path]).toEqual([
        method,
        url,
        400,
        "invalid-request",
        [...path, "polygon"].join("."),
      ]);
    }
  });

  it("refuses misspelled fields of a search, so that a misspelled area never matches the whole world", async () => {
    const search = (payload: object) =>
      service.app.inject({
        method: "POST",
        url: "/api/datasets/Coast/tides/search",
        headers: { authorization: `Bearer ${tokens.reader}` },
        payload,
      });
    const area = ["0 0, 10 0, 10 10, 0 0"];
    for (const [payload, path] of [
      [{ polygons: area }, "polygons"],
      [{ geospatial: { polygons: area, antimeridianPolygons: false, bbox: [] } }, "geospatial.bbox"],
      [{ filters: [{ name: "height", operator: ">", value: 7, vlaue: 9 }] }, "filters.0.vlaue"],
      [{ results: [] }, "results"],
    ] as const) {
      const answer = await search(payload);
      expect([answer.statusCode, answer.json().errors[0]]).toEqual([
        400,
        { code: "invalid-request", message: `'${path}': there is no such field.`, path },
      ]);
    }
  });

  it("[ACCESS-07] requires the role admin for administration and auditing, and outside of them a role for few calls only", async () => {
    const document = JSON.parse(openApi) as { paths: Record<string, Record<string, { description: string }>> };
    const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { description }]) => ({
        call: `${method} ${path}`,
        isAdministrative: /^\/(admin|auditing)\b/.test(path),
        role: /Needs the role '([\w-]+)'/.exec(description)?.[1],
      })),
    );
    expect(new Set(calls.filter(({ isAdministrative }) => isAdministrative).map(({ role }) => role))).toEqual(new Set(["admin"]));
    expect(calls.filter(({ isAdministrative, role }) => !isAdministrative && role !== undefined)).toEqual([
      { call: "put /datasets/{category}/{datasetId}/description/community", isAdministrative: false, role: schemaEditRole },
      {
        call: "put /datasets/{category}/{datasetId}/description/suggestions/{id}/decision",
        isAdministrative: false,
        role: schemaEditRole,
      },
      { call: "post /datasets/{category}/{datasetId}/breakdown/explain", isAdministrative: false, role: "admin" },
      { call: "delete /filesets/{id}/file", isAdministrative: false, role: "admin" },
    ]);
  });

  it("refuses an encoded request body with 415, and an upload reserves no space for it", async () => {
    for (const { method, url } of routes()) {
      const response = await service.app.inject({
        method: method as "GET",
        url,
        headers: { authorization: `Bearer ${tokens.admin}`, "content-encoding": "gzip", "content-type": "application/json" },
        ...(method === "GET" ? {} : { payload: gzipSync("{}") }),
      });
      expect([method, url, response.statusCode, response.json().errors[0].code]).toEqual([method, url, 415, "unsupported-media-type"]);
    }
    const multipart = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG\r\n--b--\r\n';
    const upload = await service.app.inject({
      method: "POST",
      url: "/api/feedback/upload",
      headers: {
        authorization: `Bearer ${tokens.reader}`,
        "content-encoding": "gzip",
        "content-type": "multipart/form-data; boundary=b",
      },
      payload: gzipSync(Buffer.from(multipart, "latin1")),
    });
    expect(upload.statusCode).toBe(415);
    expect(await database.db.selectFrom("feedback_attachments").selectAll().execute()).toEqual([]);
  });

  it("serves the metrics to remote callers with the role admin only", async () => {
    const response = await service.app.inject({
      url: "/api/metrics",
      remoteAddress: "192.0.2.7",
      headers: { authorization: `Bearer ${tokens.reader}` },
    });
    expect([response.statusCode, response.json().errors[0].code]).toEqual([403, "forbidden"]);
    const admin = await service.app.inject({
      url: "/api/metrics",
      remoteAddress: "192.0.2.7",
      headers: { authorization: `Bearer ${tokens.admin}` },
    });
    expect([admin.statusCode, admin.body.includes("fairway_http_request_duration_seconds")]).toEqual([200, true]);
  });
});

describe("the demo accounts", () => {
  type Payload = Record<string, unknown>;
  const post = (url: string, payload: Payload, options: { headers?: Record<string, string>; remoteAddress?: string } = {}) =>
    service.app.inject({ method: "POST", url: `/api${url}`, payload, ...options });
  const proxied = [
    ...["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-real-ip"].map((name) => ({
      headers: { [name]: "" },
    })),
    { headers: { "X-Forwarded-For": "127.0.0.1" } },
    { remoteAddress: "192.0.2.7" },
    { remoteAddress: "::ffff:192.0.2.7" },
  ];

  it("get no token through a proxy, regardless of the password and the spelling of the name", async () => {
    const { refresh_token: refreshToken } = (await post("/auth/login", { username: "root", password: "tide-table" })).json().token;
    const { body: refused } = await post("/auth/login", { username: "root", password: "tide-table" }, { remoteAddress: "192.0.2.7" });
    expect(refused).toContain("not through a proxy or tunnel");
    for (const options of proxied) {
      for (const credentials of [
        { username: "root", password: "tide-table" },
        { username: " ROOT ", password: "tide-table" },
        { username: "root", password: "wrong" },
        { username: "ada", password: "tide-table" },
      ]) {
        const answer = await post("/auth/login", credentials, options);
        expect([options, credentials, answer.statusCode, answer.body]).toEqual([options, credentials, 403, refused]);
      }
      expect((await post("/auth/refresh", { refreshToken }, options)).statusCode).toBe(403);
      const reset = await service.app.inject({
        method: "PUT",
        url: "/api/profile/reset-password",
        payload: { password: "tide-table" },
        ...options,
        headers: { ...("headers" in options ? options.headers : {}), authorization: `Bearer ${tokens.reader}` },
      });
      expect(reset.statusCode).toBe(403);
    }
    // A refused refresh does not consume the token.
    expect((await post("/auth/refresh", { refreshToken })).statusCode).toBe(200);
    expect((await post("/auth/refresh", { refreshToken: "unknown" }, { remoteAddress: "192.0.2.7" })).statusCode).toBe(401);
  });

  it("are the only restricted ones: an account that an administrator adds can sign in from elsewhere", async () => {
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const draft = { username: "harbor-master", password: { setPassword: true, value: "a long enough secret" } };
    const created = await post("/admin/users", { ...draft, email: "", firstName: "", lastName: "", groups: [], roles: [] }, { headers });
    expect(created.statusCode).toBe(201);
    const signIn = (password: string) => post("/auth/login", { username: draft.username, password }, { remoteAddress: "192.0.2.7" });
    expect((await signIn(draft.password.value)).statusCode).toBe(200);
    expect((await signIn("wrong")).statusCode).toBe(401);
    await service.app.inject({ method: "DELETE", url: `/api/admin/users/${created.json<{ id: string }>().id}`, headers });
  });
});

it("creates folders that only their owner can access, regardless of the umask", async () => {
  for (const folder of ["datasets", "datasets/coast", "datasets/coast/tides", "engine", "exports", "files", "files/kept"]) {
    expect([folder, (await stat(join(home, folder))).mode & 0o077]).toEqual([folder, 0]);
  }
});

describe("the portal", () => {
  it("[SESSION-30] serves settings.json with the disabled links at the root and below /api", async () => {
    for (const url of ["/static/settings.json", "/api/static/settings.json"]) {
      const response = await service.app.inject({ url });
      expect([response.statusCode, response.json()]).toEqual([
        200,
        expect.objectContaining({
          disabledLinks: [],
          banner: null,
          helpFilesetId: "help",
          demo: true,
          limits: expect.objectContaining({ cellTextCharacters: 200 }),
        }),
      ]);
    }
  });

  it("[FAQ-10] reads the FAQ from the fileset `help`, which is not listed", async () => {
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const get = (url: string) => service.app.inject({ url: `/api${url}`, headers });
    const { helpFilesetId } = (await get("/static/settings.json")).json<{ helpFilesetId: string }>();
    await mkdir(join(home, "files/pages/handbook"), { recursive: true });
    await writeFile(join(home, "files/pages/handbook/faq.json"), "[]");
    const payload = { id: "help", s3Bucket: "pages", s3Prefix: "handbook" };
    expect((await service.app.inject({ method: "POST", url: "/api/admin/filesets", headers, payload })).statusCode).toBe(201);
    expect((await get("/filesets")).json<{ id: string }[]>().map(({ id }) => id)).not.toContain("help");
    expect((await get(`/filesets/${helpFilesetId}/download?file=faq.json`)).body).toBe("[]");
    await service.app.inject({ method: "DELETE", url: "/api/admin/filesets/help", headers });
  });

  it("[SESSION-28] [TOOLS-04] serves the UI configuration without sign-in, with the tools that it has", async () => {
    const response = await service.app.inject({ url: "/api/ui/config" });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        appTitle: "",
        appSubtitle: "",
        feedbackEnabled: true,
        availableTorchServices: [],
        downloadableTools: [{ display: "Test client", icon: { type: "fa-solid", name: "code" } }],
        cac: null,
        oidc: null,
      },
    ]);
  });

  const admin = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object) =>
    service.app.inject({
      method,
      url: `/api/admin/${path}`,
      headers: { authorization: `Bearer ${tokens.admin}` },
      ...(payload ? { payload } : {}),
    });

  it("[ENTITY-21][ENTITY-22] applies changes of administrators immediately: title, new dataset, disabled dataset", async () => {
    const headers = { authorization: `Bearer ${tokens.admin}` };
    expect((await admin("POST", "config", { name: "main", appTitle: "Harbour" })).statusCode).toBe(201);
    expect((await service.app.inject({ url: "/api/ui/config" })).json()).toMatchObject({ appTitle: "Harbour" });
    await admin("DELETE", "config/main");
    expect((await service.app.inject({ url: "/api/ui/config" })).json()).toMatchObject({ appTitle: "" });

    const search = async (id: string) =>
      (await service.app.inject({ method: "POST", url: `/api/datasets/Coast/${id}/search`, headers, payload: { filters: [] } })).statusCode;
    const { entity } = tides.datasets[0] as (typeof tides.datasets)[number];
    expect((await admin("POST", "datasets/internal", { ...entity, id: "copies" })).statusCode).toBe(201);
    expect(await search("copies")).toBe(200);
    await admin("PUT", "datasets/internal/copies/disable");
    expect(await search("copies")).toBe(404);
    await admin("DELETE", "datasets/internal/copies");
  });

  it("tries jolt specifications of administrators", async () => {
    const joltSpec = [{ operation: "shift", spec: { "*": "all" } }];
    const tried = await admin("POST", "joltSpecifications/try", { joltSpec, input: { a: 1, b: 2 } });
    expect(tried.json()).toEqual({ output: { all: [1, 2] } });
    const refused = await admin("POST", "joltSpecifications/try", { joltSpec: [{ operation: "shift", spec: { a: 7 } }], input: {} });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, "joltSpec.0.spec.a"]);
  });

  it("[ABOUT-03] answers metadata of the gateway, the database and the engine", async () => {
    expect((await admin("GET", "metadata")).json()).toMatchObject({
      gateway: { version: expect.stringMatching(/^\d/), release: "r7 with later changes" },
      database: {},
      engine: { version: expect.any(String) },
    });
  });

  it("serves a reference page with a content security policy and without scripts", async () => {
    const response = await service.app.inject({ url: "/api/reference" });
    const nonce = /<style nonce="([^"]+)"/.exec(response.body)?.[1] ?? "";
    expect(response.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    expect(response.body).not.toContain("<script");
  });

  it("reports liveness and readiness", async () => {
    expect((await service.app.inject({ url: "/api/health/live" })).json()).toEqual({ status: "ok" });
    expect((await service.app.inject({ url: "/api/health/ready" })).json()).toEqual({
      status: "ok",
      checks: { database: "ok", engine: "ok", store: "ok" },
    });
  });
});

describe("a seeded portal", () => {
  it("[SEARCH-66] answers searches of a user without roles", async () => {
    const headers = { authorization: `Bearer ${tokens.reader}` };
    const response = await service.app.inject({
      method: "POST",
      url: "/api/datasets/Coast/tides/search",
      headers,
      payload: { filters: [{ name: "height", operator: ">", value: 7 }] },
    });
    expect(response.json()).toEqual({ results: [{ harbour: "Brest", height: 7.4 }] });
  });

  it("compresses large responses for callers that accept it", async () => {
    const headers = { authorization: `Bearer ${tokens.reader}`, "accept-encoding": "gzip" };
    const response = await service.app.inject({ url: "/api/openapi.json", headers });
    expect(response.headers["content-encoding"]).toBe("gzip");
  });
});
