import type { FlowIteration, FlowRequest, MainIteration } from "@fairway/contract/flow-requests";
import type { Flow, FlowGroupSummary } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { flowsApp, flowTables, newFlow, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose }), flowTables);

it("[FLOW-58][ACCESS-05] lists the groups whose role the user holds, for administrators all of them", async () => {
  const { ada, grace, mary, root } = shared();
  const names = async (client: typeof ada) => (await client.get<FlowGroupSummary[]>("/flowGroups")).body.map(({ name }) => name);
  expect([await names(ada), await names(grace), await names(mary), await names(root)]).toEqual([
    ["storm-desk"],
    ["harbor", "storm-desk"],
    [],
    ["harbor", "storm-desk"],
  ]);
});

it("[SESSION-27] answers groups with their counts of requests at /flowGroups", async () => {
  const { ada } = shared();
  expect((await ada.get("/flowGroups")).body).toEqual([
    { name: "storm-desk", displayName: "Storm desk", description: "Storms.", openRequests: 0, needsMyReview: 0 },
  ]);
});

it("[ACCESS-05] answers not-found on every call about a group to who is not a member", async () => {
  const { ada, grace, mary, root } = shared();
  const { path, flow } = await newRequest(grace, "{}", await newFlow(grace, "Berths", "harbor"));
  await grace.comment(path, "Hello.");
  const group = "/flowGroups/harbor";
  const main = `${flow}/mainIterations`;
  for (const [method, at, body] of [
    ["GET", `${group}/members`],
    ["GET", `${group}/flows`],
    ["POST", `${group}/flows`, { name: "Mine" }],
    ["GET", `${group}/requests`],
    ["GET", `${group}/requests/counts`],
    ["GET", `${flow}/requests`],
    ["POST", `${flow}/requests`, { name: "Mine", iterations: [{ content: "{}" }] }],
    ["GET", path],
    ["GET", `${path}/iterations`],
    ["GET", `${path}/iterations/1`],
    ["POST", `${path}/iterations`, { content: "{}" }],
    ["GET", `${path}/comments`],
    ["POST", `${path}/comments`, { text: "Hi." }],
    ["PUT", `${path}/comments/1`, { text: "Hi." }],
    ["DELETE", `${path}/comments/1`],
    ["GET", `${path}/events`],
    ["PUT", `${path}/submit`],
    ["PUT", `${path}/abandon`],
    ["PUT", `${path}/reviewer`, { isReviewer: true }],
    ["GET", main],
    ["GET", `${main}/1`],
  ] as const) {
    for (const client of [ada, mary]) {
      const { status, body: answer } = await client.call(method, at, body);
      expect([method, at, status, answer.errors[0]?.code]).toEqual([method, at, 404, "not-found"]);
    }
  }
  // Nor are they found in a group of one's own.
  for (const at of [path, `${path}/iterations`, `${path}/comments`, `${path}/events`, main, `${flow}/requests`]) {
    expect([at, (await ada.get(at.replace("harbor", "storm-desk"))).status]).toEqual([at, 404]);
  }
  expect((await root.get(path)).body).toMatchObject({ name: "A change", status: 0 });
  expect((await grace.events(path)).map(({ kind }) => kind)).toEqual(["created"]);
});

it("[FLOW-59][FLOW-60] creates flows, lists them by name, and refuses a name that the group has in any case", async () => {
  const { ada, grace } = shared();
  const created = await ada.createFlow(" Tides ");
  expect([created.status, created.body.name]).toEqual([201, "Tides"]);
  await grace.createFlow("berths");
  expect((await ada.get<Flow[]>("/flowGroups/storm-desk/flows")).body).toEqual([
    { id: expect.any(Number), name: "berths", openRequests: 0, lastAcceptedMs: null },
    { id: created.body.id, name: "Tides", openRequests: 0, lastAcceptedMs: null },
  ]);
  const taken = await grace.createFlow("TIDES");
  expect([taken.status, taken.body.errors[0]]).toMatchObject([409, { code: "name-taken", path: "name" }]);
  expect((await grace.createFlow("Tides", "harbor")).status).toBe(201);
});

