import { afterEach, describe, expect, it } from "vitest";
import type { ComparisonCondition, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { type RestBench, externalOver, json, restBench } from "./test-upstream.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };

const benches: RestBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});
async function openBench(...options: Parameters<typeof restBench>): Promise<RestBench> {
  const bench = await restBench(...options);
  benches.push(bench);
  return bench;
}

const search = async ({ engine }: RestBench, dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
  rowsOf(await engine.search(dataset, { ...all, ...query }, call));
const text = (column: string, value: string, operator: ComparisonCondition["operator"] = "="): ComparisonCondition => ({
  column,
  type: "STRING",
  operator,
  value,
});
const number = (column: string, value: number | bigint, operator: ComparisonCondition["operator"] = "="): ComparisonCondition => ({
  column,
  type: "decimal",
  operator,
  value,
});
const filter = (name: string, placement: number, type = 1) => ({ name, placement, type, required: placement === 0 });

describe("filters", () => {
  const filters = [filter("place", 0), filter("q", 1), filter("size", 1, 0)];

  it("[ENTITY-06][ENTITY-08] are sent with GET (0) in the path (0), percent-encoded, and in the query (1)", async () => {
    const bench = await openBench();
    const dataset = externalOver(`${bench.url}/v1/`, { path: "/in/{place}/rows?format=json", filters });
    await search(bench, dataset, { conditions: [text("place", "a/b c?%2e#é"), text("q", "x&y=z +"), number("size", 2.5)] });
    expect(bench.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/v1/in/a%2Fb%20c%3F%252e%23%C3%A9/rows?format=json&q=x%26y%3Dz%20%2B&size=2.5", ""],
    ]);
  });

  it.each([
    ["PUT", 1],
    ["POST", 2],
  ])("[ENTITY-06][ENTITY-08] are sent with %s (%i) in the body (2), too, as JSON of their types", async (method, code) => {
    const bench = await openBench();
    const dataset = externalOver(bench.url, { method: code, filters: [...filters.slice(1), filter("name", 2), filter("__proto__", 2, 0)] });
    await search(bench, dataset, { conditions: [text("q", "é"), text("name", 'a"b'), number("__proto__", 9007199254740993n)] });
    const [received] = bench.requests;
    expect([received?.method, received?.url, received?.body]).toEqual([
      method,
      "/rows?q=%C3%A9",
      '{"name":"a\\"b","__proto__":9007199254740993}',
    ]);
    expect(received?.headers["content-type"]).toBe("application/json");
  });

  it("are sent by the names that the API declares for operators", async () => {
    const bench = await openBench();
    const dataset = externalOver(bench.url, {
      filters,
      path: "/rows/{place}",
      operators: { "=": "{name}", ">=": "min_{name}", "<": "{name}[lt]" },
    });
    await search(bench, dataset, { conditions: [text("place", "a"), number("size", 1, ">="), number("size", 7, "<")] });
    expect(bench.requests[0]?.url).toBe("/rows/a?min_size=1&size%5Blt%5D=7");
  });

  it.each([
    ["an undeclared filter", [text("other", "x")], "The service has no filter 'other'."],
    ["an undeclared operator", [number("size", 1, ">")], "The service cannot filter 'size' by '>'."],
    ["a filter that is used twice", [text("q", "a"), text("q", "b")], "The service accepts 'q' only once."],
    ["an empty text in the path", [text("place", "")], "'' cannot be used in the path as 'place'."],
    ["'.' in the path", [text("place", ".")], "'.' cannot be used in the path as 'place'."],
    ["'..' in the path", [text("place", "..")], "'..' cannot be used in the path as 'place'."],
  ])("are refused for %s", async (_, conditions, message) => {
    const bench = await openBench();
    const dataset = externalOver(bench.url, { path: "/rows/{place}", filters });
    const allConditions = conditions.some(({ column }) => column === "place") ? conditions : [text("place", "x"), ...conditions];
    await expect(search(bench, dataset, { conditions: allConditions })).rejects.toMatchObject({ reason: "unsupported", message });
    expect(bench.requests).toEqual([]);
  });

  it("cannot leave the base route, not even as a combination of two", async () => {
    const bench = await openBench();
    const dataset = externalOver(`${bench.url}/v1`, { path: "/{a}{b}/x", filters: [filter("a", 0), filter("b", 0)] });
    expect(
      await search(bench, dataset, { conditions: [text("a", ".."), text("b", "x")] }).catch((error: Error) => error.message),
    ).toContain("..");
    const dots = externalOver(`${bench.url}/v1`, { path: "/.{a}/x", filters: [filter("a", 0)] });
    await search(bench, dots, { conditions: [text("a", "x")] });
    await expect(search(bench, dots, { conditions: [text("a", ".x")] })).resolves.toEqual([]);
    expect(bench.requests.map(({ url }) => url)).toEqual(["/v1/.x/x", "/v1/..x/x"]);
  });

  it("are sent with the API key in its header", async () => {
    const bench = await openBench();
    await search(bench, externalOver(bench.url, {}, { apiKeyCredential: { headerName: "X-Harbour-Key", key: "key 1" } }));
    expect(bench.requests[0]?.headers["x-harbour-key"]).toBe("key 1");
  });
});

