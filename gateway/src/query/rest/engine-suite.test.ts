import { describeEngine, suiteColumns, suiteRows } from "#testing/engine-suite.ts";
import { type UpstreamHandler, externalOver, restBench } from "./test-upstream.ts";

/** An upstream over the suite's rows that supports equality, minimum values, pages and a total. */
const rowsUpstream: UpstreamHandler = ({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://upstream");
  if (pathname !== "/rows") return response.writeHead(500).end();
  const param = (name: string) => searchParams.get(name);
  const matching = suiteRows.filter(
    ({ n, name }) =>
      (param("n") === null || String(n) === param("n")) &&
      (param("min_n") === null || n >= Number(param("min_n"))) &&
      (param("name") === null || name === param("name")),
  );
  const skip = Number(param("skip") ?? 0);
  const page = matching.slice(skip, skip + Number(param("take") ?? matching.length));
  // Big integers as plain numbers, as some upstreams send them.
  const text = JSON.stringify({ results: page, total: matching.length }).replaceAll(/"big":"(-?\d+)"/g, '"big":$1');
  return response.setHeader("content-type", "application/json").end(text);
};

const filters = ["n", "name"].map((name) => ({ name, type: name === "n" ? 0 : 1, placement: 1 }));
const columns = Object.entries(suiteColumns).map(([name, type]) => ({ name, type, description: "", combined: null }));

describeEngine("of upstream services", { sorts: false, pages: true, counts: true, maps: false }, async () => {
  const bench = await restBench();
  bench.respond(rowsUpstream);
  const paging = { offset: "skip", max: "take", total: "total" };
  const api = { filters, columns, paging, operators: { "=": "{name}", ">=": "min_{name}" } };
  return {
    engine: bench.engine,
    dataset: externalOver(bench.url, api),
    broken: externalOver(bench.url, { ...api, path: "/broken" }),
    operators: { n: ["=", ">="], name: ["="] },
    close: () => bench.close(),
  };
});

describeEngine(
  "of upstream services that answer everything at once",
  { sorts: false, pages: false, counts: false, maps: false },
  async () => {
    const bench = await restBench();
    bench.respond(rowsUpstream);
    const api = { filters, columns };
    return {
      engine: bench.engine,
      dataset: externalOver(bench.url, api),
      broken: externalOver(`${bench.url}/broken`, api),
      operators: { n: ["="], name: ["="] },
      close: () => bench.close(),
    };
  },
);