it("of many flows of one name at once, one is created", async () => {
  const { ada, grace } = shared();
  const answers = await Promise.all([ada, grace, ada, grace].map((client) => client.createFlow("Tides")));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
});

const content = '{ "flowContents": "Grüße" }\n';

it("[FLOW-62][FLOW-77] creates a request In Progress with its first iteration", async () => {
  const { ada } = shared();
  const flow = await newFlow(ada);
  const created = await ada.createRequest(flow, "Retry uploads", content);
  expect(created.status).toBe(201);
  const request: FlowRequest = {
    id: created.body.id,
    name: "Retry uploads",
    reason: "",
    flowId: Number(flow.split("/").at(-1)),
    flowName: "Storm tracks",
    status: 0,
    createdDateMs: created.body.createdDateMs,
    lastUpdatedMs: created.body.createdDateMs,
    creatorUsername: "ada",
    reviewerUsername: null,
    iterations: 1,
    lastIterationId: created.body.lastIterationId,
    comments: 0,
    isOwn: true,
    needsMyReview: false,
    canDecide: false,
  };
  expect(created.body).toMatchObject({ ...request, lastUpdatedMs: expect.any(Number) });
  expect(Math.abs(Date.now() - created.body.createdDateMs)).toBeLessThan(60_000);
});

it("[FLOW-61][FLOW-63] lists the requests of a flow, and the iterations of a request, to every member", async () => {
  const { ada, grace } = shared();
  const flow = await newFlow(ada);
  const { body: request } = await ada.createRequest(flow, "Retry uploads", content);
  const others = { ...request, isOwn: false };
  expect((await grace.get<FlowRequest[]>(`${flow}/requests`)).body).toEqual([others]);
  expect((await grace.get<FlowRequest[]>("/flowGroups/storm-desk/requests")).body).toEqual([others]);
  expect((await grace.get<FlowIteration[]>(`${flow}/requests/${request.id}/iterations`)).body).toEqual([
    {
      id: request.lastIterationId,
      number: 1,
      creatorUsername: "ada",
      createdDateMs: expect.any(Number),
      bytes: Buffer.byteLength(content),
      reason: "",
      format: "json",
      content,
    },
  ]);
  expect((await grace.get<FlowGroupSummary[]>("/flowGroups")).body.find(({ name }) => name === "storm-desk")).toMatchObject({
    openRequests: 1,
    needsMyReview: 0,
  });
});

it("[FLOW-64][FLOW-75] every member adds iterations, in the order in which they were added", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada, "<template/>");
  const added = await grace.iterate(path, "flow:\n  name: Tides\n");
  expect([added.status, added.body]).toMatchObject([201, { number: 2, creatorUsername: "grace", format: "yaml" }]);
  await ada.iterate(path, "what is this");
  const { body } = await ada.get<FlowIteration[]>(`${path}/iterations`);
  expect(body.map(({ number, format }) => [number, format])).toEqual([
    [1, "xml"],
    [2, "yaml"],
    [3, "unknown"],
  ]);
  const listed = body.map((iteration) => ({ ...iteration, content: null }));
  expect((await ada.get<FlowIteration[]>(`${path}/iterations?content=false`)).body).toEqual(listed);
  expect((await ada.get<FlowIteration[]>(`${path}/iterations?content=true`)).body).toEqual(body);
  expect((await ada.get<FlowIteration>(`${path}/iterations/${added.body.id}`)).body).toEqual(added.body);
  expect((await ada.get(path)).body).toMatchObject({ iterations: 3, lastIterationId: body[2]?.id });
});

it("[FLOW-65][FLOW-66] members comment on requests, also on final ones", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada);
  const comment = await grace.comment(path, "Why **five** minutes?\n");
  expect([comment.status, comment.body]).toEqual([
    201,
    {
      id: expect.any(Number),
      commenterUsername: "grace",
      createdDateMs: expect.any(Number),
      text: "Why **five** minutes?\n",
      editedDateMs: null,
      isDeleted: false,
      isOwn: true,
      mentions: [],
      anchor: null,
    },
  ]);
  await ada.change(path, "abandon");
  expect((await ada.comment(path, "Never mind.")).status).toBe(201);
  expect((await ada.comments(path)).map(({ text, isOwn }) => [text, isOwn])).toEqual([
    ["Why **five** minutes?\n", false],
    ["Never mind.", true],
  ]);
  expect((await ada.get(path)).body.comments).toBe(2);
});

