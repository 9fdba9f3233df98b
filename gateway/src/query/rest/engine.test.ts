import { afterEach, describe, expect, it } from "vitest";
import type { Condition, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { type RestBench, externalOver, json, restBench } from "./test-upstream.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };

const benches: RestBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});
async function bench(...options: Parameters<typeof restBench>): Promise<RestBench> {
  const made = await restBench(...options);
  benches.push(made);
  return made;
}

const search = async ({ engine }: RestBench, dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
  rowsOf(await engine.search(dataset, { ...all, ...query }, call));
const text = (column: string, value: string, operator: Condition["operator"] = "="): Condition => ({
  column,
  type: "STRING",
  operator,
  value,
});
const number = (column: string, value: number | bigint, operator: Condition["operator"] = "="): Condition => ({
  column,
  type: "decimal",
  operator,
  value,
});
const filter = (name: string, placement: number, type = 1) => ({ name, placement, type, required: placement === 0 });

describe("filters travel", () => {
  const filters = [filter("place", 0), filter("q", 1), filter("size", 1, 0)];

  it("[ENTITY-06][ENTITY-08] with GET (0) in the path (0), percent-encoded, and in the query (1)", async () => {
    const made = await bench();
    const dataset = externalOver(`${made.url}/v1/`, { path: "/in/{place}/rows?format=json", filters });
    await search(made, dataset, { conditions: [text("place", "a/b c?%2e#é"), text("q", "x&y=z +"), number("size", 2.5)] });
    expect(made.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", "/v1/in/a%2Fb%20c%3F%252e%23%C3%A9/rows?format=json&q=x%26y%3Dz%20%2B&size=2.5", ""],
    ]);
  });

  it.each([
    ["PUT", 1],
    ["POST", 2],
  ])("[ENTITY-06][ENTITY-08] with %s (%i) in the body (2), too, as JSON of their types", async (method, code) => {
    const made = await bench();
    const dataset = externalOver(made.url, { method: code, filters: [...filters.slice(1), filter("name", 2), filter("__proto__", 2, 0)] });
    await search(made, dataset, { conditions: [text("q", "é"), text("name", 'a"b'), number("__proto__", 9007199254740993n)] });
    const [asked] = made.asked;
    expect([asked?.method, asked?.url, asked?.body]).toEqual([method, "/rows?q=%C3%A9", '{"name":"a\\"b","__proto__":9007199254740993}']);
    expect(asked?.headers["content-type"]).toBe("application/json");
  });

  it("by the names that the api declares for operators", async () => {
    const made = await bench();
    const dataset = externalOver(made.url, {
      filters,
      path: "/rows/{place}",
      operators: { "=": "{name}", ">=": "min_{name}", "<": "{name}[lt]" },
    });
    await search(made, dataset, { conditions: [text("place", "a"), number("size", 1, ">="), number("size", 7, "<")] });
    expect(made.asked[0]?.url).toBe("/rows/a?min_size=1&size%5Blt%5D=7");
  });

  it.each([
    ["an undeclared filter", [text("other", "x")], "The upstream has no filter 'other'."],
    ["an undeclared operator", [number("size", 1, ">")], "The upstream cannot filter 'size' by '>'."],
    ["a filter that is given twice", [text("q", "a"), text("q", "b")], "The upstream takes 'q' once."],
    ["an empty text in the path", [text("place", "")], "'' cannot stand in the path as 'place'."],
    ["'.' in the path", [text("place", ".")], "'.' cannot stand in the path as 'place'."],
    ["'..' in the path", [text("place", "..")], "'..' cannot stand in the path as 'place'."],
  ])("but not %s", async (_, conditions, message) => {
    const made = await bench();
    const dataset = externalOver(made.url, { path: "/rows/{place}", filters });
    const given = conditions.some(({ column }) => column === "place") ? conditions : [text("place", "x"), ...conditions];
    await expect(search(made, dataset, { conditions: given })).rejects.toMatchObject({ reason: "unsupported", message });
    expect(made.asked).toEqual([]);
  });

  it("never out of the baseRoute, not even two of them together", async () => {
    const made = await bench();
    const dataset = externalOver(`${made.url}/v1`, { path: "/{a}{b}/x", filters: [filter("a", 0), filter("b", 0)] });
    expect(await search(made, dataset, { conditions: [text("a", ".."), text("b", "x")] }).catch((error: Error) => error.message)).toContain(
      "..",
    );
    const dots = externalOver(`${made.url}/v1`, { path: "/.{a}/x", filters: [filter("a", 0)] });
    await search(made, dots, { conditions: [text("a", "x")] });
    await expect(search(made, dots, { conditions: [text("a", ".x")] })).resolves.toEqual([]);
    expect(made.asked.map(({ url }) => url)).toEqual(["/v1/.x/x", "/v1/..x/x"]);
  });

  it("with the API key in its header", async () => {
    const made = await bench();
    await search(made, externalOver(made.url, {}, { apiKeyCredential: { headerName: "X-Harbour-Key", key: "key 1" } }));
    expect(made.asked[0]?.headers["x-harbour-key"]).toBe("key 1");
  });
});

