import { readFileSync } from "node:fs";
import type { AnswerOf } from "@fairway/contract/route";
import type { FlowChange, flowDifferences } from "@fairway/contract/flow-differences";
import type { FlowIteration } from "@fairway/contract/flow-requests";
import { afterAll, expect, it } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import { type FlowClient, flowsApp, flowTables, newFlow, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { openFlowDifferences } from "./capability.ts";

const definition = readFileSync(new URL("../../testing/nifi-1.18-flow-definition.json", import.meta.url), "utf8");
const edited = definition.replace('"schedulingStrategy": "TIMER_DRIVEN"', '"schedulingStrategy": "CRON_DRIVEN"');
const moved = definition.replace(/"x": 0(\.0)?,/g, '"x": 40,');

const seenMs = Date.UTC(2026, 10, 20);
const facts = { processorTypes: [], controllerServiceTypes: [], parameterContexts: [], acceptsTemplates: true, seenMs };

const definitions = new FlowDefinitions();
afterAll(() => definitions.close());

/** Comparisons wait for it. */
let gate = Promise.resolve();
let arrived = 0;
const gated = {
  compare: async (...task: Parameters<FlowDefinitions["compare"]>) => {
    arrived += 1;
    await gate;
    return definitions.compare(...task);
  },
  draw: definitions.draw.bind(definitions),
  check: definitions.check.bind(definitions),
};

const shared = sharedApp(async (onClose) => {
  const app = await flowsApp({
    onClose,
    more: ({ flows, entities, entityChanges }) => [
      openFlowDifferences({
        flows,
        definitions: gated,
        entities,
        entityChanges,
        environmentFacts: async (id) => (id === "production" ? facts : undefined),
      }),
    ],
  });
  const address = { baseUrl: "https://nifi.example.org", connectTimeoutMs: 1_000, readTimeoutMs: 1_000 };
  await app.entities.create(storedTypes.flowEnvironments, { name: "production", displayName: "Production", ...address });
  await app.entities.create(storedTypes.flowEnvironments, { name: "bench", displayName: "Bench", ...address });
  return app;
}, flowTables);

type Changes = AnswerOf<typeof flowDifferences.changes>;
type Drawing = AnswerOf<typeof flowDifferences.drawing>;
type Checks = AnswerOf<typeof flowDifferences.checks>;

const changesOf = (client: FlowClient, flow: string, query: string) => client.get<Changes>(`${flow}/changes?${query}`);
const sentencesOf = (changes: Changes) => ("changes" in changes ? changes.changes.map(({ sentence }) => sentence) : changes.sentence);

/** A request whose iterations have these contents: its flow, and the ids of the iterations. */
async function iterated(client: FlowClient, contents: readonly string[], at?: string) {
  const { path, id, flow } = await newRequest(client, contents[0], at);
  for (const content of contents.slice(1)) await client.iterate(path, content);
  const { body } = await client.get<FlowIteration[]>(`${path}/iterations`);
  return { flow, requestId: id, path, ids: body.map((one) => one.id) };
}

it("answers the changes against nothing while nothing is accepted, then against what is accepted", async () => {
  const { ada, root } = shared();
  const first = await iterated(ada, [definition]);
  const { body: added } = await changesOf(ada, first.flow, `iterationId=${first.ids[0]}`);
  expect(added).toMatchObject({ outcome: "compared", against: null, counts: { behavior: 6, layout: 0, versions: 0 }, total: 6 });
  expect("changes" in added && new Set(added.changes.map(({ kind }) => kind))).toEqual(new Set(["added"]));

  await root.decide(first.requestId, "accept");
  const second = await iterated(ada, [edited], first.flow);
  const { body } = await changesOf(ada, second.flow, `iterationId=${second.ids[0]}&against=accepted`);
  expect(body).toMatchObject({
    outcome: "compared",
    against: { iterationId: first.ids[0], number: 1, requestId: first.requestId, requestName: "A change" },
    total: 1,
  });
  expect(sentencesOf(body)).toEqual(['The scheduling strategy of the processor "Gen" changed from TIMER_DRIVEN to CRON_DRIVEN.']);
  const { body: all } = await changesOf(ada, second.flow, `iterationId=${second.ids[0]}&against=none`);
  expect(all).toMatchObject({ against: null, total: 6 });
});

it("compares two iterations, draws the comparison, and answers pages of the wanted categories", async () => {
  const { ada } = shared();
  const { flow, ids } = await iterated(ada, [definition, edited, moved]);
  const pair = `iterationId=${ids[2]}&against=${ids[1]}`;
  const { body: all } = await changesOf(ada, flow, pair);
  expect(all).toMatchObject({ against: { iterationId: ids[1], number: 2 }, counts: { behavior: 1 } });
  const { body: layout } = await changesOf(ada, flow, `${pair}&categories=layout,versions`);
  const layoutChanges: readonly FlowChange[] = "changes" in layout ? layout.changes : [];
  expect(layoutChanges.length).toBeGreaterThan(1);
  expect(new Set(layoutChanges.map(({ category }) => category))).toEqual(new Set(["layout"]));
  const { body: page } = await changesOf(ada, flow, `${pair}&categories=layout&offset=1&limit=1`);
  expect(page).toMatchObject({ changes: [layoutChanges[1]], total: layoutChanges.length });
  const { body: drawing } = await ada.get<Drawing>(`${flow}/drawing?iterationId=${ids[1]}&against=${ids[0]}`);
  expect(drawing).toMatchObject({
    outcome: "drawn",
    groups: [
      {
        hasChanges: true,
        nodes: [
          { name: "Gen", state: "changed" },
          { name: "Log", state: "same" },
        ],
      },
    ],
  });
});

it("says of contents that are no flow why they cannot be compared, and checks them all the same", async () => {
  const { ada } = shared();
  const { flow, ids } = await iterated(ada, ["name: weather\n", "{ broken", '{"a": 1}']);
  for (const id of ids) {
    const { status, body } = await changesOf(ada, flow, `iterationId=${id}`);
    expect([status, body]).toMatchObject([200, { outcome: "not-comparable", against: null, sentence: expect.stringMatching(/\.$/) }]);
    expect((await ada.get<Drawing>(`${flow}/drawing?iterationId=${id}`)).body).toMatchObject({ outcome: "not-comparable" });
    const checks = await ada.get<Checks>(`${flow}/checks?iterationId=${id}`);
    expect([checks.status, checks.body.seenMs, checks.body.checks.length > 0]).toEqual([200, null, true]);
  }
});

it("checks an iteration against what an environment had, and says when that was", async () => {
  const { ada } = shared();
  const { flow, ids } = await iterated(ada, [definition]);
  const check = async (environment: string) => (await ada.get<Checks>(`${flow}/checks?iterationId=${ids[0]}${environment}`)).body;
  const severityOf = ({ checks }: Checks) => checks.find((one) => one.check === "processor-types")?.severity;
  const [alone, production, bench] = [await check(""), await check("&environmentId=production"), await check("&environmentId=bench")];
  expect([alone.seenMs, severityOf(alone)]).toEqual([null, "not-checked"]);
  expect([production.seenMs, severityOf(production)]).toEqual([seenMs, "error"]);
  expect([bench.seenMs, severityOf(bench)]).toEqual([null, "not-checked"]);
  const unknown = await ada.get(`${flow}/checks?iterationId=${ids[0]}&environmentId=other`);
  expect([unknown.status, unknown.body.errors[0]]).toMatchObject([404, { code: "not-found", path: "environmentId" }]);
  const environments = await ada.get(`/flowGroups/storm-desk/environments`);
  expect(environments.body).toEqual([
    { id: "bench", displayName: "Bench" },
    { id: "production", displayName: "Production" },
  ]);
});

it("[ACCESS-05] finds nothing of another group or another flow, whoever asks", async () => {
  const { ada, grace, mary, root } = shared();
  const hidden = await iterated(grace, [definition], await newFlow(grace, "Berths", "harbor"));
  const own = await iterated(ada, [edited]);
  const other = await iterated(ada, [definition], await newFlow(ada, "Tides"));
  const [secret, mine, foreign] = [hidden.ids[0], own.ids[0], other.ids[0]];
  for (const path of [
    `${hidden.flow}/changes?iterationId=${secret}`,
    `${hidden.flow}/drawing?iterationId=${secret}`,
    `${hidden.flow}/checks?iterationId=${secret}`,
    // In the name of a flow of one's own.
    `${own.flow}/changes?iterationId=${secret}`,
    `${own.flow}/changes?iterationId=${mine}&against=${secret}`,
    `${own.flow}/drawing?iterationId=${mine}&against=${secret}`,
    `${own.flow}/checks?iterationId=${secret}`,
    `${own.flow.replace("storm-desk", "harbor")}/changes?iterationId=${mine}`,
    "/flowGroups/harbor/environments",
  ]) {
    for (const client of [ada, mary]) {
      const { status, body } = await client.get(path);
      expect([path, status, body.errors[0]?.code]).toEqual([path, 404, "not-found"]);
    }
  }
  // Iterations of another flow of the same group, also for administrators.
  for (const query of [`iterationId=${foreign}`, `iterationId=${mine}&against=${foreign}`]) {
    expect((await changesOf(root, own.flow, query)).status).toBe(404);
  }
  expect((await changesOf(root, hidden.flow, `iterationId=${secret}`)).status).toBe(200);
  // Cached by now, and still hidden.
  expect((await changesOf(ada, hidden.flow, `iterationId=${secret}`)).status).toBe(404);
});

it("never shows sensitive values", async () => {
  const { ada } = shared();
  const secret = "correct-horse-battery";
  const withSecret = (value: string) => {
    const flow = JSON.parse(definition) as { flowContents: { processors: { properties: object; propertyDescriptors: object }[] } };
    const [processor] = flow.flowContents.processors;
    Object.assign(processor?.properties ?? {}, { Password: value, Token: value });
    const descriptor = (name: string) => ({ name, displayName: name, identifiesControllerService: false, sensitive: true });
    Object.assign(processor?.propertyDescriptors ?? {}, { Password: descriptor("Password"), Token: descriptor("Token") });
    return JSON.stringify(flow);
  };
  const { flow, ids } = await iterated(ada, [withSecret("first-of-all"), withSecret(secret)]);
  const answers = await Promise.all([
    changesOf(ada, flow, `iterationId=${ids[1]}&against=${ids[0]}`),
    changesOf(ada, flow, `iterationId=${ids[1]}&against=none`),
    ada.get(`${flow}/drawing?iterationId=${ids[1]}&against=${ids[0]}`),
    ada.get(`${flow}/checks?iterationId=${ids[1]}`),
  ]);
  const text = JSON.stringify(answers.map(({ body }) => body));
  expect(sentencesOf(answers[0].body)).toContain('The sensitive property "Password" of the processor "Gen" changed.');
  expect([text.includes(secret), text.includes("first-of-all")]).toEqual([false, false]);
});

it("refuses queries that it cannot read", async () => {
  const { ada } = shared();
  const { flow, ids } = await iterated(ada, [definition]);
  for (const [query, field] of [
    ["", "iterationId"],
    ["iterationId=x", "iterationId"],
    ["iterationId=1.5", "iterationId"],
    [`iterationId=${ids[0]}&against=everything`, "against"],
    [`iterationId=${ids[0]}&categories=layout,color`, "categories"],
    [`iterationId=${ids[0]}&limit=501`, "limit"],
    [`iterationId=${ids[0]}&offset=-1`, "offset"],
  ]) {
    const { status, body } = await changesOf(ada, flow, query ?? "");
    expect([query, status, "errors" in body && body.errors[0]?.path?.split(".")[0]]).toEqual([query, 400, field]);
  }
});

it("compares each pair once, however many calls want it, and starts no more work than a user may have", async () => {
  const { ada, grace } = shared();
  const scheduled = (seconds: number) => definition.replace('"schedulingPeriod": "', `"schedulingPeriod": "${seconds}`);
  const { flow, ids } = await iterated(
    ada,
    Array.from({ length: 14 }, (_, index) => scheduled(index)),
  );
  const pair = `iterationId=${ids[1]}&against=${ids[0]}`;
  const before = definitions.metrics.started;
  const answers = await Promise.all(Array.from({ length: 40 }, () => changesOf(ada, flow, pair)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(definitions.metrics.started - before).toBe(1);
  expect((await changesOf(grace, flow, pair)).body).toEqual(answers[0]?.body);
  expect(definitions.metrics.started - before).toBe(1);

  let open = () => {};
  arrived = 0;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const many = ids.map((id) => changesOf(ada, flow, `iterationId=${id}&against=none`));
  await expect.poll(() => arrived).toBe(ids.length);
  open();
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
