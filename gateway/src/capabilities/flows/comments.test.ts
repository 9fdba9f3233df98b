import { flowLimits } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { flowsApp, flowTables, newRequest } from "#testing/flows-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { lineContext } from "./line-context.ts";
import { mentionsIn } from "./mentions.ts";

const shared = sharedApp((onClose) => flowsApp({ onClose }), flowTables);

it("the author of a comment changes it, which is marked, and deletes it, which leaves its place", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada);
  const first = await grace.comment(path, "Why five?");
  await ada.comment(path, "Because.");
  const at = `${path}/comments/${first.body.id}`;
  const same = await grace.call("PUT", at, { text: "Why five?" });
  expect([same.status, same.body]).toMatchObject([200, { editedDateMs: null }]);
  const edited = await grace.call("PUT", at, { text: "Why six?" });
  expect([edited.status, edited.body]).toMatchObject([
    200,
    { text: "Why six?", editedDateMs: expect.any(Number), isDeleted: false, isOwn: true },
  ]);
  const deleted = await grace.call("DELETE", at);
  expect([deleted.status, deleted.body]).toMatchObject([200, { text: "", isDeleted: true, mentions: [] }]);
  expect((await ada.comments(path)).map(({ text, isDeleted }) => [text, isDeleted])).toEqual([
    ["", true],
    ["Because.", false],
  ]);
  expect((await ada.get(path)).body.comments).toBe(1);
  expect((await grace.call("DELETE", at)).status).toBe(200);
  expect((await ada.get(path)).body.comments).toBe(1);
  const late = await grace.call("PUT", at, { text: "Back again." });
  expect([late.status, late.body.errors[0]?.code]).toEqual([409, "conflict"]);
  const { rows } = await shared().gateway.database.pool.query("select text from flow_comments order by id");
  expect(rows).toEqual([{ text: "" }, { text: "Because." }]);
});

it("nobody changes or deletes the comment of another user, not even an administrator, nor one of another request", async () => {
  const { ada, grace, root } = shared();
  const { path, flow } = await newRequest(ada);
  const other = await newRequest(ada, "{}", flow);
  const { id } = (await ada.comment(path, "Mine.")).body;
  for (const client of [grace, root]) {
    for (const answer of [
      await client.call("PUT", `${path}/comments/${id}`, { text: "Yours." }),
      await client.call("DELETE", `${path}/comments/${id}`),
    ]) {
      expect([answer.status, answer.body.errors[0]?.code]).toEqual([403, "forbidden"]);
    }
  }
  expect((await ada.call("PUT", `${other.path}/comments/${id}`, { text: "Moved." })).status).toBe(404);
  expect((await ada.call("DELETE", `${path}/comments/999999`)).status).toBe(404);
  expect((await ada.comments(path)).map(({ text }) => text)).toEqual(["Mine."]);
});

it("a later user of the same name owns nothing of the former", async () => {
  const { ada, grace } = shared();
  const { path } = await newRequest(ada);
  const { id } = (await ada.comment(path, "Mine.")).body;
  await shared().gateway.database.pool.query("update flow_requests set creator_id = 'gone'");
  await shared().gateway.database.pool.query("update flow_comments set commenter_id = 'gone'");
  expect((await ada.get(path)).body).toMatchObject({ isOwn: false, creatorUsername: "ada" });
  expect((await grace.comments(path))[0]).toMatchObject({ commenterUsername: "ada", isOwn: false });
  expect((await ada.call("DELETE", `${path}/comments/${id}`)).status).toBe(403);
});

it("a comment on a line keeps the line and its neighbors as they are", async () => {
  const { ada, grace } = shared();
  const long = "x".repeat(400);
  const { path } = await newRequest(ada, ["one", "two", "three\r", long, "five", "six", "seven", "eight"].join("\n"));
  const { lastIterationId } = (await ada.get(path)).body;
  const comment = await grace.comment(path, "Too long.", { kind: "line", iterationId: lastIterationId, line: 4 });
  expect(comment.body.anchor).toEqual({
    kind: "line",
    iterationId: lastIterationId,
    line: 4,
    text: long.slice(0, 300),
    before: ["one", "two", "three"],
    after: ["five", "six", "seven"],
  });
  const last = await grace.comment(path, "The end.", { kind: "line", iterationId: lastIterationId, line: 8 });
  expect(last.body.anchor).toMatchObject({ text: "eight", before: ["five", "six", "seven"], after: [] });
  expect((await ada.comments(path)).map(({ anchor }) => anchor)).toEqual([comment.body.anchor, last.body.anchor]);
});

