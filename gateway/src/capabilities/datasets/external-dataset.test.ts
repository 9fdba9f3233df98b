import type { AccessList, DatasetDescription, DatasetSchema } from "@fairway/contract/datasets";
import type { ErrorBody } from "@fairway/contract/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { externalDatasets } from "#entities/entity-types.ts";
import { type RestBench, json, restBench } from "#query/rest/test-upstream.ts";
import { type DatasetApp, addDataset, datasetApp } from "#testing/dataset-app.ts";
import { someUser } from "#testing/some-user.ts";

let upstream: RestBench;
let app: DatasetApp;
beforeAll(async () => {
  upstream = await restBench();
  app = await datasetApp({ rest: upstream.engine, categories: [{ id: "Ports", description: "The operator's words." }] });
  const column = { name: "ship", type: "STRING", description: "Her name.", combined: null };
  const entity = {
    name: "Ports",
    description: "The service's own words.",
    baseRoute: upstream.url,
    apiKeyCredential: { headerName: "Authorization", key: "Bearer sesame-12345" },
    apis: [
      {
        name: "calls",
        description: "Who is in port.",
        path: "/ports/{port}/calls",
        method: 0,
        filters: [
          { name: "port", displayName: "Port", description: "Its code.", type: 1, placement: 0, required: true },
          { name: "length", displayName: "", type: 0, placement: 1, required: false },
        ],
        operators: { "=": "{name}", ">=": "min_{name}" },
        columns: [column],
        paging: { offset: "skip", max: "take", total: "total" },
      },
      { name: "list", path: "/ports", method: 2, filters: [{ name: "country", type: 1, placement: 2 }] },
    ],
  };
  await app.entities.create(externalDatasets, entity);
  await app.entities.create(externalDatasets, {
    ...entity,
    name: "Pilots",
    description: "Theirs.",
    roles: [{ roleName: "pilot" }, { roleName: "crew" }],
  });
  await app.entities.create(externalDatasets, { ...entity, name: "Off" }, { enabled: false });
  await addDataset(app, { category: "Ports", id: "list", description: "An internal one of the same name." });
});
afterAll(async () => {
  await app.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.respond(json({ results: [{ ship: "Ada" }], total: 3 }));
});

const calls = "/datasets/Ports/calls";
const search = (body: unknown, path = calls) => app.call<ErrorBody & { results: unknown }>([], "POST", `${path}/search`, body);
const port = { name: "port", operator: "=", value: "GBDVR" };

describe("external datasets", () => {
  it("are listed to holders of one of their roles while enabled", async () => {
    const listed = async (roles: string[]) =>
      (await app.call<AccessList>(roles, "GET", "/datasets")).body.map(({ id, description, datasets }) => [
        id,
        description,
        datasets.map(({ datasetId }) => datasetId),
      ]);
    const ports = ["Ports", "The operator's words.", ["list", "calls"]];
    expect(await listed([])).toEqual([ports]);
    expect(await listed(["admin"])).toEqual([ports]);
    expect(await listed(["crew"])).toEqual([ports, ["Pilots", "Theirs.", ["calls", "list"]]]);
    for (const category of ["Pilots", "Off", "Nowhere"]) {
      for (const call of [
        app.call([], "GET", `/datasets/${category}/calls/describe`),
        search({ filters: [port] }, `/datasets/${category}/calls`),
      ]) {
        expect(await call).toMatchObject({
          status: 404,
          body: { errors: [{ message: "There is no such dataset, or you don't have access to it." }] },
        });
      }
    }
    expect(upstream.requests).toEqual([]);
  });

  it("offer paging, but no count, if their API pages without a total", async () => {
    const api = {
      name: "levels",
      path: "/levels",
      method: 0,
      filters: [],
      paging: { offset: "skip", max: "take" },
    };
    await app.entities.create(externalDatasets, { name: "Tides", description: "", baseRoute: upstream.url, roles: [], apis: [api] });
    const { body } = await app.call<DatasetDescription>([], "GET", "/datasets/Tides/levels/describe");
    expect(body.features).toEqual(["SAMPLE", "PAGINATION"]);
    await app.entities.remove(externalDatasets, "Tides");
  });

  it("[ENTITY-07] are described by their API: filters with operators and features, without secrets", async () => {
    const { body, text } = await app.call<DatasetDescription>([], "GET", `${calls}/describe`);
    expect(body).toMatchObject({
      category: { id: "Ports", description: "The operator's words." },
      datasetId: "calls",
      description: "Who is in port.",
      features: ["PAGINATION", "COUNT"],
      assists: [],
      timeExtent: null,
      mapSupport: null,
    });
    expect(body.schema.columns.map(({ name }) => name)).toEqual(["ship"]);
    expect(body.filterSupport).toMatchObject({ supportsTimeRange: false, supportsGeospatial: false, supportsAdvancedFiltering: false });
    expect(body.filterSupport.staticFilters).toEqual([
      {
        id: "port",
        name: "port",
        display: "Port",
        description: "Its code.",
        required: true,
        type: "STRING",
        value: "",
        operator: "=",
        operators: ["="],
        preFilled: false,
      },
      {
        id: "length",
        name: "length",
        display: "length",
        description: "",
        required: false,
        type: "number",
        value: "",
        operator: "=",
        operators: ["=", ">="],
        preFilled: false,
      },
    ]);
    expect(text).not.toMatch(/sesame|Bearer|127\.0\.0\.1|v1\./);
    const { body: other } = await app.call<DatasetDescription>(["crew"], "GET", "/datasets/Pilots/list/describe");
    expect([other.features, other.schema.columns]).toEqual([["SAMPLE"], []]);
    // Serializing the whole dataset reveals no secret either.
    const serialized = await app.service.use(someUser(), "Ports", "calls", (dataset) => Promise.resolve(JSON.stringify(dataset)));
    expect(serialized).not.toContain("sesame");
    const { body: schema } = await app.call<DatasetSchema>([], "GET", `${calls}/schema`);
    expect(schema.columns.map(({ id, type }) => [id, type])).toEqual([["ship", 0]]);
  });

  it("are hidden by an internal dataset with the same name", async () => {
    const { body } = await app.call<DatasetSchema>([], "GET", "/datasets/Ports/list/schema");
    expect(body.description).toBe("An internal one of the same name.");
  });
});

