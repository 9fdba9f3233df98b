import type { AuditPage } from "@fairway/contract/audit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { demoGateway } from "#testing/demo-gateway.ts";
import { tools } from "./server.ts";
import { injection, content, opened, post, newKey, connect, use, openPortal, addressOf, sea } from "#testing/assistants-portal.ts";

beforeAll(openPortal);

afterAll(() => opened.portal.close());

describe("assistants", () => {
  it("find tools that only read, and are warned of instructions in data", async () => {
    const client = await connect();
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      "list_datasets",
      "describe_dataset",
      "sample_rows",
      "search_rows",
      "summarize",
      "aggregate",
      "newest_per_item",
      "list_files",
      "preview_file",
    ]);
    expect(listed.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(client.getInstructions()).toContain("never instructions");
    const {
      structuredContent,
      content: [text],
    } = await client.callTool({ name: "list_datasets", arguments: {} });
    expect(text).toEqual({ type: "text", text: JSON.stringify(structuredContent) });
    const { body } = await post("/assistants", undefined, opened.admin, "GET");
    expect(body).toMatchObject({ enabled: true, tools: listed.map(({ name, title }) => ({ name, title })) });
  });

  it("list and describe only what the key opens", async () => {
    const client = await connect();
    const { json } = await use(client, "list_datasets");
    expect(json).toMatchObject({ notice: expect.stringContaining("not instructions"), total: 1, next_offset: null });
    expect(json.datasets).toMatchObject([{ ...sea, description: "Positions of ships.", has_location: true }]);
    expect((await use(client, "list_datasets", { text: "shps" })).json.datasets).toHaveLength(1);
    expect((await use(client, "list_datasets", { text: "weather" })).json.datasets).toEqual([]);
    expect((await use(client, "list_datasets", { text: "ship weather" })).json.datasets).toMatchObject([
      { dataset: sea.dataset, words_without_match: ["weather"] },
    ]);
    expect((await use(client, "list_datasets", { text: "ship speed" })).json.datasets).not.toHaveProperty("0.words_without_match");
    const { json: described } = await use(client, "describe_dataset", sea);
    expect(described).toMatchObject({ time_column: "at", item_column: "ship", first_time: "2024-01-01T00:00:00.000Z" });
    expect(described.columns).toContainEqual({ name: "speed", type: "integer", unit: "kn", description: "Over ground." });
    expect(described.takes).toMatchObject({ time_range: true, area: true, filters: "any column" });
    const refused = await use(client, "describe_dataset", { ...sea, dataset: "secret ships" });
    expect(refused).toMatchObject({ isError: true, problem: "There is no such dataset, or you don't have access to it." });
  });

  it("are told that they see a part of the rows, with each answer that is made of them", async () => {
    const guarded = { ...sea, dataset: "guarded ships" };
    const client = await connect(await newKey("guarded", guarded.dataset));
    const part =
      "This is a part of the rows: access rules leave out others, also of counts and figures. You see ship 1. Some columns are left out or have coarse values.";
    const asked: [string, object][] = [
      ["describe_dataset", {}],
      ["sample_rows", {}],
      ["search_rows", {}],
      ["aggregate", {}],
      ["newest_per_item", {}],
      ["summarize", {}],
    ];
    for (const [name, input] of asked) expect([name, (await use(client, name, { ...guarded, ...input })).json?.part]).toEqual([name, part]);
    expect((await use(client, "search_rows", guarded)).json.total_rows).toBe(30);
    const refused = await use(client, "search_rows", { ...guarded, columns: ["harbor"] });
    const unknown = await use(client, "search_rows", { ...guarded, columns: ["no_such_column"] });
    expect([refused.isError, refused.problem]).toEqual([true, unknown.problem.replaceAll("no_such_column", "harbor")]);
    const none = await connect(await newKey("none", guarded.dataset, []));
    expect((await use(none, "aggregate", guarded)).json).toMatchObject({
      part: expect.stringContaining("Your roles give you no rows of this dataset."),
      total: { rows: 0 },
    });
    expect((await use(await connect(), "aggregate", sea)).json).not.toHaveProperty("part");
  });

  it("filter by lists, ranges, texts, the calendar and alternatives, and link to the same search", async () => {
    const client = await connect();
    const filters = [
      { column: "ship", operator: "in", value: ["ship 1", "ship 2", "ship 7"] },
      { column: "harbor", operator: "not in", value: [null] },
      { column: "ship", operator: "starts with", value: "SHIP" },
      { column: "at", operator: "between", value: ["2024-01-06", "2024-01-07T23:59:59Z"] },
      { column: "at", operator: "when", value: { part: "dayOfWeek", in: [6, 7] } },
    ];
    const slow = [{ column: "speed", operator: "<", value: 5 }];
    const harbor = [
      { column: "harbor", operator: "contains", value: "BREST" },
      { column: "speed", operator: ">=", value: 15 },
    ];
    const { json } = await use(client, "search_rows", { ...sea, filters, any_of: [slow, harbor], columns: ["ship", "speed", "at"] });
    const hours = Array.from({ length: 240 }, (_, number) => number);
    const wanted = hours.filter(
      (number) =>
        number >= 120 && number < 168 && [1, 2].includes(number % 8) && (number % 20 < 5 || (number % 2 === 0 && number % 20 >= 15)),
    );
    expect(json.total_rows).toBe(wanted.length);
    expect(new Set((json.rows as { at: string }[]).map(({ at }) => at))).toEqual(
      new Set(wanted.map((number) => new Date(1_704_067_200_000 + number * 3_600_000).toISOString())),
    );
    expect(addressOf(json.portal_link).f).toEqual([
      ["ship", "in", ["ship 1", "ship 2", "ship 7"]],
      ["harbor", "not in", [null]],
      ["ship", "starts with", "SHIP"],
      ["at", "between", [1_704_499_200, 1_704_671_999]],
      ["at", "when", { part: "dayOfWeek", zone: "UTC", in: [6, 7] }],
      [
        "*",
        "any",
        [
          [["speed", "<", 5]],
          [
            ["harbor", "contains", "BREST"],
            ["speed", ">=", 15],
          ],
        ],
      ],
    ]);
    const { json: summary } = await use(client, "summarize", { ...sea, filters, any_of: [slow, harbor] });
    expect(summary.total["count(*)"]).toBe(wanted.length);
  });

  it("link to the same search in the portal", async () => {
    const client = await connect();
    const filters = [{ column: "harbor", operator: "=", value: "Brest" }];
    const { json } = await use(client, "search_rows", {
      ...sea,
      filters,
      time_range: { start: "2024-01-01" },
      sort: [{ column: "at", direction: "asc" }],
    });
    const [start] = (json.portal_link as string).split("#1.");
    expect(start).toMatch(new RegExp(`^${opened.address}/search/[\\w-]{36}$`));
    expect(addressOf(json.portal_link)).toEqual({
      c: "Sea",
      d: "ships",
      t: [1_704_067_200, null],
      f: [["harbor", "=", "Brest"]],
      o: [["at", "asc"]],
    });
  });

  it("compute columns, which filters, sorting, groups and the link name, and are told what is wrong with a formula", async () => {
    const client = await connect();
    const computed = { fast: "speed >= 10", kind: "if(fast, 'fast', 'slow')" };
    const filters = [{ column: "fast", operator: "=", value: true }];
    const { json } = await use(client, "search_rows", {
      ...sea,
      computed,
      filters,
      sort: [{ column: "kind", direction: "asc" }],
      limit: 1,
    });
    expect(json).toMatchObject({ total_rows: 120, rows: [{ fast: true, kind: "fast" }] });
    expect(addressOf(json.portal_link)).toMatchObject({ x: Object.entries(computed), f: [["fast", "=", true]] });
    const { json: groups } = await use(client, "summarize", { ...sea, computed, by: [{ column: "kind" }], measures: ["count"] });
    expect(groups.groups).toMatchObject([{ kind: "fast" }, { kind: "slow" }]);
    expect((await use(client, "search_rows", { ...sea, computed: { fast: "sped > 1" } })).problem).toContain("Did you mean 'speed'?");
  });

  it("aggregate over all rows, by a column's values with the empty ones, and by time", async () => {
    const client = await connect();
    const measures = [{ function: "count" }, { function: "avg", column: "speed" }, { function: "max", column: "at" }];
    const { json } = await use(client, "aggregate", { ...sea, measures, by_column: "harbor" });
    expect(json.total).toEqual({ rows: 240, "avg(speed)": 9.5, "max(at)": "2024-01-10T23:00:00.000Z" });
    expect(json.units).toEqual({ speed: "kn" });
    expect(json.groups).toMatchObject([
      { harbor: "Brest", rows: 120 },
      { harbor: injection, rows: 90 },
      { harbor: null, rows: 30 },
    ]);
    const { json: days } = await use(client, "aggregate", { ...sea, by_time: "day" });
    expect(days.groups).toHaveLength(10);
    expect(days.groups[0]).toEqual({ day: "2024-01-01T00:00:00.000Z", rows: 24 });
    expect((await use(client, "aggregate", { ...sea, by_time: "minute" })).problem).toContain("Use longer steps");
  });

  it("are told how many values an aggregate leaves out, and which tool ranks them", async () => {
    const client = await connect();
    const { json } = await use(client, "aggregate", { ...sea, by_column: "at" });
    expect(json).toMatchObject({ values_left_out: 230, remark: expect.stringContaining("use summarize to rank") });
    expect((await use(client, "aggregate", { ...sea, by_column: "harbor" })).json).not.toHaveProperty("values_left_out");
  });

  it("summarize by ranked groups, with Other, the rows without a value, and the total, each computed from rows", async () => {
    const client = await connect();
    const late = [{ column: "speed", operator: ">=", value: 10 }];
    const { json } = await use(client, "summarize", {
      ...sea,
      by: [{ column: "harbor" }],
      measures: [
        "p90(speed)",
        "median(speed)",
        { measure: "rate", where: late, name: "fast" },
        { measure: "count", where: late, name: "fast ones" },
      ],
      top: 1,
      rank_by: "fast",
    });
    const figures = { "count(*)": 120, "p90(speed)": expect.closeTo(16.2, 9), "median(speed)": 9, fast: 50, "fast ones": 60 };
    expect(json).toMatchObject({
      groups: [{ harbor: "Brest", ...figures }],
      other: { groups: 1, "count(*)": 90 },
      empty: { "count(*)": 30 },
      total: { "count(*)": 240, "median(speed)": 9.5, fast: 50 },
      groups_found: { harbor: 2 },
      exact: true,
      units: { "p90(speed)": "kn", "median(speed)": "kn", fast: "%" },
    });
    const top = { count: 1, other: true, by: "fast", direction: "desc" };
    expect(addressOf(json.portal_link)).toMatchObject({
      c: "Sea",
      d: "ships",
      m: "graphs",
      g: [
        {
          breakdown: { by: [{ kind: "value", column: "harbor", top }], measures: [{ aggregation: "percentile", p: 0.9 }, {}, {}, {}, {}] },
        },
      ],
    });
  });

  it("summarize exactly or by estimates, as they choose, and say which", async () => {
    const client = await connect();
    const ask = async (accuracy?: string) =>
      (await use(client, "summarize", { ...sea, measures: ["distinct(speed)", "avg(speed)"], ...(accuracy && { accuracy }) })).json;
    expect(await ask("estimate")).toMatchObject({ exact: false, estimates: ["distinct(speed)"] });
    expect(await ask("exact")).toEqual({ ...(await ask()), portal_link: expect.any(String) });
    expect(addressOf((await ask("estimate")).portal_link)).toMatchObject({ g: [{ breakdown: { accuracy: "estimate" } }] });
  });

  it("summarize by steps, weekdays and ranges, in a zone, with conditions, and compared with the time before", async () => {
    const client = await connect();
    const ask = async (input: object) => (await use(client, "summarize", { ...sea, measures: ["avg(speed)"], ...input })).json;
    const days = await ask({ by: [{ step: "day", zone: "America/New_York" }] });
    expect(days.groups[0]).toEqual({ at: "2023-12-31T00:00", "avg(speed)": 2, "count(*)": 5 });
    const weekdays = await ask({ by: [{ part: "dayOfWeek" }], rank_by: "count" });
    expect(weekdays.groups.map(({ at, ...figures }: { at: string; "count(*)": number }) => [at, figures["count(*)"]]).slice(0, 4)).toEqual([
      ["Monday", 48],
      ["Tuesday", 48],
      ["Wednesday", 48],
      ["Thursday", 24],
    ]);
    const ranges = await ask({ by: [{ column: "speed", ranges: { edges: [5, 15] } }], measures: ["count"] });
    expect(ranges.groups).toEqual([
      { speed: "below 5", "count(*)": 60 },
      { speed: "5 to 15", "count(*)": 120 },
      { speed: "15 and above", "count(*)": 60 },
    ]);
    const many = await ask({ by: [{ column: "harbor" }], least_rows: 100 });
    expect(many).toMatchObject({ groups: [{ harbor: "Brest" }], other: { "count(*)": 90 }, too_few_rows: { groups: 1, rows: 90 } });
    const table = await ask({
      by: [{ column: "harbor" }, { part: "hourOfDay" }],
      measures: ["max(at)"],
      filters: [{ column: "ship", operator: "=", value: "ship 7" }],
    });
    expect(table.groups[0]).toEqual({
      harbor: null,
      at: "07:00",
      kinds: { harbor: "empty" },
      "max(at)": "2024-01-10T07:00:00.000Z",
      "count(*)": 10,
    });
    const compared = await ask({ time_range: { start: "2024-01-02", end: "2024-01-02" }, compare: "before" });
    expect(compared.total).toMatchObject({
      "count(*)": 24,
      before: { "count(*)": 24 },
      change: { "count(*)": 0 },
      change_percent: { "count(*)": 0 },
    });
    expect(compared.total["avg(speed)"] - compared.total.before["avg(speed)"]).toBeCloseTo(compared.total.change["avg(speed)"], 9);
    expect(compared.compared_with).toMatchObject({ start: "2024-01-01T00:00:00Z" });
  });

  it("get an error that explains an invalid input", async () => {
    const client = await connect();
    const refused = async (name: string, input: object) => (await use(client, name, { ...sea, ...input })).problem;
    expect(await refused("search_rows", { filters: [{ column: "sped", operator: "=", value: 1 }] })).toContain(
      "'sped'. The columns are: ship, harbor",
    );
    expect(await refused("search_rows", { filters: [{ column: "at", operator: ">", value: "yesterday" }] })).toContain(
      "not an ISO 8601 time",
    );
    expect(await refused("search_rows", { limit: 5_000 })).toContain("limit");
    expect(await refused("search_rows", { time_range: { start: "2024-02-01", end: "2024-01-01" } })).not.toBe("");
    expect(await refused("aggregate", { measures: [{ function: "sum", column: "harbor" }] })).toContain("harbor");
    expect(await refused("aggregate", { by_column: "ship", by_time: "day" })).toContain("not both");
    const filter = (column: string, operator: string, value: unknown) => ({ filters: [{ column, operator, value }] });
    expect(await refused("search_rows", filter("ship", "in", "ship 1"))).toContain("filters.0.value: in takes a list of values");
    expect(await refused("search_rows", filter("ship", "=", ["ship 1"]))).toContain("= takes one value");
    expect(await refused("search_rows", filter("speed", "between", [20, 10]))).toContain("20");
    expect(await refused("search_rows", filter("speed", "contains", "1"))).toContain("speed");
    expect(await refused("search_rows", filter("at", "when", { part: "dayOfWeek", in: [8] }))).toContain("8");
    expect(await refused("search_rows", filter("at", "in", ["2024-01-01", "noon"]))).toContain("'noon' is not an ISO 8601 time");
    expect(await refused("search_rows", { any_of: [[{ column: "ship", operator: "=", value: "ship 1" }]] })).toContain("any_of");
    const by = [{ column: "harbor" }];
    expect(await refused("summarize", { by, measures: ["mode(speed)"] })).toContain("'mode(speed)' is no measure. A measure is count");
    expect(await refused("summarize", { by, measures: ["avg(sped)"] })).toContain("'sped'. The columns are");
    expect(await refused("summarize", { by, measures: ["avg(harbor)"] })).toContain("avg cannot be taken over 'harbor', which is STRING.");
    expect(await refused("summarize", { by, measures: ["count"], rank_by: "avg(speed)" })).toContain("'avg(speed)' names no measure");
    expect(await refused("summarize", { by, measures: ["min(at)", { measure: "min(at)" }] })).toContain("give one of them another name");
    const fast = [{ column: "speed", operator: ">=", value: 10 }];
    expect(await refused("summarize", { by, measures: [{ measure: "count", where: fast }] })).toContain("so give the other one a name");
    expect(await refused("summarize", { by, measures: ["rate"] })).toContain("rate needs filters in 'where'.");
    expect(await refused("summarize", { by: [...by, ...by] })).toContain("by.1: This is the same grouping");
    expect(await refused("summarize", { by: [{ column: "speed", step: "day" }] })).not.toBe("");
    expect(await refused("summarize", { by: [{ step: "day", zone: "+05:30" }] })).toContain("'+05:30' is not a time zone");
    expect(await refused("summarize", { by: [{ step: "hour" }] })).toContain("This summary has 240 groups; one answer holds 200.");
    expect(await refused("summarize", { compare: "before" })).toContain("A comparison needs a time range with both ends.");
  });

  it("need an API key: no session, no wrong key", async () => {
    await expect(connect("fwk_wrong")).rejects.toThrow("not valid");
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect(await post("/mcp", message, opened.admin)).toMatchObject({
      status: 403,
      body: { errors: [{ message: expect.stringContaining("API key") }] },
    });
    expect((await fetch(`${opened.address}/api/mcp`, { headers: { authorization: `Bearer ${opened.key}` } })).status).toBe(405);
  });

  it("lose access with their key, in the middle of a conversation", async () => {
    const token = await newKey("short-lived");
    const client = await connect(token);
    expect((await use(client, "list_datasets")).json.total).toBe(1);
    expect((await post("/apiKeys/short-lived", undefined, opened.admin, "DELETE")).status).toBe(204);
    await expect(use(client, "list_datasets")).rejects.toThrow("not valid");
  });

  it("can be switched off by administrators, who see what they use", async () => {
    const client = await connect();
    await use(client, "sample_rows", sea);
    await use(client, "sample_rows", { ...sea, dataset: "no such" });
    await expect
      .poll(async () => (await post("/admin/assistants", undefined, opened.admin, "GET")).body.uses[0])
      .toMatchObject({
        apiKeyName: "assistant",
        owner: "root",
        tools: expect.arrayContaining([{ name: "sample_rows", calls: expect.any(Number), refused: 1 }]),
      });
    expect((await post("/admin/assistants", { enabled: false }, opened.admin, "PUT")).status).toBe(204);
    onTestFinished(async () => void (await post("/admin/assistants", { enabled: true }, opened.admin, "PUT")));
    await expect(use(client, "list_datasets")).rejects.toThrow(/has turned off assistants/);
    await expect(connect()).rejects.toThrow(/has turned off assistants/);
  });

  it("are shown as switched off at once, although another gateway did it", async () => {
    const shown = async () => [
      (await post("/admin/assistants", undefined, opened.admin, "GET")).body.enabled,
      (await post("/assistants", undefined, opened.admin, "GET")).body.enabled,
    ];
    const otherGateway = (enabled: boolean) =>
      opened.portal.database.pool.query(
        "insert into assistant_settings (enabled) values ($1) on conflict (only_row) do update set enabled = $1",
        [enabled],
      );
    expect(await shown()).toEqual([true, true]);
    await otherGateway(false);
    onTestFinished(async () => void (await otherGateway(true)));
    expect(await shown()).toEqual([false, false]);
  });

  it("get one answer per call: a batch is refused, whatever it holds, and each message counts towards the limit of the key", async () => {
    const limited = await demoGateway({ LIMIT_API_KEY_CALLS_PER_MINUTE: "6" }, content);
    onTestFinished(() => limited.close());
    const at = `http://127.0.0.1:${limited.port}/api`;
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const send = async (path: string, token: string, body: unknown) => {
      const response = await fetch(`${at}${path}`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
    };
    const { json: login } = await send("/auth/login", "", { username: "root", password: "tide-table" });
    const datasets = [{ datasetCategory: "Sea", datasetId: "ships" }];
    const { json: created } = await send("/apiKeys", login.token.access_token, { name: "few", datasets, filesetIds: [] });
    const message = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} });
    const refused = { status: 400, json: { jsonrpc: "2.0", id: null, error: { code: -32_600 } } };
    for (const batch of [[], [message(1)], Array.from({ length: 100 }, (_, id) => message(id))]) {
      expect(await send("/mcp", created.key, batch)).toMatchObject(refused);
    }
    const statuses: number[] = [];
    for (let id = 0; id < 6; id += 1) statuses.push((await send("/mcp", created.key, message(id))).status);
    // Three of the six were batches.
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it("derive the list of tools once, not for every message", async () => {
    const derivations = tools.map(({ input }) => vi.spyOn(input["~standard"].jsonSchema, "input"));
    onTestFinished(() => derivations.forEach((derivation) => derivation.mockRestore()));
    const client = await connect();
    const lists = [await client.listTools(), await client.listTools()].map((list) => list.tools);
    for (const derivation of derivations) expect(derivation).not.toHaveBeenCalled();
    expect(lists[0]?.find(({ name }) => name === "preview_file")).toMatchObject({
      inputSchema: { type: "object", required: ["fileset", "path"], properties: { bytes: { default: 8_000, maximum: 32_000 } } },
    });
    expect(lists[1]).toEqual(lists[0]);
    // The list is part of every conversation.
    for (const { inputSchema } of lists[0] ?? []) {
      const text = JSON.stringify(inputSchema);
      expect(text.split("finds cells different from").length).toBeLessThanOrEqual(2);
      for (const [, name = ""] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) expect(inputSchema).toHaveProperty(["$defs", name]);
    }
  });

  it("leave a trail in the audit log: the message, and what it read under the key", async () => {
    const client = await connect();
    await use(client, "sample_rows", sea);
    const calls = async () =>
      ((await post("/auditing/events", undefined, opened.admin, "GET")).body as AuditPage).content.map(({ path, details }) => [
        path,
        details.apiKey,
      ]);
    await expect.poll(calls).toEqual(
      expect.arrayContaining([
        ["/api/datasets/Sea/ships/sample", "assistant"],
        ["/api/mcp", "assistant"],
      ]),
    );
  });
});