it("[FLOW-68][FLOW-75] every member submits, and gets the request", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada);
  const submitted = await grace.change(path, "submit");
  expect([submitted.status, submitted.body]).toMatchObject([200, { status: 1, name: "A change" }]);
  expect((await ada.get(path)).body.needsMyReview).toBe(false);
});

it("[FLOW-67][FLOW-75] every member abandons, and gets the request", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada);
  await grace.change(path, "submit");
  const abandoned = await grace.change(path, "abandon", { comment: "Not needed any more." });
  expect([abandoned.status, abandoned.body]).toMatchObject([200, { status: 2, comments: 1 }]);
  expect((await ada.comments(path)).map(({ text }) => text)).toEqual(["Not needed any more."]);
});

it("[FLOW-29][FLOW-71] reject returns a request to In Progress, and its comment becomes one of the request", async () => {
  const { ada, root } = shared();
  const { path, id } = await newRequest(ada);
  await ada.change(path, "submit");
  const rejected = await root.decide(id, "reject", { comment: "The cron expression never fires." });
  expect([rejected.status, rejected.body]).toMatchObject([200, { status: 0, comments: 1 }]);
  expect((await ada.comments(path)).map(({ commenterUsername, text }) => [commenterUsername, text])).toEqual([
    ["root", "The cron expression never fires."],
  ]);
  expect((await ada.iterate(path)).status).toBe(201);
  expect((await ada.change(path, "submit")).body.status).toBe(1);
});

it("[FLOW-70] accept makes a request Accepted, and answers it", async () => {
  const { ada, root } = shared();
  const { path, id } = await newRequest(ada);
  await ada.change(path, "submit");
  const accepted = await root.decide(id, "accept");
  expect([accepted.status, accepted.body]).toMatchObject([200, { status: 3 }]);
  expect((await ada.get(path)).body.status).toBe(3);
});

it("[FLOW-55][FLOW-69] accept adds the last iteration to the main history, newest first", async () => {
  const { ada, root } = shared();
  const { path, id, flow } = await newRequest(ada, "one");
  await ada.iterate(path, "two");
  await ada.change(path, "submit");
  await root.decide(id, "accept");
  const second = await newRequest(ada, "three", flow);
  // Also from In Progress.
  await root.decide(second.id, "accept");
  await newRequest(ada, "four", flow);
  const { body } = await ada.get<MainIteration[]>(`${flow}/mainIterations`);
  expect(
    body.map(({ iteration, requestId, requestName, acceptedByUsername }) => [
      iteration.content,
      requestId,
      requestName,
      acceptedByUsername,
    ]),
  ).toEqual([
    ["three", second.id, "A change", "root"],
    ["two", id, "A change", "root"],
  ]);
  const [newest] = body;
  expect((await ada.get(`${flow}/mainIterations/${newest?.iteration.id}`)).body).toEqual(newest);
  const listed = body.map(({ timeMs, iteration: { id: iterationId, number } }) => ({
    timeMs,
    iteration: { id: iterationId, number, content: null },
  }));
  expect((await ada.get(`${flow}/mainIterations?content=false`)).body).toMatchObject(listed);
  expect((await ada.get<Flow[]>("/flowGroups/storm-desk/flows")).body).toMatchObject([{ lastAcceptedMs: newest?.timeMs, openRequests: 1 }]);
  const { body: first } = await ada.get<FlowIteration[]>(`${path}/iterations`);
  expect((await ada.get(`${flow}/mainIterations/${first[0]?.id}`)).status).toBe(404);
});

it("[FLOW-74] refuses accept and reject to users who are not administrators", async () => {
  const { ada, grace } = shared();
  const { id, path } = await newRequest(ada);
  for (const client of [ada, grace]) {
    for (const decision of ["accept", "reject"] as const) {
      const { status, body } = await client.decide(id, decision);
      expect([status, body.errors[0]?.code]).toEqual([403, "forbidden"]);
    }
  }
  expect((await ada.events(path)).map(({ kind }) => kind)).toEqual(["created"]);
});

