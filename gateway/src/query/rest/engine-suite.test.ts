import { describeEngine, suiteColumns, suiteRows } from "#testing/engine-suite.ts";
import { type UpstreamHandler, externalOver, restBench } from "./test-upstream.ts";

/** An upstream over the suite's rows: equal and least values, pages and a total. */
const rowsUpstream: UpstreamHandler = ({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://upstream");
  if (pathname !== "/rows") return response.writeHead(500).end();
  const given = (name: string) => searchParams.get(name);
  const fitting = suiteRows.filter(
    ({ n, name }) =>
      (given("n") === null || String(n) === given("n")) &&
      (given("min_n") === null || n >= Number(given("min_n"))) &&
      (given("name") === null || name === given("name")),
  );
  const skip = Number(given("skip") ?? 0);
  const page = fitting.slice(skip, skip + Number(given("take") ?? fitting.length));
  // As an upstream that knows integers of any size writes them.
  const text = JSON.stringify({ results: page, total: fitting.length }).replaceAll(/"big":"(-?\d+)"/g, '"big":$1');
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
