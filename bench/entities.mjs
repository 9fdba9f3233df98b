// @ts-check
// Compares listing 10,000 entities over HTTP with the SQL statement that reads their rows.
import { randomBytes } from "node:crypto";
import { entityDefinitions } from "@fairway/contract/administration";
import { entityRepositories } from "@fairway/gateway/capabilities/entities/entity-registry";
import { entityHandlers } from "@fairway/gateway/capabilities/entities/routes";
import { administrationOf } from "@fairway/gateway/capabilities/entities/service";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import { installErrorHandler } from "@fairway/gateway/http/error-handler";
import { Gatekeeper } from "@fairway/gateway/http/gatekeeper";
import { serve } from "@fairway/gateway/http/serve";
import { defaultSecurityLimits } from "@fairway/gateway/identity/security-limits";
import { masterKeyOf } from "@fairway/gateway/secrets/master-key";
import { JoltRunner } from "@fairway/gateway/jolt/runner";
import { AddressPolicy } from "@fairway/gateway/outbound/address-policy";
import Fastify from "fastify";
import { checkout } from "../scripts/lib/checkout.mjs";
import { describeColumn, describeDataset } from "../scripts/lib/described-datasets.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { compare } from "./lib/statistics.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison & { what: string }} EntityListResult */

const count = 10_000;
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });
const root = { id: "root", username: "root", roles: ["admin"], sessionId: "s", signedInAtMs: 0 };

/** @param {number} index */
const dataset = (index) =>
  describeDataset({
    id: `dataset${index}`,
    category: `Category ${index % 20}`,
    description: "Rows of a dataset as an organisation would describe it, in a sentence or two.",
    roles: index % 3 === 0 ? ["editor"] : [],
    glob: `data/dataset${index}/*.parquet`,
    schema: {
      columns: Array.from({ length: 12 }, (_, at) => describeColumn(`column${at}`, "STRING", "What a column of this name holds.")),
    },
  });

/** @type {["torch-service" | "datasets/internal", (index: number) => unknown][]} */
const kinds = [
  ["torch-service", (index) => ({ name: `service${index}`, baseUrl: `https://torch${index}.example.org/api` })],
  ["datasets/internal", dataset],
];

/** @returns {Promise<EntityListResult[]>} */
export async function measureEntityLists() {
  const server = await startEmbeddedPostgres({ folder: `${checkout}/.build/bench-entities`, log: silent });
  const database = connectDatabase(server.url, { maxConnections: 5 });
  const app = Fastify();
  try {
    await migrate(/** @type {never} */ (database.db));
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const gatekeeper = new Gatekeeper({ readAccessToken: () => root, readStepToken: () => Promise.resolve(undefined) });
    const repositories = entityRepositories({
      key: masterKeyOf(randomBytes(32)),
      onChanged: () => undefined,
      addresses: new AddressPolicy([]),
      jolt: new JoltRunner(),
    });
    await app.register(
      async (api) => {
        for (const [type] of kinds)
          serve(
            api,
            gatekeeper,
            entityDefinitions[type].routes,
            entityHandlers(administrationOf(database.db, repositories[type], defaultSecurityLimits)),
          );
      },
      { prefix: "/api" },
    );
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const caller = new Caller(origin, "anything");
    /** @type {EntityListResult[]} */
    const results = [];
    for (const [type, make] of kinds) {
      await database.pool.query("delete from entities");
      const bodies = Array.from({ length: count }, (_, index) => make(index));
      await database.pool.query(
        "insert into entities (type, id, body) select $1, coalesce(body ->> 'id', body ->> 'name'), body from jsonb_array_elements($2::jsonb) body",
        [type, JSON.stringify(bodies)],
      );
      const ours = async () => {
        const started = performance.now();
        const response = expectOk(await caller.call("GET", `/admin/${type}`));
        const took = performance.now() - started;
        if (JSON.parse(response.text).length !== count) throw new Error("the list is not whole");
        return took;
      };
      const theirs = async () => {
        const started = performance.now();
        const found = await database.pool.query('select id, enabled, version, body from entities where type = $1 order by id collate "C"', [
          type,
        ]);
        if (found.rows.length !== count) throw new Error("the rows are not whole");
        return performance.now() - started;
      };
      for (let turn = 0; turn < 3; turn++) {
        await ours();
        await theirs();
      }
      /** @type {{ ours: number[], theirs: number[] }[]} */
      const rounds = [];
      for (let round = 0; round < 3; round++) {
        /** @type {{ ours: number[], theirs: number[] }} */
        const times = { ours: [], theirs: [] };
        for (let turn = 0; turn < 5; turn++) {
          times.ours.push(await ours());
          times.theirs.push(await theirs());
        }
        rounds.push(times);
      }
      results.push({ what: `${count.toLocaleString("en-US")} of ${type}`, ...compare(rounds) });
    }
    caller.close();
    return results;
  } finally {
    await app.close();
    await database.close();
    await server.stop();
  }
}
