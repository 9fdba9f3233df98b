import { describe, expect, it } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { updateDraft, newColumn, newDraft, newGrouping } from "./graph-draft.ts";
import { countOfGroups } from "@fairway/contract/charts/graph-groups";
import { templateDefinition, templateText } from "@fairway/contract/charts/graph";

const description = buildDescription({
  filterSupport: { supportsAdvancedFiltering: true },
  columns: [buildColumn("season", { type: "integer" }), buildColumn("wind", { type: "integer", unit: "kt" })],
});
const range = timeRangeOf(Date.UTC(2005, 7, 1), Date.UTC(2005, 8, 1));

describe("a new graph", () => {
  it("counts rows by day, or by a first condition without a time range", () => {
    expect(newDraft(description, { timeRange: range }, 50)).toMatchObject({
      title: "# Occurences by day",
      groupingType: "day",
      groupings: [],
    });
    expect(newDraft(description, { timeRange: null }, 50)).toMatchObject({
      title: "# Occurences by wind",
      groupingType: "custom",
      groupings: [{ conditions: [{ model: "wind" }] }],
    });
  });

  it("groups as many days together as it takes to have few groups", () => {
    const endMs = Date.UTC(2005, 9, 31, 23);
    const season = { startMs: Date.UTC(2005, 5, 1), endMs };
    const draft = newDraft(description, { timeRange: timeRangeOf(season.startMs, endMs) }, 50);
    expect(draft).toMatchObject({ title: "# Occurences by 7 days", groupingType: "day", days: 7 });
    expect(countOfGroups(draft, season)).toBe(22);
    expect(templateDefinition(templateText(draft))).toEqual(draft);
    expect(newDraft(description, { timeRange: timeRangeOf(Date.UTC(1800, 0, 1), endMs) }, 50).days).toBeGreaterThan(365);
  });

  it("gets a suggested title until the user sets one", () => {
    const draft = newDraft(description, { timeRange: range }, 50);
    const hourly = updateDraft(draft, { groupingType: "hour" });
    expect(hourly.title).toBe("# Occurences by hour");
    const named = updateDraft(hourly, { title: "Storms" });
    expect(updateDraft(named, { groupingType: "day" }).title).toBe("Storms");
    expect(updateDraft({ ...draft, title: "" }, { groupingType: "hour" }).title).toBe("");
  });

  it("gives each new column and group its own color, and a group the column of the previous one", () => {
    const columns = [newColumn([])];
    for (let more = 0; more < 4; more += 1) columns.push(newColumn(columns));
    expect(new Set(columns.map(({ color }) => color)).size).toBe(5);
    const first = { ...newGrouping(description, []), conditions: [{ id: "c", model: "season", operator: "=" as const, value: 2005 }] };
    expect(newGrouping(description, [first])).toMatchObject({ conditions: [{ model: "season", operator: "=", value: "" }] });
  });
});

it("round-trips templates without values and rejects anything else", () => {
  const draft = newDraft(description, { timeRange: null }, 50);
  expect(templateDefinition(templateText(draft))).toEqual(draft);
  for (const text of ["", "[]", "{}", '{"title":"x"}', templateText(draft).replace('"bar"', '"cube"')])
    expect(templateDefinition(text)).toBeNull();
});