it("names what is wrong with the anchor of a comment", async () => {
  const { ada } = shared();
  const { path, flow } = await newRequest(ada, "one\ntwo");
  const other = await newRequest(ada, "one", flow);
  const { lastIterationId: iterationId } = (await ada.get(path)).body;
  const { lastIterationId: foreign } = (await ada.get(other.path)).body;
  for (const [anchor, field] of [
    [{ kind: "line", iterationId, line: 3 }, "anchor.line"],
    [{ kind: "line", iterationId, line: 5_000_000 }, "anchor.line"],
    [{ kind: "line", iterationId, line: 0 }, "anchor.line"],
    [{ kind: "line", iterationId: foreign, line: 1 }, "anchor.iterationId"],
    [{ kind: "component", iterationId: foreign, componentId: "p", name: "P" }, "anchor.iterationId"],
    [{ kind: "component", iterationId, componentId: " ", name: "P" }, "anchor.componentId"],
    [{ kind: "line", iterationId, line: 1, text: "as I like" }, undefined],
  ] as const) {
    const { status, body } = await ada.comment(path, "Here.", anchor);
    expect([anchor, status, body.errors?.[0]?.path]).toEqual([anchor, field === undefined ? 201 : 400, field]);
  }
  const [only, ...more] = await ada.comments(path);
  expect([only?.anchor, more]).toMatchObject([{ text: "one" }, []]);
});

it("a comment on a component names it", async () => {
  const { ada } = shared();
  const { path } = await newRequest(ada);
  const { lastIterationId: iterationId } = (await ada.get(path)).body;
  const anchor = { kind: "component", iterationId, componentId: "c0ffee", name: "PutFile <b>" };
  expect((await ada.comment(path, "Why?", anchor)).body.anchor).toEqual(anchor);
});

it.each([
  ["blank", { text: " \n" }, "text"],
  ["missing", {}, "text"],
  ["too long", { text: "x".repeat(flowLimits.commentCharacters + 1) }, "text"],
  ["with a null character", { text: "a\0b" }, "text"],
  ["with an escape character", { text: "a\u001b[31mb" }, "text"],
  ["with a control character of Latin-1", { text: "a\u0085b" }, "text"],
  ["with an unknown field", { text: "Hi.", color: "red" }, "color"],
  ...["a\u0007b", "a\nb", "\u0085a"].map((componentId): [string, object, string] => [
    `with a control character in the place ${JSON.stringify(componentId)}`,
    { text: "Hi.", anchor: { kind: "component", iterationId: 1, componentId, name: "" } },
    "anchor.componentId",
  ]),
  [
    "with an escape character in the name of the component",
    { text: "Hi.", anchor: { kind: "component", iterationId: 1, componentId: "a", name: "a\u001b[31m" } },
    "anchor.name",
  ],
  [
    "with half a character as the anchor",
    { text: "Hi.", anchor: { kind: "component", iterationId: 1, componentId: "\ud800", name: "" } },
    "anchor.componentId",
  ],
])("refuses a comment that is %s, naming the field", async (_, body, field) => {
  const { ada } = shared();
  const { path } = await newRequest(ada);
  const answer = await ada.call("POST", `${path}/comments`, body);
  expect([answer.status, answer.body.errors[0]?.path]).toEqual([400, field]);
  expect(await ada.comments(path)).toEqual([]);
});

it("refuses more comments and more text than a request may have", async () => {
  const { ada, root } = shared();
  const { pool } = shared().gateway.database;
  const { path, id } = await newRequest(ada);
  const fill = (count: number, text: string) =>
    pool.query(
      `insert into flow_comments (request_id, commenter_id, commenter_username, text)
       select $1, (select id from users where username = 'ada'), 'ada', $2 from generate_series(1, $3)`,
      [id, text, count],
    );
  await fill(flowLimits.commentsCharacters / flowLimits.commentCharacters - 1, "x".repeat(flowLimits.commentCharacters));
  const kept = await ada.comment(path, "x".repeat(flowLimits.commentCharacters - 5));
  expect(kept.status).toBe(201);
  const over = await ada.comment(path, "123456");
  expect([over.status, over.body.errors[0]?.code]).toEqual([507, "no-room"]);
  expect((await ada.call("PUT", `${path}/comments/${kept.body.id}`, { text: "x".repeat(flowLimits.commentCharacters) })).status).toBe(200);
  await pool.query("delete from flow_comments");
  await fill(flowLimits.commentsPerRequest, "");
  expect((await ada.comment(path, "One more.")).status).toBe(507);
  // The comment of a decision counts as well, and without room nothing is decided.
  expect((await root.decide(id, "accept", { comment: "Fine." })).status).toBe(507);
  expect((await ada.get(path)).body.status).toBe(0);
  expect((await root.decide(id, "accept")).status).toBe(200);
});

it("comments may hold line breaks and tabs, but changes and decisions bring no other control characters into them", async () => {
  const { ada, root } = shared();
  const { path, id } = await newRequest(ada);
  const { status, body } = await ada.comment(path, "a\r\n\tb");
  expect([status, body.text]).toEqual([201, "a\r\n\tb"]);
  for (const [refused, field] of [
    [await ada.call("PUT", `${path}/comments/${body.id}`, { text: "a\u0001" }), "text"],
    [await root.decide(id, "accept", { comment: "a\u0001" }), "comment"],
    [await ada.change(path, "submit", { comment: "a\u0001" }), "comment"],
  ] as const) {
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      400,
      { path: field, message: expect.stringContaining("control characters other than line breaks and tabs") },
    ]);
  }
  expect((await ada.get(path)).body).toMatchObject({ status: 0, comments: 1 });
});

