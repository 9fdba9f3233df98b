import type { Column } from "@fairway/contract/columns";
import { describe, expect, it } from "vitest";
import type { MapItem } from "./map-items.ts";
import { colorColumns, markColor, markColorCodes, markScale, markSizeCodes, sizeColumns } from "./marks.ts";
import { scaleSteps } from "./scale-text.ts";

const column = (name: string, type: Column["type"]): Column => ({ name, type, description: "", combined: null });
const wind = column("wind", "integer");
const status = column("status", "STRING");
const itemsOf = (name: string, values: readonly (string | number | boolean | null)[]): MapItem[] =>
  values.map((value, index) => ({
    id: String(index),
    name: String(index),
    mark: null,
    group: index,
    row: { [name]: value },
    lat: 0,
    lng: 0,
    problem: null,
    timeMs: null,
  }));

describe("marks by a column", () => {
  it("are seven steps from the least to the greatest number, also of numbers as text; items without one are marked as other", () => {
    const items = itemsOf("wind", [0, "35", 70, null, "", 69]);
    const scale = markScale(items, wind);
    expect(scale).toMatchObject({ kind: "numbers", min: 0, max: 70 });
    if (scale === null) throw new Error("There is a scale.");
    expect([...markColorCodes(items, scale)]).toEqual([3, 6, 9, 10, 10, 9]);
    expect([...markSizeCodes(items, scale)]).toEqual([16, 64, 112, 0, 0, 112]);
    expect([markColor(scale, 3), markColor(scale, 10)]).toEqual(["var(--ember-1)", "var(--line-mark)"]);
  });

  it("have whole steps for whole numbers, and one for each of few", () => {
    const stepsFor = (values: readonly number[]) => {
      const scale = markScale(itemsOf("wind", values), wind);
      return scale?.kind === "numbers" ? scaleSteps(scale.colors).map(({ low, color }) => `${low} ${color}`) : null;
    };
    expect(stepsFor([1, 3])).toEqual(["1 1", "2 4", "3 7"]);
    expect(stepsFor([0, 1])).toEqual(["0 1", "1 7"]);
    expect(stepsFor([0, 99])).toEqual(["0 1", "14 2", "29 3", "43 4", "57 5", "71 6", "86 7"]);
    expect(stepsFor([0, 0.7])?.map((step) => Number(step.split(" ")[0]).toFixed(1))).toEqual([
      "0.0",
      "0.1",
      "0.2",
      "0.3",
      "0.4",
      "0.5",
      "0.6",
    ]);
    // Both ends would read 30.
    expect(stepsFor([30.000_001, 30.000_002])).toEqual(["30.000001 7"]);
  });

  it("have a scale for one value, and none for no value", () => {
    const items = itemsOf("wind", [5, 5]);
    const scale = markScale(items, wind);
    expect(scale && [...markColorCodes(items, scale)]).toEqual([9, 9]);
    expect([markScale(itemsOf("wind", [null]), wind), markScale(itemsOf("status", [null]), status), markScale(items, undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("are the eight most frequent texts; the rest are others", () => {
    const items = itemsOf("status", ["b", "b", "a", "a", "a", "c", "d", "e", "f", "g", "h", "i", null]);
    const scale = markScale(items, status);
    if (scale?.kind !== "categories") throw new Error("There are categories.");
    expect([scale.entries.map(({ text }) => text).join(""), scale.hasOthers]).toEqual(["abcdefgh", true]);
    expect([...markColorCodes(items, scale)]).toEqual([4, 4, 3, 3, 3, 5, 6, 7, 8, 9, 10, 11, 11]);
  });

  it("are offered for plain columns other than position and time", () => {
    const time = column("time", "TIMESTAMP_MILLS");
    const combined: Column = { ...status, name: "place", combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } };
    const columns = [column("lat", "decimal"), column("lng", "decimal"), time, combined, wind, status, column("final", "BOOLEAN")];
    const fields = { group: status, latitude: "lat", longitude: "lng", time: { name: "time", type: time.type } };
    expect(colorColumns(columns, fields).map(({ name }) => name)).toEqual(["wind", "status", "final"]);
    expect(sizeColumns(columns, fields).map(({ name }) => name)).toEqual(["wind"]);
  });
});