it("[FLOW-76] refuses every action on a final request, and answers the request", async () => {
  const { ada, grace, root } = shared();
  const abandoned = await newRequest(ada);
  await ada.change(abandoned.path, "abandon");
  const accepted = await newRequest(ada, "{}", abandoned.flow);
  await root.decide(accepted.id, "accept");
  for (const [{ path, id }, status] of [
    [abandoned, 2],
    [accepted, 3],
  ] as const) {
    for (const answer of [
      await ada.change(path, "submit"),
      await ada.change(path, "abandon"),
      await grace.change(path, "reviewer", { isReviewer: true }),
      await ada.iterate(path),
      await root.decide(id, "accept"),
      await root.decide(id, "reject", { comment: "Too late." }),
    ]) {
      expect([answer.status, answer.body.errors[0]?.code, answer.body.current?.status]).toEqual([409, "conflict", status]);
    }
    expect((await ada.get<FlowIteration[]>(`${path}/iterations`)).body).toHaveLength(1);
    expect(await ada.comments(path)).toEqual([]);
  }
  expect((await ada.get<MainIteration[]>(`${abandoned.flow}/mainIterations`)).body).toHaveLength(1);
});

it("[FLOW-76] refuses new iterations and submit on a request that is not In Progress", async () => {
  const { ada } = shared();
  const { path } = await newRequest(ada);
  await ada.change(path, "submit");
  for (const answer of [await ada.change(path, "submit"), await ada.iterate(path)]) {
    expect([answer.status, answer.body.errors[0]?.code, answer.body.current]).toMatchObject([
      409,
      "conflict",
      { status: 1, iterations: 1 },
    ]);
  }
});

it("the flows of a group are unknown while it is disabled or deleted, and back with it", async () => {
  const { ada, root, entities } = shared();
  const { path, id } = await newRequest(ada);
  await entities.setEnabled(storedTypes.flowGroups, "storm-desk", false);
  expect([(await ada.get(path)).status, (await root.get(path)).status, (await root.decide(id, "accept")).status]).toEqual([404, 404, 404]);
  expect((await ada.get("/flowGroups")).body).toEqual([]);
  await entities.remove(storedTypes.flowGroups, "storm-desk");
  expect((await root.get(path)).status).toBe(404);
  await entities.create(storedTypes.flowGroups, { name: "storm-desk", displayName: "Storm desk", description: "Storms." });
  expect((await ada.get(path)).body).toMatchObject({ id, status: 0 });
});

it("keeps the reason of a request and of each iteration, without white space around it", async () => {
  const { ada, grace } = shared();
  const flow = await newFlow(ada, "Reasons");
  const body = { name: "Compress", reason: "  Slow lines.\n", iterations: [{ content: "{}", reason: " At first. " }] };
  const created = await ada.call<FlowRequest>("POST", `${flow}/requests`, body);
  expect([created.status, created.body.reason]).toEqual([201, "Slow lines."]);
  const path = `${flow}/requests/${created.body.id}`;
  const iteration = await ada.call<FlowIteration>("POST", `${path}/iterations`, { content: "{}", reason: "Level 6." });
  expect(iteration.body.reason).toBe("Level 6.");
  // Clients of before send none.
  expect((await ada.iterate(path)).body.reason).toBe("");
  expect((await grace.get<FlowIteration[]>(`${path}/iterations?content=false`)).body.map(({ reason }) => reason)).toEqual([
    "At first.",
    "Level 6.",
    "",
  ]);
  expect((await grace.get<FlowRequest[]>(`${flow}/requests`)).body.map(({ reason }) => reason)).toEqual(["Slow lines."]);
  for (const [reason, place] of [
    ["x".repeat(2_001), "reason"],
    ["a\u0000b", "reason"],
    [7, "reason"],
  ]) {
    const refused = await ada.call("POST", `${path}/iterations`, { content: "{}", reason });
    expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, place]);
  }
});