it("the lines that comments keep count toward the text that a request may have", async () => {
  const { ada } = shared();
  const { path, id } = await newRequest(ada, Array.from({ length: 7 }, () => "x".repeat(300)).join("\n"));
  const anchor = { kind: "line", iterationId: (await ada.get(path)).body.lastIterationId, line: 4 };
  await shared().gateway.database.pool.query(
    `insert into flow_comments (request_id, commenter_id, commenter_username, text)
     select $1, 'x', 'x', repeat('x', $2) from generate_series(1, $3)`,
    [id, flowLimits.commentCharacters, flowLimits.commentsCharacters / flowLimits.commentCharacters - 1],
  );
  const answers = [];
  for (let round = 0; round < 5; round += 1) answers.push((await ada.comment(path, "Here.", anchor)).status);
  expect(answers).toEqual([201, 201, 201, 201, 507]);
  // 4 × 2,100 characters and the names around them leave less than 1,600.
  expect((await ada.comment(path, "x".repeat(1_600))).status).toBe(507);
  expect((await ada.comment(path, "x".repeat(500))).status).toBe(201);
});

it("lists the members, who can be mentioned", async () => {
  const { ada, grace } = shared();
  expect((await ada.get("/flowGroups/storm-desk/members")).body).toEqual([
    { username: "ada", name: "Ada Lovelace" },
    { username: "grace", name: "Grace Hopper" },
    { username: "root", name: "Ruth Root" },
  ]);
  await shared().gateway.database.pool.query("update users set locked = true where username = 'root'");
  expect((await grace.get<{ username: string }[]>("/flowGroups/harbor/members")).body.map(({ username }) => username)).toEqual(["grace"]);
  await shared().gateway.database.pool.query("update users set locked = false where username = 'root'");
});

it("a comment says which members its text mentions, also after a change", async () => {
  const { ada } = shared();
  const { path } = await newRequest(ada);
  const { body } = await ada.comment(path, "@Grace and @root, not @mary or me@ada.example.org");
  expect(body.mentions).toEqual(["grace", "root"]);
  const edited = await ada.call<{ mentions: string[] }>("PUT", `${path}/comments/${body.id}`, { text: "@ada only" });
  expect(edited.body.mentions).toEqual(["ada"]);
});

it.each([
  ["@ada", ["ada"]],
  ["(@ADA)", ["ada"]],
  ["Thanks @ada. And @grace, too", ["ada", "grace"]],
  ["@ada.lovelace", ["ada.lovelace"]],
  ["@ada.lovelace.", ["ada.lovelace"]],
  ["@ada-", ["ada"]],
  ["@adalbert @ada_ mail@ada", []],
  ["@ada @ada", ["ada"]],
  ["@jean luc is here", ["jean luc"]],
  ["@", []],
  ["@éva", ["Éva"]],
])("%s mentions %j", (text, expected) => {
  const members = ["ada", "ada.lovelace", "grace", "jean luc", "Éva"].map((username) => ({ username }));
  expect(mentionsIn(text, members).map(({ username }) => username)).toEqual(expected);
});

it("looks for mentions behind thousands of @, and notes at most 20", () => {
  const members = Array.from({ length: 500 }, (_, index) => ({ username: `user${"x".repeat(index % 50)}${index}` }));
  expect(mentionsIn("@".repeat(10_000), members)).toEqual([]);
  expect(mentionsIn(members.map(({ username }) => `@${username}`).join(" "), members)).toHaveLength(20);
});

it.each([
  ["one line", "only", 1, { text: "only", before: [], after: [] }],
  ["the empty line after the last one", "a\n", 2, { text: "", before: ["a"], after: [] }],
  ["an empty content", "", 1, { text: "", before: [], after: [] }],
  ["a line beyond the end", "a\nb", 3, undefined],
  [
    "minified JSON as it is shown",
    `{"a":[1,"${"x".repeat(2_000)}"]}`,
    3,
    { text: "    1,", before: ["{", '  "a": ['], after: [`    "${"x".repeat(295)}`, "  ]", "}"] },
  ],
])("the context of a line: %s", (_, content, line, expected) => {
  expect(lineContext(content, line)).toEqual(expected);
});

it("keeps tabs of lines, but no other control characters", () => {
  expect(lineContext("\u0001\u0001\n\ta\u001bb\u0000\u0085\n\u007f", 2)).toEqual({
    text: "\ta b  ",
    before: ["  "],
    after: [" "],
  });
});

it("cuts no character in half", () => {
  expect(lineContext(`${"x".repeat(299)}😀`, 1)?.text).toBe("x".repeat(299));
});
