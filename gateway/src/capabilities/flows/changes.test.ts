import type { FlowRequest } from "@fairway/contract/flow-requests";
import type { FlowGroupSummary } from "@fairway/contract/flows";
import type { NotificationPage } from "@fairway/contract/notifications";
import { describe, expect, it } from "vitest";
import { type FlowClient, flowsApp, flowTables, newFlow, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose }), flowTables);

const notificationsOf = async (client: FlowClient) =>
  (await client.get<NotificationPage>("/notifications")).body.notifications.map(({ title, text, link }) => ({ title, text, link }));
const titlesOf = async (client: FlowClient) => (await notificationsOf(client)).map(({ title }) => title);
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

it("the timeline of a request has everything that happened to it", async () => {
  const { ada, grace, root } = shared();
  const { path, id } = await newRequest(ada);
  const first = (await ada.get(path)).body.lastIterationId;
  await grace.change(path, "reviewer", { isReviewer: true });
  await ada.change(path, "submit");
  await root.decide(id, "reject");
  const second = (await ada.iterate(path)).body.id;
  await ada.change(path, "submit");
  await grace.change(path, "reviewer", { isReviewer: false });
  await root.decide(id, "accept");
  await shared().flows.recordDeployed(second, "root", "Quay");
  expect((await ada.events(path)).map(({ kind, username, iterationId, subject }) => [kind, username, iterationId, subject])).toEqual([
    ["created", "ada", first, ""],
    ["reviewer", "grace", null, "grace"],
    ["submitted", "ada", first, ""],
    ["rejected", "root", first, ""],
    ["iteration", "ada", second, ""],
    ["submitted", "ada", second, ""],
    ["reviewer", "grace", null, ""],
    ["accepted", "root", second, ""],
    ["deployed", "root", second, "Quay"],
  ]);
  const times = (await ada.events(path)).map(({ timeMs }) => timeMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

describe("a review", () => {
  it("is taken, taken over and given back, by members who did not create the request", async () => {
    const { ada, grace, root } = shared();
    const { path } = await newRequest(ada);
    await ada.change(path, "submit");
    const needs = async (client: FlowClient) => (await client.get(path)).body.needsMyReview;
    expect([await needs(ada), await needs(grace), await needs(root)]).toEqual([false, true, true]);
    const taken = await grace.change(path, "reviewer", { isReviewer: true });
    expect([taken.status, taken.body]).toMatchObject([200, { reviewerUsername: "grace", needsMyReview: true }]);
    expect([await needs(grace), await needs(root)]).toEqual([true, false]);
    expect((await root.change(path, "reviewer", { isReviewer: true })).body.reviewerUsername).toBe("root");
    // Grace is not the reviewer any more: nothing to give back.
    expect((await grace.change(path, "reviewer", { isReviewer: false })).body.reviewerUsername).toBe("root");
    expect((await root.change(path, "reviewer", { isReviewer: false })).body.reviewerUsername).toBeNull();
    const own = await ada.change(path, "reviewer", { isReviewer: true });
    expect([own.status, own.body.errors[0]?.code]).toEqual([403, "forbidden"]);
    const counts = (await grace.get<FlowGroupSummary[]>("/flowGroups")).body.map(({ openRequests, needsMyReview }) => [
      openRequests,
      needsMyReview,
    ]);
    expect(counts).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it("is not taken over from someone else than expected", async () => {
    const { ada, grace, root } = shared();
    const { path } = await newRequest(ada);
    const expected = { isReviewer: true, expectedReviewerUsername: null };
    expect((await grace.change(path, "reviewer", expected)).status).toBe(200);
    const late = await root.change(path, "reviewer", expected);
    expect([late.status, late.body.errors[0]?.code, late.body.current?.reviewerUsername]).toEqual([409, "conflict", "grace"]);
    expect((await root.change(path, "reviewer", { isReviewer: true, expectedReviewerUsername: "grace" })).body.reviewerUsername).toBe(
      "root",
    );
  });

  it("of two reviewers at once, one takes it", async () => {
    const { ada, grace, root } = shared();
    const { path } = await newRequest(ada);
    const answers = await Promise.all(
      [grace, root].map((client) => client.change(path, "reviewer", { isReviewer: true, expectedReviewerUsername: null })),
    );
    expect(statuses(answers)).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200)?.body.reviewerUsername;
    expect(answers.find(({ status }) => status === 409)?.body.current?.reviewerUsername).toBe(winner);
    expect((await ada.events(path)).map(({ kind }) => kind)).toEqual(["created", "reviewer"]);
  });
});

describe("concurrent changes", () => {
  it("a decision on what the caller has not seen is refused with the request as it is", async () => {
    const { ada, root } = shared();
    const { path, id } = await newRequest(ada, "one");
    const { lastIterationId } = (await ada.get(path)).body;
    await ada.iterate(path, "two");
    const seen = { expectedStatus: 0, expectedIterationId: lastIterationId };
    for (const refused of [
      await root.decide(id, "accept", seen),
      await root.decide(id, "reject", { expectedStatus: 1 }),
      await ada.change(path, "submit", seen),
      await ada.change(path, "abandon", { expectedStatus: 1 }),
    ]) {
      expect([refused.status, refused.body.errors[0]?.code, refused.body.current]).toMatchObject([
        409,
        "conflict",
        { iterations: 2, status: 0 },
      ]);
    }
    expect((await root.decide(id, "accept", { ...seen, expectedIterationId: (await ada.get(path)).body.lastIterationId })).status).toBe(
      200,
    );
  });
});

it("administrators accept their own requests only if `flows.selfAccept` allows it", async () => {
  const strict = await flowsApp({ selfAccept: false });
  const own = await newRequest(strict.root);
  expect((await strict.root.get(own.path)).body.canDecide).toBe(false);
  const refused = await strict.root.decide(own.id, "accept");
  expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, "forbidden"]);
  expect((await strict.root.get(own.path)).body.status).toBe(0);
  const other = await newRequest(strict.ada, "{}", own.flow);
  expect((await strict.root.get(other.path)).body).toMatchObject({ canDecide: true });
  expect((await strict.root.decide(other.id, "accept")).body).toMatchObject({ status: 3, canDecide: false });
  const lenient = await newRequest(shared().root);
  expect((await shared().root.get(lenient.path)).body.canDecide).toBe(true);
  expect((await shared().root.decide(lenient.id, "accept")).status).toBe(200);
});

it("an administrator without the second factor that the portal requires is a member of no group", async () => {
  const { ada, flows } = shared();
  const { path } = await newRequest(ada);
  const user = { id: "r", username: "root", roles: ["admin"], lacksSecondFactor: true } as const;
  expect(await flows.isMember(user, "storm-desk")).toBe(false);
  expect(await flows.isMember({ ...user, roles: ["admin", "flow-developer-storm-desk"] }, "storm-desk")).toBe(true);
  const { lastIterationId } = (await ada.get(path)).body;
  expect(await flows.findIteration(user, lastIterationId)).toBeUndefined();
});

it("[ACCESS-05] who loses the role loses the group at once; what they did stays, under their name, also when they are deleted", async () => {
  const { ada, grace, root, gateway } = await flowsApp();
  const { path, id } = await newRequest(ada);
  await ada.comment(path, "Hello.");
  await grace.change(path, "reviewer", { isReviewer: true });
  const { pool } = gateway.database;
  for (const username of ["ada", "grace"]) {
    const { rows } = await pool.query<{ id: string }>("select id from users where username = $1", [username]);
    await pool.query("delete from user_roles where user_id = $1", [rows[0]?.id]);
    await gateway.identity.userChanged(rows[0]?.id ?? "");
  }
  expect([(await ada.get(path)).status, (await ada.change(path, "submit")).status, (await grace.iterate(path)).status]).toEqual([
    404, 404, 404,
  ]);
  expect((await ada.get("/flowGroups")).body).toEqual([]);
  await pool.query("delete from users where username in ('ada', 'grace')");
  expect((await root.get(path)).body).toMatchObject({ creatorUsername: "ada", reviewerUsername: "grace" });
  expect((await root.comments(path)).map(({ commenterUsername }) => commenterUsername)).toEqual(["ada"]);
  expect((await root.events(path)).map(({ username }) => username)).toEqual(["ada", "grace"]);
  expect((await root.change(path, "reviewer", { isReviewer: true })).body.reviewerUsername).toBe("root");
  expect((await root.decide(id, "accept")).status).toBe(200);
});

it("offers iterations to other capabilities", async () => {
  const { ada, root, flows } = shared();
  const { path, id, flow } = await newRequest(ada, "one");
  const flowId = Number(flow.split("/").at(-1));
  const { lastIterationId } = (await ada.get(path)).body;
  expect(await flows.acceptedIteration(flowId)).toBeUndefined();
  const found = await flows.findIteration(null, lastIterationId);
  expect(found).toEqual({
    id: lastIterationId,
    number: 1,
    bytes: 3,
    format: "unknown",
    content: "one",
    requestId: id,
    requestName: "A change",
    status: 0,
    flowId,
    flowName: "Storm tracks",
    group: "storm-desk",
  });
  const [member, stranger] = [["flow-developer-storm-desk"], ["flow-developer-harbor"]].map((roles) => ({ id: "u", username: "u", roles }));
  expect(await flows.findIteration(member ?? null, lastIterationId)).toEqual(found);
  expect(stranger && (await flows.findIteration(stranger, lastIterationId))).toBeUndefined();
  expect(await flows.findIteration(null, 2_147_483_647)).toBeUndefined();
  await root.decide(id, "accept");
  const next = await newRequest(ada, "two", flow);
  await root.decide(next.id, "accept");
  expect(await flows.acceptedIteration(flowId)).toMatchObject({ content: "two", requestId: next.id, status: 3 });
});

describe("notifications", () => {
  it("notifies reviewers with the reason of a request, and of each iteration", async () => {
    const { ada, grace } = shared();
    const flow = await newFlow(ada, "Reasons");
    const body = { name: "Compress", reason: "Slow lines.", iterations: [{ content: "{}" }] };
    const { body: created } = await ada.call<{ id: number }>("POST", `${flow}/requests`, body);
    const path = `${flow}/requests/${created.id}`;
    const texts = async () => (await notificationsOf(grace)).map(({ text }) => text);
    await ada.call("POST", `${path}/iterations`, { content: "{}", reason: "Level 6." });
    expect(await texts()).toEqual(["ada added iteration 2 to a request to change Reasons.\nLevel 6."]);
    await ada.change(path, "submit");
    expect(await texts()).toEqual(["ada submitted a request to change Reasons.\nSlow lines."]);
  });

  it("a submitted request notifies all members, or its reviewer, never the submitter", async () => {
    const { ada, grace, root, mary } = shared();
    const { path, id } = await newRequest(ada);
    await ada.change(path, "submit", { comment: "Please look." });
    const link = path.replace("/flowGroups", "/niflow-requests").replace("/flows/", "/").replace("/requests/", "/");
    const expected = {
      title: "Flow request to review: A change",
      text: "ada submitted a request to change Storm tracks.\nPlease look.",
      link,
    };
    expect([await notificationsOf(grace), await notificationsOf(root)]).toEqual([[expected], [expected]]);
    expect([await titlesOf(ada), await titlesOf(mary)]).toEqual([[], []]);
    await root.decide(id, "reject", { comment: "Not yet." });
    // Nothing waits for a review any more.
    expect([await titlesOf(grace), await titlesOf(root)]).toEqual([[], []]);
    expect(await notificationsOf(ada)).toEqual([
      { title: "Flow request rejected: A change", text: "root rejected your request to change Storm tracks.\nNot yet.", link },
    ]);
    await grace.change(path, "reviewer", { isReviewer: true });
    await ada.iterate(path);
    await ada.change(path, "submit");
    expect([await titlesOf(grace), await titlesOf(root)]).toEqual([["Flow request to review: A change"], []]);
    expect(await titlesOf(ada)).toEqual(["Flow request under review: A change", "Flow request rejected: A change"]);
  });

  it("comments notify the author, and mentions the mentioned, once", async () => {
    const { ada, grace, root } = shared();
    const { path } = await newRequest(ada);
    await ada.comment(path, "To myself, @ada.");
    await grace.comment(path, "One.");
    const { body } = await grace.comment(path, "Two, @ada and @root.");
    expect(await titlesOf(ada)).toEqual(["grace mentions you on the flow request A change", "Comment on your flow request A change"]);
    expect(await notificationsOf(root)).toMatchObject([
      { title: "grace mentions you on the flow request A change", text: "Two, @ada and @root." },
    ]);
    await shared().gateway.database.pool.query("delete from notifications");
    await grace.call("PUT", `${path}/comments/${body.id}`, { text: "Two and a half, @ada and @root." });
    expect([await titlesOf(ada), await titlesOf(root), await titlesOf(grace)]).toEqual([[], [], []]);
  });

  it("are seen only by members: who has left the group neither gets nor keeps them", async () => {
    const app = await flowsApp();
    const { path } = await newRequest(app.grace);
    await app.grace.comment(path, "Look, @ada and @root.");
    expect([await titlesOf(app.ada), await titlesOf(app.root)]).toMatchObject([{ length: 1 }, { length: 1 }]);
    const { pool } = app.gateway.database;
    const { rows } = await pool.query("select role from notifications order by role");
    expect(rows).toEqual([{ role: "admin" }, { role: "flow-developer-storm-desk" }]);
    await pool.query("delete from user_roles where user_id = (select id from users where username = 'ada')");
    await pool.query("delete from notifications");
    const answer = await app.grace.comment(path, "Again, @ada.");
    expect(answer.body.mentions).toEqual([]);
    expect((await pool.query("select 1 from notifications")).rows).toEqual([]);
  });

  it("a deployment notifies the author", async () => {
    const { ada, root, flows } = shared();
    const { path, id } = await newRequest(ada);
    await root.decide(id, "accept");
    await flows.recordDeployed((await ada.get(path)).body.lastIterationId, "root", "Quay");
    expect((await notificationsOf(ada))[0]).toMatchObject({
      title: "Flow request deployed: A change",
      text: "root deployed your request to change Storm tracks to Quay.",
    });
  });
});

it.each([
  ["a blank name", { name: " ", iterations: [{ content: "{}" }] }, "name"],
  ["no iteration", { name: "A", iterations: [] }, "iterations"],
  ["two iterations", { name: "A", iterations: [{ content: "{}" }, { content: "{}" }] }, "iterations"],
  ["a content that is no text", { name: "A", iterations: [{ content: {} }] }, "iterations.0.content"],
  ["an invisible character in the name", { name: "A\u200b", iterations: [{ content: "{}" }] }, "name"],
  ["a name over 200 characters", { name: "x".repeat(201), iterations: [{ content: "{}" }] }, "name"],
  ["an unknown field", { name: "A", iterations: [{ content: "{}" }], color: "red" }, "color"],
])("refuses a request with %s, naming the field", async (_, body, field) => {
  const { ada } = shared();
  const flow = await newFlow(ada);
  const answer = await ada.call("POST", `${flow}/requests`, body);
  expect([answer.status, answer.body.errors[0]?.path]).toEqual([400, field]);
  expect((await ada.get<FlowRequest[]>(`${flow}/requests`)).body).toEqual([]);
});

it.each(["x", "0", "-1", "1.5", "2147483648", "99999999999999999999", "__proto__", "'; drop table flows; --", "%00"])(
  "the id %s is of nothing",
  async (id) => {
    const { ada, root } = shared();
    const { flow } = await newRequest(ada);
    const encoded = encodeURIComponent(id);
    for (const path of [
      `/flowGroups/storm-desk/flows/${encoded}/requests`,
      `${flow}/requests/${encoded}`,
      `${flow}/mainIterations/${encoded}`,
    ]) {
      const { status, body } = await ada.get(path);
      expect([path, status, body.errors[0]?.code]).toEqual([path, 404, "not-found"]);
    }
    expect((await root.call("PUT", `/admin/flowRequest/${encoded}/accept`)).status).toBe(404);
  },
);

it("lists open and closed requests of a group", async () => {
  const { ada } = shared();
  const open = await newRequest(ada);
  const closed = await newRequest(ada, "{}", open.flow);
  await ada.change(closed.path, "abandon");
  const ids = async (query: string) => (await ada.get<FlowRequest[]>(`/flowGroups/storm-desk/requests${query}`)).body.map(({ id }) => id);
  expect([await ids(""), await ids("?state=all"), await ids("?state=open"), await ids("?state=closed")]).toEqual([
    [open.id, closed.id],
    [open.id, closed.id],
    [open.id],
    [closed.id],
  ]);
  expect((await ada.get("/flowGroups/storm-desk/requests?state=new")).status).toBe(400);
});
