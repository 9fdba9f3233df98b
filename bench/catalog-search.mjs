// @ts-check
// Compares searching a catalog of 1,000 datasets × 50 columns over HTTP with the SQL statements that find, rank and read the hits.
import { catalog as contract } from "@fairway/contract/catalog";
import { openCatalog } from "@fairway/gateway/capabilities/catalog/capability";
import { openDatasets } from "@fairway/gateway/capabilities/datasets/capability";
import { serveCapability } from "@fairway/gateway/http/capability";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import { entityStore } from "@fairway/gateway/entities/store";
import { installErrorHandler } from "@fairway/gateway/http/error-handler";
import { Gatekeeper } from "@fairway/gateway/http/gatekeeper";
import { EngineRegistry } from "@fairway/gateway/query/engines";
import Fastify from "fastify";
import { checkout } from "../scripts/lib/checkout.mjs";
import { describeColumn, describeDataset } from "../scripts/lib/described-datasets.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison & { what: string, hits: number, reached: boolean }} CatalogSearchResult */

const count = 1_000;
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });
const reader = { id: "reader", username: "reader", roles: ["editor"], sessionId: "s", signedInAtMs: 0 };

const subjects =
  "storm river harbor airport station market school forest glacier vessel satellite clinic bridge orchard reservoir tunnel".split(" ");
const measures = "height speed depth count price duration pressure humidity temperature rating distance volume weight capacity".split(" ");
const sentence =
  "Reported by the operator at the end of each period, checked against the reports of its neighbors and corrected where they disagree.";

/** @param {number} index */
const dataset = (index) =>
  describeDataset({
    id: `${subjects[index % subjects.length]}-${measures[index % measures.length]}-${index}`,
    category: `Category ${index % 20}`,
    description: `${sentence} Series ${index} covers every ${subjects[(index * 7) % subjects.length]}.`,
    roles: index % 3 === 0 ? ["editor"] : [],
    glob: `data/dataset${index}/*.parquet`,
    schema: {
      columns: Array.from({ length: 50 }, (_, at) => {
        const measure = measures[(index + at) % measures.length];
        const subject = subjects[(index * 3 + at) % subjects.length];
        return describeColumn(`${subject}_${measure}_${at}`, "STRING", `The ${measure} of the ${subject}, as read at noon.`);
      }),
    },
  });

const searches = [
  { what: "one dataset by its name", text: "tunnel-distance-911" },
  { what: "two words", text: "glacier pressure" },
  { what: "a typing error", text: "reservior" },
  { what: "a prefix while typing", text: "hum" },
  { what: "a word of every dataset", text: "neighbors" },
  { what: "a part that reaches over two words of names", text: "erheigh" },
  { what: "two words that no dataset has together", text: "humidity submarine" },
];

/** @returns {Promise<CatalogSearchResult[]>} */
export async function measureCatalogSearch() {
  const server = await startEmbeddedPostgres({ folder: `${checkout}/.build/bench-catalog`, log: silent });
  const database = connectDatabase(server.url, { maxConnections: 5 });
  const { db } = database;
  const app = Fastify();
  try {
    await migrate(/** @type {never} */ (db));
    await database.pool.query("delete from entities");
    await database.pool.query(
      "insert into entities (type, id, body) select 'datasets/internal', body ->> 'id', body from jsonb_array_elements($1::jsonb) body",
      [JSON.stringify(Array.from({ length: count }, (_, index) => dataset(index)))],
    );
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const gatekeeper = new Gatekeeper({ readAccessToken: () => Promise.resolve(reader), readStepToken: () => Promise.resolve(undefined) });
    const entities = entityStore(db, silent, /** @type {any} */ (undefined));
    const entityChanges = { subscribe: () => undefined };
    const engines = new EngineRegistry(/** @type {any} */ ({}), silent);
    const datasets = openDatasets({ entities, entityChanges, engines, categories: [] });
    const { schemas: schemasOf, indexable } = datasets;
    const started = performance.now();
    const catalog = await openCatalog({ db, schemasOf, communityDescriptions: async () => [], indexable, entityChanges, log: silent });
    await app.register(async (api) => serveCapability(api, gatekeeper, catalog), { prefix: "/api" });
    const caller = new Caller(await app.listen({ port: 0, host: "127.0.0.1" }), "anything");
    const find = async (/** @type {string} */ text) =>
      JSON.parse(expectOk(await caller.call("GET", `${contract.find.path}?text=${encodeURIComponent(text)}&limit=50`)).text);
    await find("warm");
    console.log(`indexed in ${Math.round(performance.now() - started)} ms`);
    /** @type {CatalogSearchResult[]} */
    const results = [];
    for (const { what, text } of searches) {
      const statements = await recordStatements(database.pool, () => find(text));
      const { total } = await find(text);
      const compared = await compareInTurns(
        { rounds: 3, turns: 15 },
        async () => void (await find(text)),
        async () => {
          for (const [sql, values] of statements) await database.pool.query(sql, values);
        },
      );
      results.push({ what, hits: total, ...compared, reached: compared.ours <= compared.theirs * 1.5 + 5 });
    }
    caller.close();
    await catalog.close?.();
    return results;
  } finally {
    await app.close();
    await database.close();
    await server.stop();
  }
}

/**
 * The statements that a call runs, with their values.
 * @param {{ query: Function, connect: Function }} pool
 * @param {() => Promise<unknown>} call
 * @returns {Promise<[sql: string, values: any[]][]>}
 */
async function recordStatements(pool, call) {
  /** @type {[string, any[]][]} */
  const statements = [];
  /** @type {any[]} */
  const recorded = [];
  const { connect } = pool;
  pool.connect = async (/** @type {any[]} */ ...given) => {
    const client = await connect.apply(pool, given);
    if (recorded.includes(client)) return client;
    const { query } = client;
    recorded.push(client);
    client.query = (/** @type {any} */ statement, /** @type {any[]} */ values) => {
      statements.push(typeof statement === "string" ? [statement, values] : [statement.text, statement.values ?? values]);
      return query.call(client, statement, values);
    };
    return client;
  };
  try {
    await call();
  } finally {
    pool.connect = connect;
    // The method of the class is visible again.
    for (const client of recorded) delete client.query;
  }
  return statements;
}
