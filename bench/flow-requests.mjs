// @ts-check
// A flow request with 200 iterations, 1,000 comments and 240 events, read over HTTP, compared with the SQL statements that read the
// same rows.
import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { openFlows } from "@fairway/gateway/capabilities/flows/capability";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import { installErrorHandler } from "@fairway/gateway/http/error-handler";
import { Gatekeeper } from "@fairway/gateway/http/gatekeeper";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { fastify } from "./lib/gateway-modules.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison & { what: string }} FlowRequestResult */

const [iterations, comments, events] = [200, 1_000, 240];
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });
const member = { id: "ada", username: "ada", roles: ["flow-developer-desk"], sessionId: "s", signedInAtMs: 0 };
const group = { name: "desk", displayName: "Desk", description: "" };

/** A flow definition of about 60 kB. */
const content = JSON.stringify({
  flowContents: {
    identifier: randomUUID(),
    processors: Array.from({ length: 100 }, (_, index) => ({
      identifier: randomUUID(),
      name: `Processor ${index}`,
      type: "org.apache.nifi.processors.standard.PutFile",
      properties: { Directory: `/data/${index}`, "Conflict Resolution Strategy": "fail", "Create Missing Directories": "true" },
      schedulingPeriod: "0 sec",
      position: { x: index * 10, y: index * 20 },
    })),
  },
});

/** @returns {Promise<FlowRequestResult[]>} */
export async function measureFlowRequests() {
  const server = await startEmbeddedPostgres({ folder: `${checkout}/.build/bench-flows`, log: silent });
  const database = connectDatabase(server.url, { maxConnections: 5 });
  const { pool } = database;
  const app = fastify.fastify();
  /** @type {FlowRequestResult[]} */
  const results = [];
  try {
    await migrate(/** @type {never} */ (database.db));
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const gatekeeper = new Gatekeeper({ readAccessToken: () => member, readStepToken: () => Promise.resolve(undefined) });
    const capability = openFlows({
      db: database.db,
      entities: /** @type {any} */ ({ list: () => Promise.resolve([{ body: group, enabled: true }]) }),
      entityChanges: { subscribe: () => undefined },
      notifier: { notify: () => Promise.resolve(), retract: () => Promise.resolve() },
      selfAccept: true,
      limits: { userDailyFlowBytes: 1e9 },
    });
    await app.register(
      async (api) => {
        for (const one of Object.values(capability.routes)) one.serve(api, gatekeeper);
      },
      { prefix: "/api" },
    );
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const caller = new Caller(origin, "anything");
    const create = async (/** @type {string} */ path, /** @type {object} */ body) => {
      const { status, text } = await caller.call("POST", path, body);
      if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
      return /** @type {{ id: number, lastIterationId: number }} */ (JSON.parse(text));
    };
    await pool.query("delete from flows");
    const flow = `/flowGroups/desk/flows/${(await create("/flowGroups/desk/flows", { name: "Bench" })).id}`;
    const { id, lastIterationId } = await create(`${flow}/requests`, { name: "Bench", iterations: [{ content }] });
    const path = `${flow}/requests/${id}`;
    const packed = gzipSync(content);
    await pool.query(
      `insert into flow_iterations (request_id, number, creator_id, creator_username, bytes, format, content)
       select $1, number, 'ada', 'ada', $2, 'json', $3 from generate_series(2, $4::int) number`,
      [id, content.length, packed, iterations],
    );
    await pool.query(
      `insert into flow_comments (request_id, commenter_id, commenter_username, text, anchor)
       select $1, 'grace', 'grace', repeat('Why does this processor wait? ', 5), $2::jsonb from generate_series(1, $3::int)`,
      [
        id,
        JSON.stringify({ kind: "line", iterationId: lastIterationId, line: 1, text: "{", before: [], after: ["a", "b", "c"] }),
        comments,
      ],
    );
    await pool.query(
      "insert into flow_events (request_id, kind, username, iteration_id) select $1, 'iteration', 'ada', $2 from generate_series(2, $3::int)",
      [id, lastIterationId, events],
    );
    await pool.query("update flow_requests set iterations = $2, comments = $3 where id = $1", [id, iterations, comments]);
    await pool.query("analyze");

    /** @type {[what: string, path: string, count: number | undefined, sql: string][]} */
    const reads = [
      ["the request", path, undefined, "select * from flow_requests where id = $1"],
      [
        "200 iterations without contents",
        `${path}/iterations?content=false`,
        iterations,
        "select id, number, creator_username, created_at, bytes, format from flow_iterations where request_id = $1 order by number",
      ],
      [
        "200 iterations with contents",
        `${path}/iterations`,
        iterations,
        "select id, number, creator_username, created_at, bytes, format, content from flow_iterations where request_id = $1 order by number",
      ],
      ["1,000 comments", `${path}/comments`, comments, "select * from flow_comments where request_id = $1 order by id"],
      ["240 events", `${path}/events`, events, "select * from flow_events where request_id = $1 order by id"],
    ];
    for (const [what, url, count, statement] of reads) {
      const ours = async () => {
        const body = JSON.parse(expectOk(await caller.call("GET", url)).text);
        if (count !== undefined && body.length !== count) throw new Error(`${what}: ${body.length}`);
      };
      const theirs = async () => void (await pool.query(statement, [id]));
      for (let turn = 0; turn < 5; turn++) await Promise.all([ours(), theirs()]);
      results.push({ what, ...(await compareInTurns({ rounds: 5, turns: 10 }, ours, theirs)) });
    }
    const screen = async () => {
      const parts = ["", "/iterations?content=false", "/comments", "/events"];
      await Promise.all(parts.map(async (part) => JSON.parse(expectOk(await caller.call("GET", path + part)).text)));
    };
    const rows = async () => {
      for (const [, url, , statement] of reads) if (url !== `${path}/iterations`) await pool.query(statement, [id]);
    };
    results.push({ what: "all calls of the screen", ...(await compareInTurns({ rounds: 5, turns: 10 }, screen, rows)) });
    caller.close();
    await capability.close?.();
  } finally {
    await app.close();
    await database.close();
    await server.stop();
  }
  for (const { what, ours, theirs, ratio, spread } of results) {
    const [low, high] = spread.map((one) => one.toFixed(1));
    console.log(`  ${what}: ${ours.toFixed(1)} ms, SQL ${theirs.toFixed(1)} ms, ${ratio.toFixed(1)} times (${low} – ${high} by round)`);
  }
  return results;
}

if (process.argv[1]?.endsWith("flow-requests.mjs")) await measureFlowRequests();
