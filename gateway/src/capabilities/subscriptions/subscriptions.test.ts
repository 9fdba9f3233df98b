import { describe, expect, it } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { byMinutes, count, dataset, graphOf, mailParts, secret, subscriptionsApp, summary } from "#testing/subscriptions-app.ts";

const app = await subscriptionsApp();
const hostile = "<img src=x onerror=alert(1)> & “more”";
const partsOf = (index: number) => mailParts(app.received[index] ?? { from: "", to: [], content: "" });

describe("a board by email", () => {
  it("is sent as HTML with every value escaped and as plain text, with its figures, tables and texts in their order", async () => {
    const gateway = await app.open();
    const boardId = await app.saveBoard(gateway, "ada", [
      { kind: "text", title: hostile, text: `${hostile}\nsecond line` },
      { ...count, title: "All rows" },
      { kind: "table", title: "Newest", dataset, query: { sort: [{ column: "id", direction: "desc" }], columns: ["id", "name", "at"] } },
      { kind: "map", title: "Where", dataset, query: {} },
    ]);
    const { id } = await app.create(
      gateway,
      "ada",
      { boardId },
      { name: hostile, at: { hour: 8, minute: 0, weekdays: [1, 2, 3, 4, 5, 6, 7], zone: "Asia/Kolkata" } },
    );
    await app.run(id);
    const [mail] = app.received;
    expect([mail?.from, mail?.to]).toEqual(["portal@example.org", ["ada@example.org"]]);
    const parts = partsOf(0);
    expect([...parts.keys()]).toEqual(["text/plain", "text/html"]);
    const html = parts.get("text/html") ?? "";
    expect(html).not.toMatch(/<img|<script|<[^>]* src=|url\(|@import/i);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt; &amp; “more”");
    expect(html).toMatch(/All rows<\/h2><p [^>]*>30<\/p>/);
    // By the clock of the subscription, newest first, numbers at the right.
    expect(html).toMatch(
      /<td align="right"[^>]*>29<\/td><td align="left"[^>]*>row &lt;29&gt;<\/td><td align="left"[^>]*>03\/01\/2026, 05:59:00 AM<\/td>/,
    );
    expect(html).toContain("The first 25 rows.");
    expect(html).toMatch(/Map of 30 rows\. <a href="https:\/\/data\.example\.org\/boards\//);
    const text = parts.get("text/plain") ?? "";
    expect(text).toContain("All rows\r\n30");
    expect(text).toContain("29 | row <29> | 03/01/2026, 05:59:00 AM");
    expect(mail?.content).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect((await app.list(gateway, "ada")).subscriptions[0]).toMatchObject({ state: "active", lastSentMs: expect.any(Number) });
  });
});

describe("the graphs of a board by email", () => {
  const byHand = {
    title: "",
    type: "bar",
    groupingType: "custom",
    groupings: [
      { id: "a", label: "<low>", color: "#099bf1", conditions: [{ id: "c", model: "id", operator: "<", value: 10 }] },
      { id: "b", label: "high", color: "#e36f17", conditions: [{ id: "d", model: "id", operator: ">=", value: 10 }] },
    ],
    columns: [{ id: "k", model: "*", aggregation: "count", color: "#099bf1" }],
  };

  it("are attached pictures that the email names, with the sentence over the answer, or tables as on the screen", async () => {
    const gateway = await app.open();
    const boardId = await app.saveBoard(gateway, "ada", [
      graphOf("Over time", summary(null, byMinutes)),
      graphOf("By hand", byHand),
      graphOf(
        "Names",
        summary(null, { measures: [{ aggregation: "max", column: "id" }], by: [{ kind: "value", column: "name", top: { count: 2 } }] }),
      ),
      graphOf("Largest", summary(null, { measures: [{ aggregation: "max", column: "id" }] })),
    ]);
    const { id } = await app.create(gateway, "ada", { boardId });
    await app.run(id);
    const html = partsOf(0).get("text/html") ?? "";
    const sentence = "All 30 rows, times in UTC.";
    expect([...html.matchAll(/<img [^>]*>/g)].map(([image]) => image)).toEqual([
      expect.stringMatching(`src="cid:chart1@fairway" width="520" alt="${sentence}"`),
      expect.stringMatching('src="cid:chart2@fairway" width="520" alt="Bar graph of # Occurences in 2 groups, from &lt;low&gt; to high."'),
    ]);
    expect(html).toContain(`>${sentence}</p><img`);
    expect(html).not.toMatch(/(?:src|href)="(?!cid:|https:\/\/data\.example\.org\/)|url\(|@import|<low>/);
    const { content = "" } = app.received[0] ?? {};
    for (const number of [1, 2]) {
      const [, head = "", body = ""] =
        new RegExp(`(Content-Type: image/png; name=chart${number}.png[^]*?)\r\n\r\n([^-]*)`).exec(content) ?? [];
      expect(head).toContain(`Content-ID: <chart${number}@fairway>`);
      const png = Buffer.from(body, "base64");
      expect([png.toString("latin1", 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 1_100, 700]);
    }
    expect(html).toContain("Top 2 of 30 names by Maximum of id.");
    expect(html).toMatch(
      /<td align="left"[^>]*>row &lt;29&gt;<\/td><td [^>]*><div style="margin-left:0px;width:140px[^>]*><\/div><\/td><td align="right"[^>]*>29<\/td>/,
    );
    expect(html).toMatch(/Largest<\/h2><p [^>]*>29<\/p><p [^>]*>Maximum of id\. All 30 rows\.<\/p>/);
    const text = partsOf(0).get("text/plain") ?? "";
    expect(text).toContain(`Over time\r\n${sentence}\r\n10 minutes | # Occurences\r\n03/01/2026 | 10\r\n03/01/2026, 00:10 | 10`);
    expect(text).toContain("<low> | 10");
  });

  it("are tables with a sentence where they cannot be drawn", async () => {
    const gateway = await app.open({ charts: { png: () => Promise.resolve(null) } });
    const boardId = await app.saveBoard(gateway, "ada", [graphOf("Over time", summary(null, byMinutes))]);
    const { id } = await app.create(gateway, "ada", { boardId });
    await app.run(id);
    expect([...partsOf(0).keys()]).toEqual(["text/plain", "text/html"]);
    expect(partsOf(0).get("text/html")).toMatch(
      /The chart could not be drawn for this email\.<\/p><div [^>]*><table [^>]*>.*<td align="right"[^>]*>10<\/td>/s,
    );
  });
});

describe("a saved search by email", () => {
  it("has its count and first rows, and all rows as CSV only where the portal allows it", async () => {
    const gateway = await app.open({ allowsRows: true });
    const savedSearchId = await app.saveSearch(gateway, "ada", { columns: ["name", "at"], sort: [{ column: "id", direction: "asc" }] });
    const { id } = await app.create(gateway, "ada", { savedSearchId }, { withRows: true, name: "Rows: a/b" });
    await app.run(id);
    const parts = partsOf(0);
    expect(parts.get("text/html")).toContain("30 rows");
    const lines = (parts.get("text/csv") ?? "").split("\r\n");
    expect(lines.slice(0, 2)).toEqual(["name,at", "row <0>,2026-03-01T00:00:00.000Z"]);
    expect(lines).toHaveLength(32);
    expect(app.received[0]?.content).toContain("Rows_ a_b.csv");
    const strict = await app.open();
    await gateway.close();
    await app.run(id);
    expect([...partsOf(1).keys()]).toEqual(["text/plain", "text/html"]);
    const draft = app.draftOf({ savedSearchId }, { withRows: true });
    expect(await app.call(strict, "ada", "POST", "/subscriptions", draft)).toMatchObject({
      status: 400,
      body: { errors: [{ path: "withRows" }] },
    });
  });
});

describe("rights", () => {
  it("count at the moment of sending: what was gathered before they were taken is not sent", async () => {
    let gate: Promise<void> = Promise.resolve();
    let searches = 0;
    const gateway = await app.open({
      engine: (real): QueryEngine => ({
        ...real,
        features: real.features,
        supportsSort: real.supportsSort,
        aggregate: async (...parameters) => {
          const values = await real.aggregate(...parameters);
          searches += 1;
          await gate;
          return values;
        },
      }),
    });
    await app.setRoles("ada", ["insider"]);
    const boardId = await app.saveBoard(gateway, "ada", [{ ...count, title: "Secret", dataset: secret }, count]);
    const { id } = await app.create(gateway, "ada", { boardId });
    let release = () => {};
    gate = new Promise((resolve) => (release = resolve));
    const ran = app.run(id);
    await expect.poll(() => searches).toBe(2);
    await app.setRoles("ada", []);
    release();
    await ran;
    expect(app.received).toHaveLength(1);
    expect(partsOf(0).get("text/plain")).not.toContain("Secret");
    expect(partsOf(0).get("text/plain")).toContain("you have no access to it.");
  });

  it("pause it with the reason when nothing may be sent, told once, and it goes on by itself", async () => {
    const gateway = await app.open();
    const boardId = await app.saveBoard(gateway, "bob", [count], { sharedWithRoles: ["*"] });
    const { id, name } = await app.create(gateway, "ada", { boardId });
    const reasons: string[] = [];
    const runAnd = async () => {
      await app.run(id);
      reasons.push((await app.list(gateway, "ada")).subscriptions[0]?.reason ?? "");
    };
    await app.pool.query("update users set email = null where id = 'ada'");
    await runAnd();
    await app.pool.query("update users set email = 'ada@example.org' where id = 'ada'");
    await app.pool.query("update users set locked = true where id = 'ada'");
    await app.run(id);
    await app.pool.query("update users set locked = false where id = 'ada'");
    await app.pool.query("update boards set shared_with_roles = '{}'");
    await runAnd();
    await app.pool.query("update boards set shared_with_roles = '{*}'");
    await runAnd();
    await app.pool.query("delete from boards");
    await runAnd();
    expect(reasons).toEqual([
      "Your account has no email address.",
      "You no longer have access to its board.",
      "",
      "Its board was deleted.",
    ]);
    expect((await app.list(gateway, "ada")).subscriptions[0]).toMatchObject({ state: "paused", nextMs: null, ofName: null, link: null });
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([
      `${name} is paused`,
      `${name} is active again`,
      `${name} is paused`,
    ]);
    expect(app.received).toHaveLength(1);
  });

  it("pause it where the portal sends no emails any more, and refuse new ones", async () => {
    const gateway = await app.open();
    const savedSearchId = await app.saveSearch(gateway, "ada");
    const { id } = await app.create(gateway, "ada", { savedSearchId });
    await gateway.close();
    const without = await app.open({ sendsEmail: false });
    await app.run(id);
    expect(await app.list(without, "ada")).toMatchObject({
      sendsEmail: false,
      emailAddress: null,
      subscriptions: [{ state: "paused", reason: "This portal sends no emails." }],
    });
    expect((await app.call(without, "ada", "POST", "/subscriptions", app.draftOf({ savedSearchId }))).body.errors[0]?.message).toBe(
      "This portal sends no emails.",
    );
  });
});

describe("the link that ends a subscription", () => {
  it("opens a page that changes nothing, however often a machine reads it, and whose button ends it", async () => {
    const gateway = await app.open();
    const { id, name } = await app.create(
      gateway,
      "ada",
      { savedSearchId: await app.saveSearch(gateway, "ada") },
      { name: "<b>Daily</b>" },
    );
    await app.run(id);
    const [, url = ""] =
      /^List-Unsubscribe: <https:\/\/data\.example\.org\/api([^>]+)>/m.exec(app.received[0]?.content.replaceAll(/\r\n\s+/g, " ") ?? "") ??
      [];
    expect(partsOf(0).get("text/plain")).toContain(url);
    expect((await gateway.app.inject({ method: "HEAD", url })).statusCode).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      const page = await gateway.app.inject({ method: "GET", url });
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain("“&lt;b&gt;Daily&lt;/b&gt;”");
      expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'nonce-[\w+/=]+'; form-action 'self'/);
    }
    expect((await app.list(gateway, "ada")).subscriptions.map((one) => one.name)).toEqual([name]);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (let time = 0; time < 2; time += 1) {
      const ended = await gateway.app.inject({ method: "POST", url, headers: form, payload: "List-Unsubscribe=One-Click" });
      expect([ended.statusCode, ended.body.includes("These emails have ended.")]).toEqual([200, true]);
    }
    expect((await app.list(gateway, "ada")).subscriptions).toEqual([]);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${name} has ended`]);
    for (const method of ["GET", "POST"] as const) {
      expect((await gateway.app.inject({ method, url: "/subscriptions/ending?token=guess" })).statusCode).toBe(404);
    }
  });
});

describe("the calls of subscriptions", () => {
  it("are for the owner only, of what they may read, with valid times", async () => {
    const gateway = await app.open();
    const savedSearchId = await app.saveSearch(gateway, "ada");
    const { id } = await app.create(gateway, "ada", { savedSearchId });
    for (const [method, path, body] of [
      ["PUT", "", app.draftOf({ savedSearchId: await app.saveSearch(gateway, "bob") })],
      ["DELETE", "", undefined],
      ["POST", "/send", undefined],
      ["GET", "/deliveries", undefined],
    ] as const) {
      expect((await app.call(gateway, "bob", method, `/subscriptions/${id}${path}`, body)).status).toBe(404);
    }
    expect((await app.list(gateway, "bob")).subscriptions).toEqual([]);
    expect((await app.call(gateway, "bob", "POST", "/subscriptions", app.draftOf({ savedSearchId }))).status).toBe(404);
    const { at } = app.draftOf({ savedSearchId });
    for (const wrong of [
      { hour: 24 },
      { minute: -1 },
      { weekdays: [] },
      { weekdays: [1, 1] },
      { weekdays: [0] },
      { zone: "+05:30" },
      { zone: "Mars/Base" },
    ]) {
      expect(
        (await app.call(gateway, "ada", "POST", "/subscriptions", app.draftOf({ savedSearchId }, { at: { ...at, ...wrong } }))).status,
      ).toBe(400);
    }
    const both = { ...app.draftOf({ savedSearchId }), of: { savedSearchId, boardId: "x" } };
    expect((await app.call(gateway, "ada", "POST", "/subscriptions", both)).status).toBe(400);
  });

  it("keep the limit of 20 a person that are created at the same time, and names unique", async () => {
    const gateway = await app.open();
    const savedSearchId = await app.saveSearch(gateway, "ada");
    const statuses = await Promise.all(
      Array.from({ length: 23 }, () => app.call(gateway, "ada", "POST", "/subscriptions", app.draftOf({ savedSearchId }))),
    );
    expect(statuses.filter(({ status }) => status === 201)).toHaveLength(20);
    const [first, second] = (await app.list(gateway, "ada")).subscriptions;
    const draft = app.draftOf({ savedSearchId }, { name: first?.name.toUpperCase() ?? "" });
    expect(await app.call(gateway, "ada", "PUT", `/subscriptions/${second?.id}`, draft)).toMatchObject({
      status: 409,
      body: { errors: [{ code: "name-taken", path: "name" }] },
    });
  });
});
