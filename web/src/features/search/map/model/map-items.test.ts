import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { filteredItems, mapItemsOf, unplacedSummary } from "./map-items.ts";

const description = buildDescription({
  columns: [
    buildColumn("storm_id"),
    buildColumn("name"),
    buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
    buildColumn("latitude", { type: "decimal" }),
    buildColumn("longitude", { type: "decimal" }),
    buildColumn("position", { combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: ", " } }),
  ],
  mapSupport: { groupItemField: "storm_id", itemLocationField: "position", itemTemporalField: "time" },
  titleField: "name",
});
const row = (storm_id: string, more: Record<string, string | number | null> = {}) => ({
  storm_id,
  name: `Storm ${storm_id}`,
  time: 1_000,
  latitude: 10,
  longitude: -20,
  ...more,
});

describe("map items", () => {
  it("[MAP-09] are grouped, located and timed by the fields that the dataset names", () => {
    const list = mapItemsOf(description, [row("2005-06"), row("2005-06", { time: 2_000, latitude: 11 })]);
    expect(list?.items).toHaveLength(1);
    expect(list?.items[0]).toMatchObject({ id: "2005-06", name: "Storm 2005-06", group: "2005-06", lat: 11, lng: -20, timeMs: 2_000_000 });
    expect(list?.newestMs).toBe(2_000_000);
  });

  it("[MAP-02] are sorted by name, numerically and ignoring case", () => {
    const list = mapItemsOf(
      description,
      ["storm 10", "Storm 9", "alpha", "Zeta"].map((name, index) => row(String(index), { name })),
    );
    expect(list?.items.map(({ name }) => name)).toEqual(["alpha", "Storm 9", "storm 10", "Zeta"]);
  });

  it("carry their group value if several share a name", () => {
    const list = mapItemsOf(description, [row("2016-16", { name: "Otto" }), row("2004-15", { name: "Otto" }), row("2005-12")]);
    expect(list?.items.map(({ name, mark }) => [name, mark])).toEqual([
      ["Otto", "2004-15"],
      ["Otto", "2016-16"],
      ["Storm 2005-12", null],
    ]);
    expect(mapItemsOf(description, [row("a", { name: " " }), row("b", { name: " " })])?.items.map(({ mark }) => mark)).toEqual([
      null,
      null,
    ]);
  });

  it("use their group value as the name if they have none", () => {
    expect(mapItemsOf(description, [row("2005-31", { name: " " })])?.items[0]?.name).toBe("2005-31");
  });

  it("[MAP-03] are filtered by a text in name or group, ignoring case", () => {
    const items = mapItemsOf(description, [row("2005-12", { name: "Katrina" }), row("2011-09", { name: "Irene" })])?.items ?? [];
    expect(filteredItems(items, " kATR ").map(({ name }) => name)).toEqual(["Katrina"]);
    expect(filteredItems(items, "2011").map(({ name }) => name)).toEqual(["Irene"]);
    expect(filteredItems(items, "")).toBe(items);
    expect(filteredItems(items, "andrew")).toEqual([]);
  });

  it("are counted and kept off the map if coordinates are missing, out of range or text", () => {
    const list = mapItemsOf(description, [
      row("a"),
      row("b", { latitude: null }),
      row("c", { longitude: "" }),
      row("d", { latitude: 90.1 }),
      row("e", { longitude: -180.5 }),
      row("f", { latitude: "12 N" }),
      row("g", { latitude: 0, longitude: 0 }),
      row("h", { latitude: -90, longitude: 180 }),
    ]);
    expect(list?.unplaced).toEqual({ missing: 2, "out of range": 2, text: 1 });
    expect(list?.items.filter(({ problem }) => problem === null).map(({ id }) => id)).toEqual(["a", "g", "h"]);
    expect(list?.byId.get("b")).toMatchObject({ lat: Number.NaN, lng: Number.NaN, problem: "missing" });
    expect(list && unplacedSummary(list)).toBe(
      "5 items have no place on the map: 2 with coordinates missing, 2 out of range, 1 with text for coordinates.",
    );
  });

  it("whose longitudes go on to 360 are where those of 360 less are", () => {
    const list = mapItemsOf(description, [
      row("a", { longitude: 201.2 }),
      row("b", { longitude: 360 }),
      row("c", { longitude: 180 }),
      row("d", { longitude: 360.1 }),
    ]);
    expect(list?.items.map(({ lng }) => lng)).toEqual([-158.8, 0, 180, Number.NaN]);
    expect(list && unplacedSummary(list)).toBe("1 item has no place on the map: 1 out of range.");
  });

  it("are null without usable map support or without any valid coordinates", () => {
    expect(mapItemsOf({ ...description, mapSupport: null }, [row("a")])).toBeNull();
    const support = { groupItemField: "storm_id", itemLocationField: "latitude", itemTemporalField: "time" };
    expect(mapItemsOf({ ...description, mapSupport: support }, [row("a")])).toBeNull();
    expect(mapItemsOf(description, [row("a", { latitude: null }), row("b", { latitude: 91 })])).toBeNull();
    expect(mapItemsOf(description, [])?.items).toEqual([]);
  });
});