describe("rows", () => {
  const rows = [{ a: 1 }, { a: 2 }];
  it.each([
    ["a list", rows, null],
    ["a list in results", { results: rows }, null],
    ["JSON text in results", { results: JSON.stringify(rows) }, null],
    ["a list at rowsPath", { data: { items: rows } }, "data.items"],
    ["a list at a name with a dot", { "data.items": rows }, "data.items"],
    ["a list at a JSON pointer", { data: [{ "a/b": rows }] }, "/data/0/a~1b"],
  ])("are read from %s", async (_, body, rowsPath) => {
    const bench = await openBench();
    bench.respond(json(body));
    expect(await search(bench, externalOver(bench.url, { rowsPath }))).toEqual(rows);
  });

  it.each([
    ["an object in results", { results: { a: 1 } }, null],
    ["JSON text of an object in results", { results: '{"a":1}' }, null],
    ["the response itself", { a: 1 }, ""],
  ])("are read as a single one from %s", async (_, body, rowsPath) => {
    const bench = await openBench();
    bench.respond(json(body));
    expect(await search(bench, externalOver(bench.url, { rowsPath }))).toEqual([{ a: 1 }]);
  });

  it.each([
    [{ results: null }, null, "The service behind this dataset returned null where rows were expected: in 'results'."],
    [{ results: 7 }, null, "The service behind this dataset returned number where rows were expected: in 'results'."],
    [{ rows: [] }, null, "The service behind this dataset returned no 'results'."],
    [{ results: "no JSON" }, null, "The service behind this dataset returned text in 'results' that is not JSON."],
    [[{ a: 1 }, [2]], null, "The service behind this dataset returned something other than an object as row 2 in its response."],
    [{}, "__proto__", "The service behind this dataset returned no '__proto__'."],
    [{}, "constructor.name", "The service behind this dataset returned no 'constructor.name'."],
  ])("are not read from %j", async (body, rowsPath, message) => {
    const bench = await openBench();
    bench.respond(json(body));
    await expect(search(bench, externalOver(bench.url, { rowsPath }))).rejects.toMatchObject({ reason: "upstream", message });
  });

  it("hold the declared columns in order, converted to their types if the value allows", async () => {
    const bench = await openBench();
    bench.respond(
      json([{ p: { mag: "1.5", at: "2020-01-01T00:00:00.5Z", n: "12", ok: "true" }, t: 1.9, list: [1], extra: 1, at: "1577836800000" }]),
    );
    const column = (name: string, type: string) => ({ name, type, description: "", combined: null });
    const columns = [
      column("t", "STRING"),
      column("p.mag", "decimal"),
      column("p.n", "integer"),
      column("p.at", "TIMESTAMP_SECONDS"),
      column("at", "TIMESTAMP_MILLS"),
      column("p.ok", "BOOLEAN"),
      column("list", "STRING"),
      column("none", "integer"),
    ];
    const dataset = externalOver(bench.url, { columns });
    const stream = await bench.engine.search(dataset, all, call);
    let written = "";
    for await (const chunk of stream.chunks) written += chunk;
    expect(written).toBe('{"t":"1.9","p.mag":1.5,"p.n":12,"p.at":1577836800,"at":1577836800000,"p.ok":true,"list":"[1]","none":null}');
    bench.respond(json([{ p: { mag: "n/a", at: "soon" }, at: null }]));
    expect(await search(bench, dataset)).toMatchObject([{ "p.mag": "n/a", "p.at": "soon", at: null }]);
  });

  it("hold their own fields without declared columns, with objects flattened", async () => {
    const bench = await openBench();
    bench.respond(json([{ id: 1, where: { lat: 1.5, tags: ["a"], none: {} } }, JSON.parse('{"__proto__":1}')]));
    const dataset = externalOver(bench.url);
    const stream = await bench.engine.search(dataset, all, call);
    let written = "";
    for await (const chunk of stream.chunks) written += chunk;
    expect(written).toBe('{"id":1,"where.lat":1.5,"where.tags":"[\\"a\\"]","where.none":"{}"},{"__proto__":1}');
    expect((await bench.engine.columns(dataset.source, call)).map(({ name, type }) => [name, type])).toEqual([
      ["id", "integer"],
      ["where.lat", "decimal"],
      ["where.tags", "STRING"],
      ["where.none", "STRING"],
      ["__proto__", "integer"],
    ]);
  });

  it("hold integers beyond 2^53 as text, wherever they occur", async () => {
    const bench = await openBench();
    bench.respond((_, response) =>
      response.end(
        '[{"a":9007199254740993,"b":-12345678901234567890,"c":"9007199254740993","d":0.12345678901234567890,"e":9007199254740991,"f":1e400,"g":"\\"9007199254740993"}]',
      ),
    );
    expect(await search(bench, externalOver(bench.url))).toEqual([
      {
        a: "9007199254740993",
        b: "-12345678901234567890",
        c: "9007199254740993",
        d: 0.12345678901234568,
        e: 9007199254740991,
        f: null,
        g: '"9007199254740993',
      },
    ]);
  });

  it("are cut at the limit, which is reported", async () => {
    const bench = await openBench();
    bench.respond(json(Array.from({ length: 1_201 }, (_, n) => ({ n }))));
    const cut = await bench.engine.search(externalOver(bench.url), { ...all, limit: 1_200 }, call);
    expect((await rowsOf(cut)).map(({ n }) => n)).toEqual(Array.from({ length: 1_200 }, (_, n) => n));
    expect(await cut.hasMore).toBe(true);
    expect(await (await bench.engine.search(externalOver(bench.url), { ...all, limit: 1_201 }, call)).hasMore).toBe(false);
  });

  it("are empty for a response without content", async () => {
    const bench = await openBench();
    bench.respond((_, response) => response.writeHead(204).end());
    expect(await search(bench, externalOver(bench.url))).toEqual([]);
  });
});

