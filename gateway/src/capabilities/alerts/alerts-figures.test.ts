import type { AlertCondition } from "@fairway/contract/alerts";
import { type AddressedFilter, filterOfAddress } from "@fairway/contract/filters";
import { summary } from "@fairway/contract/summaries";
import { describe, expect, it } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";
import { addDataset } from "#testing/dataset-app.ts";
import { everyForm, filteredDataset, filteredRows } from "#testing/filter-forms.ts";

const app = await alertsApp();

/** Titles of the messages so far, without the alert's name. */
async function titles(gateway: Awaited<ReturnType<typeof app.open>>, name: string): Promise<string[]> {
  return (await app.messages(gateway, "ada")).map(({ title }) => title.replace(`${name}: `, ""));
}

const byName = (overrides: object = {}): AlertCondition => ({
  kind: "groups",
  by: "name",
  measure: { aggregation: "avg", column: "id" },
  operator: ">",
  value: 8,
  ...overrides,
});

describe("an alert on a figure", () => {
  it("watches the rows of every form of filter, and its message links to them", async () => {
    const source = { kind: "files", glob: "forms.parquet", format: "parquet" } as const;
    await app.base.bench.prepare(`copy (${filteredRows}) to 'FOLDER/forms.parquet' (format parquet)`);
    await addDataset(app.base, { ...filteredDataset, id: "forms", source });
    const gateway = await app.open();
    const condition: AlertCondition = { kind: "measure", measure: { aggregation: "max", column: "id" }, operator: "<", value: 1_000 };
    const { id } = await app.create(gateway, "ada", { condition }, "forms", { filters: everyForm.filters });
    expect(await app.find(gateway, "ada", id)).toMatchObject({ seen: { rows: everyForm.rows } });
    const [message] = await app.messages(gateway, "ada");
    const linked = JSON.parse(Buffer.from(message?.link?.split("#1.")[1] ?? "", "base64url").toString()) as {
      f: AddressedFilter[];
      m: string;
      g: unknown;
    };
    expect(linked).toMatchObject({ m: "graphs", g: [{ breakdown: { measures: [condition.measure] } }] });
    expect(linked.f.map((entry) => filterOfAddress(entry))).toEqual(everyForm.filters);
  });

  it("tells once when it passes the limit, and when that is over; without rows it does not hold", async () => {
    const gateway = await app.open();
    const condition: AlertCondition = { kind: "measure", measure: { aggregation: "max", column: "id" }, operator: ">=", value: 10 };
    const { id, draft } = await app.create(gateway, "ada", { condition, tellWhenOver: true });
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok", condition, seen: { rows: 10 } });
    for (const rows of [11, 12, 0, 0, 11]) {
      await app.writeRows(rows);
      await app.check(id);
    }
    expect(await titles(gateway, draft.name)).toEqual(["10", "no value any more", "10"]);
    const [first] = await app.messages(gateway, "ada");
    expect(first?.text).toContain("You asked to be notified of a maximum of id of at least 10.");
  });
});

describe("an alert on groups", () => {
  it("tells of each group once when it crosses, and again only after it was back", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", { condition: byName() });
    for (const rows of [10, 12, 12, 5, 10]) {
      await app.writeRows(rows);
      await app.check(id);
    }
    expect(await titles(gateway, draft.name)).toEqual([
      "1 name above 8: row 9 9",
      "2 names above 8: row 11 11, row 10 10",
      "1 name above 8: row 9 9",
    ]);
  });

  it("links to their ranking, with the condition on the rows of each", async () => {
    const gateway = await app.open();
    const measure = { aggregation: "min", column: "id" };
    await app.create(gateway, "ada", { condition: byName({ measure, operator: "<", value: 3, leastRows: 1 }) });
    const [message] = await app.messages(gateway, "ada");
    const { g } = JSON.parse(Buffer.from(message?.link?.split("#1.")[1] ?? "", "base64url").toString()) as { g: unknown[] };
    const { breakdown } = summary.parse(g[0]);
    expect(breakdown).toEqual({
      measures: [measure, { aggregation: "count", column: "*" }],
      by: [{ kind: "value", column: "name", top: { count: 20, direction: "asc", other: true }, empty: "hide" }],
      having: [{ measure: "count(*)", operator: ">=", value: 1 }],
    });
    const { status } = await app.base.call([], "POST", "/datasets/Tests/rows/breakdown", { search: {}, ...breakdown });
    expect(status).toBe(200);
  });

  it("names the ten that are furthest beyond the limit", async () => {
    const gateway = await app.open();
    await app.writeRows(21);
    const { draft } = await app.create(gateway, "ada", { condition: byName() });
    const named = Array.from({ length: 10 }, (_, index) => `row ${20 - index} ${20 - index}`).join(", ");
    expect(await titles(gateway, draft.name)).toEqual([`12 names above 8: ${named} and 2 more`]);
  });

  it("leaves out groups with too few rows", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { condition: byName({ leastRows: 2 }) });
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok" });
  });

  it("pauses with the reason beyond a thousand groups", async () => {
    const gateway = await app.open();
    await app.writeRows(1_001);
    const { id } = await app.create(gateway, "ada", { condition: byName() });
    const reason = "'name' has more than 1,000 values to watch. Ask for more rows of each, or for a smaller search.";
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "paused", pausedBy: "portal", reason });
  });

  it.each<[object, string]>([
    [{ by: "colour" }, "unknown-column"],
    [{ measure: { aggregation: "avg", column: "name" } }, "not-supported"],
    [{ measure: { aggregation: "share", column: "id" } }, "invalid-request"],
    [{ leastRows: 0 }, "invalid-request"],
    [{ unless: 1 }, "invalid-request"],
  ])("refuses %o", async (overrides, code) => {
    const gateway = await app.open();
    const draft = app.draftOf(await app.saveSearch(gateway, "ada"), { condition: byName(overrides) });
    const { status, body } = await app.call(gateway, "ada", "POST", "/alerts", draft);
    expect([status, body.errors[0]?.code]).toEqual([400, code]);
  });
});
