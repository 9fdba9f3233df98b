// @ts-check
// `node bench/thumbnails.mjs` after a build: the one call for the pictures of 200 datasets with 300 positions each over HTTP, alternately
// with one SQL statement that reads the same profiles, and with one call for each of the 24 cards that a first screen shows.
import { loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { datasetProfiles as contract, maxThumbnails } from "@fairway/contract/dataset-profiles";
import { defaultLimits } from "@fairway/contract/limits";
import { openDatasetProfiles } from "@fairway/gateway/capabilities/dataset-profiles/capability";
import { serveCapability } from "@fairway/gateway/http/capability";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import { installErrorHandler } from "@fairway/gateway/http/error-handler";
import { Gatekeeper } from "@fairway/gateway/http/gatekeeper";
import Fastify from "fastify";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { compareInTurns } from "./lib/turns.mjs";

const cards = 24;
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });
const reader = { id: "reader", username: "reader", roles: [], sessionId: "s", signedInAtMs: 0 };
const ids = Array.from({ length: maxThumbnails }, (_, index) => `dataset-${String(index).padStart(3, "0")}`);
const known = ids.map((datasetId) => ({ dataset: { datasetCategory: "Bench", datasetId }, source: datasetId, columns: [] }));

const server = await startEmbeddedPostgres({ folder: `${checkout}/.build/bench-thumbnails`, log: silent });
const database = connectDatabase(server.url, { maxConnections: 5 });
const app = Fastify();
await migrate(/** @type {never} */ (database.db));
await database.pool.query("delete from dataset_profiles");
await database.pool.query(
  `insert into dataset_profiles (category, dataset_id, source, measured_at, rows, columns, positions)
     select 'Bench', id, id, now(), 300, '[]', (select jsonb_agg(jsonb_build_array(round((random() * 120 - 60)::numeric, 2), round((random() * 300 - 150)::numeric, 2)))
       from generate_series(1, 300) where id is not null) from unnest($1::text[]) id`,
  [ids],
);
app.decorateRequest("signedIn", undefined);
installErrorHandler(app);
const gatekeeper = new Gatekeeper({ readAccessToken: () => Promise.resolve(reader), readStepToken: () => Promise.resolve(undefined) });
const profiles = openDatasetProfiles({
  db: database.db,
  pool: database.pool,
  requireReadable: async () => undefined,
  listed: async () => known,
  internalDatasets: async () => known,
  use: /** @type {any} */ (() => Promise.reject(new Error("Nothing is profiled."))),
  entityChanges: { subscribe: () => undefined },
  limits: defaultLimits,
  log: silent,
  startDelayMs: 3_600_000,
});
await app.register(async (api) => serveCapability(api, gatekeeper, profiles), { prefix: "/api" });
const caller = new Caller(await app.listen({ port: 0, host: "127.0.0.1" }), "anything");
const all = async () => expectOk(await caller.call("GET", contract.thumbnails.path)).text;
const bySql = () =>
  database.pool.query("select category, dataset_id, coverage, positions from dataset_profiles where measured_at is not null");
const single = (/** @type {string} */ id) => caller.call("GET", `/datasets/Bench/${id}/profile/thumbnail`);

const started = performance.now();
const text = await all();
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
console.log(
  `first call: ${(performance.now() - started).toFixed(0)} ms, ${(text.length / 1_000).toFixed(0)} kB, compressed ${(gzipSync(text).length / 1_000).toFixed(0)} kB`,
);
/** @param {string} what @param {() => Promise<unknown>} theirs */
async function compareWith(what, theirs) {
  const { ours, theirs: other, ratio, spread } = await compareInTurns({ rounds: 5, turns: 9 }, all, theirs);
  console.log(
    `all pictures: ${ours.toFixed(1)} ms, ${what}: ${other.toFixed(1)} ms, ratio ${ratio.toFixed(2)} (${spread.map((one) => one.toFixed(2)).join(" to ")})`,
  );
}
await compareWith("their profiles by SQL", bySql);
await compareWith(`${cards} calls of one`, () => Promise.all(ids.slice(0, cards).map(single)));
caller.close();
await profiles.close?.();
await app.close();
await database.close();
await server.stop();