describe("pages and totals", () => {
  const paging = { offset: "skip", max: "take", total: "page.total" };

  it("are requested by the declared names; the total shows whether there are more", async () => {
    const bench = await openBench();
    bench.respond(json({ results: [{ n: 1 }, { n: 2 }], page: { total: "12" } }));
    const dataset = externalOver(bench.url, { paging });
    const stream = await bench.engine.search(dataset, { ...all, offset: 4, limit: 2 }, call);
    expect([bench.requests[0]?.url, await stream.hasMore]).toEqual(["/rows?skip=4&take=2", true]);
    expect(await (await bench.engine.search(dataset, { ...all, offset: 10, limit: 2 }, call)).hasMore).toBe(false);
    expect(await bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call)).toEqual([[12]]);
    expect(bench.requests[2]?.url).toBe("/rows?skip=0&take=1");
  });

  it("may have more after any full page if the API declares no total", async () => {
    const bench = await openBench();
    bench.respond(json({ results: [{ n: 1 }, { n: 2 }] }));
    const dataset = externalOver(bench.url, { paging: { offset: "skip", max: "take" } });
    const hasMore = async (offset: number, limit: number) => (await bench.engine.search(dataset, { ...all, offset, limit }, call)).hasMore;
    expect([await hasMore(0, 2), await hasMore(4, 2), await hasMore(4, 3)]).toEqual([true, true, false]);
  });

  it("may be sent in the body", async () => {
    const bench = await openBench();
    await search(bench, externalOver(bench.url, { method: 2, paging: { offset: "from", max: "size", placement: 2 } }), {
      offset: 5,
      limit: 5,
    });
    expect(bench.requests[0]?.body).toBe('{"from":5,"size":5}');
  });

  it("fail if the response has no total", async () => {
    const bench = await openBench();
    for (const total of [undefined, -1, 1.5, "many", null]) {
      bench.respond(json({ results: [], page: { total } }));
      const count = bench.engine.aggregate(externalOver(bench.url, { paging }), [{ type: "count", column: "*" }], [], all, call);
      await expect(count).rejects.toMatchObject({
        reason: "upstream",
        message: "The service behind this dataset returned no number of rows in 'page.total'.",
      });
    }
  });

  it("are refused if the API declares none, like everything else that an upstream cannot do", async () => {
    const bench = await openBench();
    const dataset = externalOver(bench.url);
    const attempts = [
      search(bench, dataset, { offset: 1 }),
      search(bench, dataset, { sort: [{ column: "a", direction: "asc" }] }),
      search(bench, dataset, { timeRange: { column: "t", type: "TIMESTAMP_MILLS", startMs: 0, endMs: 1 } }),
      search(bench, dataset, { area: { latitude: "a", longitude: "b", rings: [] } }),
      bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call),
      bench.engine.aggregate(externalOver(bench.url, { paging }), [{ type: "avg", column: "a" }], [], all, call),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ reason: "unsupported" });
    expect(bench.requests).toEqual([]);
  });
});
