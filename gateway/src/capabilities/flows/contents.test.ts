import { randomBytes } from "node:crypto";
import type { FlowIteration, MainIteration } from "@fairway/contract/flow-requests";
import { flowContentBytes, flowLimits } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { flowsApp, flowTables, newFlow, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { flowOf } from "./test-content.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose, limits: { userDailyFlowBytes: 60_000_000 } }), flowTables);

it("[FLOW-33] stores contents of up to 5,000,000 bytes of UTF-8, and refuses one more", async () => {
  const { ada } = shared();
  const flow = await newFlow(ada);
  const largest = flowOf(flowContentBytes);
  expect(Buffer.byteLength(largest)).toBe(5_000_000);
  const created = await ada.createRequest(flow, "Large", largest);
  expect(created.status).toBe(201);
  const path = `${flow}/requests/${created.body.id}`;
  const { body } = await ada.get<FlowIteration>(`${path}/iterations/${created.body.lastIterationId}`);
  expect([body.bytes, body.format, body.content === largest]).toEqual([5_000_000, "json", true]);
  for (const [refused, field] of [
    [await ada.createRequest(flow, "Larger", `${largest} `), "iterations.0.content"],
    [await ada.iterate(path, `${largest} `), "content"],
    [await ada.iterate(path, "x".repeat(6_000_000)), "content"],
  ] as const) {
    expect([refused.status, refused.body.errors[0]]).toEqual([
      413,
      { code: "too-large", message: "The content is larger than 5,000,000 bytes.", path: field },
    ]);
  }
  expect((await ada.get(path)).body.iterations).toBe(1);
  const { rows } = await shared().gateway.database.pool.query("select length(content)::int as length from flow_iterations");
  expect(rows).toMatchObject([{ length: expect.toSatisfy((length: number) => length < 50_000) }]);
});

const nested = (text: string, times: number) => text.repeat(times);

it.each([
  ["JSON nested too deep", `{"a":${nested("[", 5_000)}${nested("]", 5_000)}}`, "The JSON is nested more than 500 deep."],
  [
    "XML with entities of entities",
    '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><template>&c;</template>',
    "The XML has a DOCTYPE, which templates do not have.",
  ],
  [
    "XML that reads a file",
    '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><template/>',
    "The XML has a DOCTYPE, which templates do not have.",
  ],
  ["YAML nested too deep", nested("- ", 5_000), "The YAML is nested more than 500 deep."],
  [
    "YAML aliases of aliases",
    Array.from({ length: 9 }, (_, index) => `a${index}: &a${index} [${nested(index === 0 ? "x," : `*a${index - 1},`, 10)}]`).join("\n"),
    "The aliases of the YAML stand for more than 2000000 values.",
  ],
  // In a worker thread.
  ["large JSON nested too deep", `{"a":${nested("[", 200_000)}`, "The JSON is nested more than 500 deep."],
])("refuses %s, at creation and as an iteration", async (_, content, why) => {
  const { ada } = shared();
  const { path, flow } = await newRequest(ada);
  for (const [refused, field] of [
    [await ada.createRequest(flow, "Bomb", content), "iterations.0.content"],
    [await ada.iterate(path, content), "content"],
  ] as const) {
    const message = `The content cannot be stored, because reading it as a flow is dangerous. ${why}`;
    expect([refused.status, refused.body.errors]).toEqual([400, [{ code: "invalid-value", message, path: field }]]);
  }
  expect((await ada.get(`${flow}/requests`)).body).toHaveLength(1);
});

it.each([
  ["empty", "", "'iterations.0.content': is empty"],
  ["with a null character", "{\0}", "The content is not text: it contains a null character or half of a character."],
  ["with half a character", '{"a":"\ud83d"}', "The content is not text: it contains a null character or half of a character."],
])("refuses a content %s", async (_, content, message) => {
  const { ada } = shared();
  const { status, body } = await ada.createRequest(await newFlow(ada), "Not a text", content);
  expect([status, body.errors[0]]).toMatchObject([400, { message, path: "iterations.0.content" }]);
});

it.each([
  ["nothing readable", "hello", "unknown"],
  ["broken JSON", '{"a": ', "json"],
  ["a byte order mark", '\ufeff{"flowContents":{}}', "json"],
  ["XML that is no template", "<html/>", "xml"],
  ["a YAML list", "- a\n- b", "yaml"],
  ["broken YAML", "a: [b", "unknown"],
])("stores %s as it is, with the format of its content", async (_, content, format) => {
  const { ada } = shared();
  const { path } = await newRequest(ada, content);
  expect((await ada.get<FlowIteration[]>(`${path}/iterations`)).body).toMatchObject([
    { content, format, bytes: Buffer.byteLength(content) },
  ]);
});

it("limits what a user adds within 24 hours", async () => {
  const { ada, grace } = shared();
  const { path, flow } = await newRequest(ada);
  await shared().gateway.database.pool.query(
    "update flow_iterations set bytes = 60000000 - 4, creator_id = (select id from users where username = 'ada')",
  );
  for (const refused of [await ada.iterate(path, "12345"), await ada.createRequest(flow, "More", "12345")]) {
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([507, "no-room"]);
  }
  expect((await grace.iterate(path, "12345")).status).toBe(201);
  expect((await ada.iterate(path, "1234")).status).toBe(201);
  await shared().gateway.database.pool.query("update flow_iterations set created_at = now() - interval '25 hours'");
  expect((await ada.iterate(path, "12345")).status).toBe(201);
});

it("parallel uploads of a user exceed the daily limit no more than others", async () => {
  const { ada } = shared();
  const { path, flow } = await newRequest(ada);
  const others = await Promise.all([newRequest(ada, "{}", flow), newRequest(ada, "{}", flow), newRequest(ada, "{}", flow)]);
  const { pool } = shared().gateway.database;
  await pool.query("update flow_iterations set bytes = 15000000 - 2");
  // Waits until all uploads are in their transactions, which hold until the table is free.
  const client = await pool.connect();
  try {
    await client.query("begin; lock table flow_iterations in share mode");
    const uploads = Promise.all([path, ...others.map((other) => other.path)].map((request) => ada.iterate(request, "12345678")));
    await vi.waitFor(
      async () => {
        const { rows } = await client.query<{ waiting: number }>(
          "select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database where not granted and datname = current_database()",
        );
        expect(rows[0]?.waiting).toBe(4);
      },
      { timeout: 10_000 },
    );
    await client.query("commit");
    expect((await uploads).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 507, 507, 507]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

it("refuses more requests of a flow than there may be, final ones included", async () => {
  const { ada } = shared();
  const { flow } = await newRequest(ada);
  await shared().gateway.database.pool.query(
    "insert into flow_requests (flow_id, name, creator_id, creator_username, status) select $1, 'Old', 'x', 'x', 2 from generate_series(3, $2)",
    [Number(flow.split("/").at(-1)), flowLimits.requestsPerFlow],
  );
  expect((await ada.createRequest(flow)).status).toBe(201);
  const full = await ada.createRequest(flow);
  expect([full.status, full.body.errors[0]]).toMatchObject([
    507,
    { code: "no-room", message: "The flow has 5,000 requests, as many as there can be. Create another flow." },
  ]);
});

it("refuses more open requests, iterations, flows and changes of the reviewer than there may be", async () => {
  const { ada, grace, root } = shared();
  const { pool } = shared().gateway.database;
  const { path, flow, id } = await newRequest(ada);
  const flowId = Number(flow.split("/").at(-1));
  await pool.query(
    "insert into flow_requests (flow_id, name, creator_id, creator_username) select $1, 'Other', 'x', 'x' from generate_series(2, $2)",
    [flowId, flowLimits.openRequestsPerFlow],
  );
  const full = await ada.createRequest(flow);
  expect([full.status, full.body.errors[0]?.code]).toEqual([507, "no-room"]);
  await pool.query("update flow_requests set status = 2 where name = 'Other'");
  expect((await ada.createRequest(flow)).status).toBe(201);
  await pool.query(
    "insert into flow_iterations (request_id, number, creator_id, creator_username, bytes, format, content) select $1, $2, 'x', 'x', 0, 'json', ''",
    [id, flowLimits.iterationsPerRequest],
  );
  await pool.query("update flow_requests set iterations = $1 where id = $2", [flowLimits.iterationsPerRequest, id]);
  expect((await ada.iterate(path)).status).toBe(507);
  await pool.query("insert into flow_events (request_id, kind, username) select $1, 'reviewer', 'grace' from generate_series(1, $2)", [
    id,
    flowLimits.eventsPerRequest,
  ]);
  expect((await grace.change(path, "reviewer", { isReviewer: true })).status).toBe(507);
  // Whoever decides always can.
  expect((await root.decide(id, "reject")).status).toBe(200);
  await pool.query(
    "insert into flows (group_name, name, name_key, created_by) select 'storm-desk', g::text, g::text, 'x' from generate_series(2, $1) g",
    [flowLimits.flowsPerGroup],
  );
  expect((await ada.createFlow("One more")).status).toBe(507);
});

it("a content that does not compress is stored as well", async () => {
  const { ada } = shared();
  const noise = randomBytes(1_500_000).toString("hex");
  const { path } = await newRequest(ada, noise);
  expect((await ada.get<FlowIteration[]>(`${path}/iterations`)).body[0]?.content === noise).toBe(true);
});

it("lists contents with every character as it is, however they are cut on the way", async () => {
  const { ada } = shared();
  // An odd number of characters before the pairs, so that a pair is cut at each end of a part.
  const content = `x${'😀"\\\n\u2028é'.repeat(80_000)}`;
  const { path, flow, id } = await newRequest(ada, content);
  const { body } = await ada.get<FlowIteration[]>(`${path}/iterations`);
  expect(body[0]?.content === content).toBe(true);
  expect(await ada.get<MainIteration[]>(`${flow}/mainIterations`)).toMatchObject({ status: 200, body: [] });
  await shared().root.decide(id, "accept");
  expect((await ada.get<MainIteration[]>(`${flow}/mainIterations`)).body[0]?.iteration).toEqual(body[0]);
});
