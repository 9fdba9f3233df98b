import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { changedDraft, newColumn, newDraft, newGrouping } from "./graph-draft.ts";
import { templateDefinition, templateText } from "./graph.ts";

const description = buildDescription({
  filterSupport: { supportsAdvancedFiltering: true },
  columns: [buildColumn("season", { type: "integer" }), buildColumn("wind", { type: "integer", unit: "kt" })],
});
const range = { startMs: Date.UTC(2005, 7, 1), endMs: Date.UTC(2005, 8, 1) };

describe("a new graph", () => {
  it("counts rows by day, or by a first condition where there is no range", () => {
    expect(newDraft(description, range)).toMatchObject({ title: "# Occurences by day", groupingType: "day", groupings: [] });
    expect(newDraft(description, null)).toMatchObject({ groupingType: "custom", groupings: [{ conditions: [{ model: "wind" }] }] });
  });

  it("is named by what it shows until the person names it", () => {
    const draft = newDraft(description, range);
    const hourly = changedDraft(draft, { groupingType: "hour" });
    expect(hourly.title).toBe("# Occurences by hour");
    const named = changedDraft(hourly, { title: "Storms" });
    expect(changedDraft(named, { groupingType: "day" }).title).toBe("Storms");
    expect(changedDraft({ ...draft, title: "" }, { groupingType: "hour" }).title).toBe("");
  });

  it("gives each further column and group a color of its own, and a group the column of the one before", () => {
    const columns = [newColumn([])];
    for (let more = 0; more < 4; more += 1) columns.push(newColumn(columns));
    expect(new Set(columns.map(({ color }) => color)).size).toBe(5);
    const first = { ...newGrouping(description, []), conditions: [{ id: "c", model: "season", operator: "=" as const, value: 2005 }] };
    expect(newGrouping(description, [first])).toMatchObject({ conditions: [{ model: "season", operator: "=", value: "" }] });
  });
});

it("a template holds a graph without its values, and nothing else is taken for one", () => {
  const draft = newDraft(description, null);
  expect(templateDefinition(templateText(draft))).toEqual(draft);
  for (const text of ["", "[]", "{}", '{"title":"x"}', templateText(draft).replace('"bar"', '"cube"')])
    expect(templateDefinition(text)).toBeNull();
});