describe("rows are read", () => {
  const rows = [{ a: 1 }, { a: 2 }];
  it.each([
    ["a list", rows, null],
    ["a list in results", { results: rows }, null],
    ["JSON text in results", { results: JSON.stringify(rows) }, null],
    ["a list at rowsPath", { data: { items: rows } }, "data.items"],
    ["a list at a name with a dot", { "data.items": rows }, "data.items"],
    ["a list at a JSON pointer", { data: [{ "a/b": rows }] }, "/data/0/a~1b"],
  ])("from %s", async (_, body, rowsPath) => {
    const made = await bench();
    made.respond(json(body));
    expect(await search(made, externalOver(made.url, { rowsPath }))).toEqual(rows);
  });

  it.each([
    ["an object in results", { results: { a: 1 } }, null],
    ["JSON text of an object in results", { results: '{"a":1}' }, null],
    ["the answer itself", { a: 1 }, ""],
  ])("as one from %s", async (_, body, rowsPath) => {
    const made = await bench();
    made.respond(json(body));
    expect(await search(made, externalOver(made.url, { rowsPath }))).toEqual([{ a: 1 }]);
  });

  it.each([
    [{ results: null }, null, "The upstream of this dataset answered null where rows belong: in 'results'."],
    [{ results: 7 }, null, "The upstream of this dataset answered number where rows belong: in 'results'."],
    [{ rows: [] }, null, "The upstream of this dataset answered without 'results'."],
    [{ results: "no JSON" }, null, "The upstream of this dataset answered a text in 'results' that is not JSON."],
    [[{ a: 1 }, [2]], null, "The upstream of this dataset answered something else than an object as row 2 in its answer."],
    [{}, "__proto__", "The upstream of this dataset answered without '__proto__'."],
    [{}, "constructor.name", "The upstream of this dataset answered without 'constructor.name'."],
  ])("never from %j", async (body, rowsPath, message) => {
    const made = await bench();
    made.respond(json(body));
    await expect(search(made, externalOver(made.url, { rowsPath }))).rejects.toMatchObject({ reason: "upstream", message });
  });

  it("with the declared columns in their order, in their types where the value says the same", async () => {
    const made = await bench();
    made.respond(
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
    const dataset = externalOver(made.url, { columns });
    const stream = await made.engine.search(dataset, all, call);
    let written = "";
    for await (const chunk of stream.chunks) written += chunk;
    expect(written).toBe('{"t":"1.9","p.mag":1.5,"p.n":12,"p.at":1577836800,"at":1577836800000,"p.ok":true,"list":"[1]","none":null}');
    made.respond(json([{ p: { mag: "n/a", at: "soon" }, at: null }]));
    expect(await search(made, dataset)).toMatchObject([{ "p.mag": "n/a", "p.at": "soon", at: null }]);
  });

  it("without declared columns with what they hold, objects by their fields", async () => {
    const made = await bench();
    made.respond(json([{ id: 1, where: { lat: 1.5, tags: ["a"], none: {} } }, JSON.parse('{"__proto__":1}')]));
    const dataset = externalOver(made.url);
    const stream = await made.engine.search(dataset, all, call);
    let written = "";
    for await (const chunk of stream.chunks) written += chunk;
    expect(written).toBe('{"id":1,"where.lat":1.5,"where.tags":"[\\"a\\"]","where.none":"{}"},{"__proto__":1}');
    expect((await made.engine.columns(dataset.source, call)).map(({ name, type }) => [name, type])).toEqual([
      ["id", "integer"],
      ["where.lat", "decimal"],
      ["where.tags", "STRING"],
      ["where.none", "STRING"],
      ["__proto__", "integer"],
    ]);
  });

  it("with whole numbers beyond 2^53 as texts, wherever they stand", async () => {
    const made = await bench();
    made.respond((_, response) =>
      response.end(
        '[{"a":9007199254740993,"b":-12345678901234567890,"c":"9007199254740993","d":0.12345678901234567890,"e":9007199254740991,"f":1e400,"g":"\\"9007199254740993"}]',
      ),
    );
    expect(await search(made, externalOver(made.url))).toEqual([
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

  it("of many, cut at the limit and told of", async () => {
    const made = await bench();
    made.respond(json(Array.from({ length: 1_201 }, (_, n) => ({ n }))));
    const cut = await made.engine.search(externalOver(made.url), { ...all, limit: 1_200 }, call);
    expect((await rowsOf(cut)).map(({ n }) => n)).toEqual(Array.from({ length: 1_200 }, (_, n) => n));
    expect(await cut.more).toBe(true);
    expect(await (await made.engine.search(externalOver(made.url), { ...all, limit: 1_201 }, call)).more).toBe(false);
  });

  it("none from an answer without content", async () => {
    const made = await bench();
    made.respond((_, response) => response.writeHead(204).end());
    expect(await search(made, externalOver(made.url))).toEqual([]);
  });
});

describe("pages and totals", () => {
  const paging = { offset: "skip", max: "take", total: "page.total" };

  it("are asked for by the declared names; the total tells whether there is more", async () => {
    const made = await bench();
    made.respond(json({ results: [{ n: 1 }, { n: 2 }], page: { total: "12" } }));
    const dataset = externalOver(made.url, { paging });
    const stream = await made.engine.search(dataset, { ...all, offset: 4, limit: 2 }, call);
    expect([made.asked[0]?.url, await stream.more]).toEqual(["/rows?skip=4&take=2", true]);
    expect(await (await made.engine.search(dataset, { ...all, offset: 10, limit: 2 }, call)).more).toBe(false);
    expect(await made.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call)).toEqual([[12]]);
    expect(made.asked[2]?.url).toBe("/rows?skip=0&take=1");
  });

  it("may stand in the body", async () => {
    const made = await bench();
    await search(made, externalOver(made.url, { method: 2, paging: { offset: "from", max: "size", placement: 2 } }), {
      offset: 5,
      limit: 5,
    });
    expect(made.asked[0]?.body).toBe('{"from":5,"size":5}');
  });

  it("fail where the answer has no total", async () => {
    const made = await bench();
    for (const total of [undefined, -1, 1.5, "many", null]) {
      made.respond(json({ results: [], page: { total } }));
      const asked = made.engine.aggregate(externalOver(made.url, { paging }), [{ type: "count", column: "*" }], [], all, call);
      await expect(asked).rejects.toMatchObject({
        reason: "upstream",
        message: "The upstream of this dataset answered without a number of rows in 'page.total'.",
      });
    }
  });

  it("are refused where the api declares none, and so is all that an upstream cannot do", async () => {
    const made = await bench();
    const dataset = externalOver(made.url);
    const asked = [
      search(made, dataset, { offset: 1 }),
      search(made, dataset, { sort: [{ column: "a", direction: "asc" }] }),
      search(made, dataset, { timeRange: { column: "t", type: "TIMESTAMP_MILLS", startMs: 0, endMs: 1 } }),
      search(made, dataset, { area: { latitude: "a", longitude: "b", rings: [] } }),
      made.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call),
      made.engine.aggregate(externalOver(made.url, { paging }), [{ type: "avg", column: "a" }], [], all, call),
    ];
    for (const one of asked) await expect(one).rejects.toMatchObject({ reason: "unsupported" });
    expect(made.asked).toEqual([]);
  });
});