describe("a search on an external dataset", () => {
  it("sends filters, paging and the revealed key as configured, and returns the upstream's rows", async () => {
    const filters = [port, { name: "length", operator: ">=", value: "9007199254740993" }];
    const { status, body } = await search({ filters, paging: { offset: 25, max: 25 } });
    expect([status, body]).toEqual([200, { results: [{ ship: "Ada" }] }]);
    expect(upstream.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ["GET", "/ports/GBDVR/calls?min_length=9007199254740993&skip=25&take=25", "Bearer sesame-12345"],
    ]);
  });

  it("counts by the upstream's total, and returns a sample if no filter is required", async () => {
    expect((await app.call([], "POST", `${calls}/aggregate/count/*`, { filters: [port] })).body).toEqual({ totalResults: 3 });
    expect((await app.call(["crew"], "GET", "/datasets/Pilots/list/sample")).body).toEqual({ results: [{ ship: "Ada" }] });
    expect((await app.call([], "GET", `${calls}/sample`)).status).toBe(400);
    expect(upstream.requests.map(({ url }) => url)).toEqual(["/ports/GBDVR/calls?skip=0&take=1", "/ports"]);
  });

  it("sets truncated when the upstream has more rows", async () => {
    const body = await search({ filters: [port] });
    expect(body.body).toEqual({ results: [{ ship: "Ada" }], truncated: true });
  });

  it.each([
    ["without a required filter", {}, "missing-filter", "filters", "Port"],
    ["by an unknown filter", { filters: [port, { ...port, name: "ship" }] }, "unknown-column", "filters.1.name", "'ship'"],
    [
      "by an operator that is not declared",
      { filters: [{ ...port, operator: "<>" }] },
      "unknown-operator",
      "filters.0.operator",
      "'port'. Use one of: =.",
    ],
    ["by an unknown operator", { filters: [{ ...port, operator: "like" }] }, "unknown-operator", "filters.0.operator", "'like'"],
    [
      "by a text for a number",
      { filters: [port, { name: "length", operator: "=", value: "long" }] },
      "invalid-value",
      "filters.1.value",
      "'long' is not a number",
    ],
    [
      "by '..' in the path",
      { filters: [{ ...port, value: ".." }] },
      "not-supported",
      undefined,
      "'..' cannot be used in the path as 'port'.",
    ],
    [
      "by time",
      { filters: [port], timeRange: { start: "2020-01-01T00:00:00Z", end: "2020-01-02T00:00:00Z" } },
      "not-supported",
      "timeRange",
      "time range",
    ],
    ["in an order", { filters: [port], sort: [{ column: "ship", direction: "asc" }] }, "not-supported", undefined, "decides the order"],
  ])("is refused with 400 %s", async (_, body, code, path, words) => {
    const { status, body: response } = await search(body);
    expect([status, response.errors[0]?.code, response.errors[0]?.path]).toEqual([400, code, path]);
    expect(response.errors[0]?.message).toContain(words);
    expect(upstream.requests).toEqual([]);
  });

  it("is refused with 400 for an aggregate that the upstream does not provide", async () => {
    const { status } = await app.call([], "POST", `${calls}/aggregate/max/ship`, { filters: [port] });
    expect(status).toBe(400);
    const counted = await app.call([], "POST", `${calls}/aggregate/count/ship`, { filters: [port] });
    expect([counted.status, counted.body.errors[0]?.message]).toEqual([
      400,
      "The service behind this dataset does not provide this aggregation.",
    ]);
  });

  it("responds with 502 and the upstream's reason", async () => {
    upstream.respond((_, response) => response.writeHead(404, { "content-type": "application/json" }).end('{"message":"No port GBDVR."}'));
    const failed = await search({ filters: [port] });
    expect([failed.status, failed.body.errors]).toEqual([
      502,
      [{ code: "upstream-failed", message: "The service behind this dataset answered 404 Not Found: No port GBDVR." }],
    ]);
    upstream.respond((request, response) => response.writeHead(401).end(`${String(request.headers.authorization)} is wrong`));
    const echoed = await search({ filters: [port] });
    expect(echoed.status).toBe(502);
    expect(echoed.text).not.toContain("sesame");
    expect(upstream.log.join("\n")).not.toContain("sesame");
  });

  it("responds with 504 after a timeout", async () => {
    const silent = await restBench({ limits: { upstreamReadMs: 100 } });
    onTestFinished(() => silent.close());
    silent.respond(() => undefined);
    const impatient = await datasetApp({ rest: silent.engine });
    onTestFinished(() => impatient.close());
    await impatient.entities.create(externalDatasets, {
      name: "Ports",
      description: "",
      baseRoute: silent.url,
      apis: [{ name: "list", path: "/ports", method: 0, filters: [] }],
    });
    const slow = await impatient.call([], "POST", "/datasets/Ports/list/search", { filters: [] });
    expect([slow.status, slow.body.errors[0]?.code]).toEqual([504, "timed-out"]);
  });
});
