// @ts-check
// Data flows: the differences of large definitions, and requests with a long history.
import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { openFlows } from "@fairway/gateway/capabilities/flows/capability";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import { installErrorHandler } from "@fairway/gateway/http/error-handler";
import { Gatekeeper } from "@fairway/gateway/http/gatekeeper";
import { compareFlows } from "@fairway/gateway/flow-definitions/compare-flows";
import { checkFlow } from "@fairway/gateway/flow-definitions/check-flow";
import { describeChanges } from "@fairway/gateway/flow-definitions/describe-change";
import { drawComparison } from "@fairway/gateway/flow-definitions/draw-flow";
import { readFlow } from "@fairway/gateway/flow-definitions/read-flow";
import { Random, generateFlow } from "@fairway/gateway/testing/generated-flows";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { fastify } from "./lib/gateway-modules.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { SignedInUser } from "@fairway/gateway/http/signed-in-user";

const [iterations, comments, events] = [200, 1_000, 240];
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });
const member = SignedInUser.make({
  id: "ada",
  username: "ada",
  roles: ["flow-developer-desk"],
  sessionId: "s",
  groups: [],
  groupNames: [],
  signedInAtMs: 0,
});
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

const maxRatio = 12;

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "flowDifferences",
    title: "Differences of data flows",
    needs: [],
    run: async ({ many }) => {
      const large = twoFlows({ groups: 212, processorsPerGroup: 9 });
      const drawn = twoFlows({ groups: 50, processorsPerGroup: 20 });
      /** @type {{ what: string, texts: readonly string[], ours: () => unknown }[]} */
      const cases = [
        { what: "sentences for two flows", texts: large, ours: () => describeChanges(differences(large)) },
        { what: "checks of one flow", texts: [large[1]], ours: () => checkFlow(large[1]) },
        { what: "drawing of two flows with 1,000 processors", texts: drawn, ours: () => drawComparison(differences(drawn)) },
      ];
      const rows = [];
      for (const { what, texts, ours } of cases) {
        const [megabytes] = texts.map((text) => (Buffer.byteLength(text) / 1e6).toFixed(1));
        const times = await compareInTurns(
          { rounds: many(3), turns: many(7) },
          async () => void ours(),
          async () => void texts.map((text) => JSON.parse(text)),
        );
        rows.push([`${what} (${megabytes} MB)`, ...compared(times), verdict(times.ratio <= maxRatio && times.ours < 2_000)]);
      }
      return {
        text: `Reading two generated flow definitions and describing or drawing their differences, compared with only parsing both as JSON. Target: at most ${maxRatio} times as long, and less than 2 s.`,
        head: ["what", ...comparedHead("ours", "parsing"), "target"],
        rows,
      };
    },
  },
  {
    name: "flowRequests",
    title: "Flow requests",
    needs: [],
    run: async ({ many }) => ({
      text: "A request with 200 iterations, 1,000 comments and 240 events over HTTP, parsed by the client, compared with the SQL statements that read its rows.",
      head: ["what", ...comparedHead("HTTP", "statements")],
      rows: await readRequests(many),
    }),
  },
];

/**
 * @param {{ groups: number, processorsPerGroup: number }} size
 * @returns {[before: string, after: string]} the newer one reschedules every processor and moves some on the canvas
 */
function twoFlows(size) {
  const flow = generateFlow(new Random(1), size);
  const before = JSON.stringify(flow);
  const after = before.replaceAll('"schedulingPeriod":"1 sec"', '"schedulingPeriod":"2 sec"').replaceAll('"x":100,', '"x":150,');
  return [before, after];
}

/** @param {string} text */
function readComponents(text) {
  const flow = readFlow(text);
  if (flow.format === "yaml") throw new Error("a generated flow is JSON");
  return flow;
}

/** @param {readonly [before: string, after: string]} texts */
const differences = ([before, after]) => compareFlows(readComponents(before), readComponents(after));

/** @param {import("./run.mjs").Context["many"]} many */
async function readRequests(many) {
  const server = await startEmbeddedPostgres({ folder: `${checkout}/.build/bench-flows`, log: silent });
  const database = connectDatabase(server.url, { maxConnections: 5 });
  const { pool } = database;
  const app = fastify.fastify();
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
      const { text } = expectOk(await caller.call("POST", path, body), 201);
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
      results.push([what, ...compared(await compareInTurns({ rounds: many(5), turns: many(10) }, ours, theirs))]);
    }
    const screen = async () => {
      const parts = ["", "/iterations?content=false", "/comments", "/events"];
      await Promise.all(parts.map(async (part) => JSON.parse(expectOk(await caller.call("GET", path + part)).text)));
    };
    const rows = async () => {
      for (const [, url, , statement] of reads) if (url !== `${path}/iterations`) await pool.query(statement, [id]);
    };
    results.push(["all calls of the screen", ...compared(await compareInTurns({ rounds: many(5), turns: many(10) }, screen, rows))]);
    caller.close();
    await capability.close?.();
  } finally {
    await app.close();
    await database.close();
    await server.stop();
  }
  return results;
}
