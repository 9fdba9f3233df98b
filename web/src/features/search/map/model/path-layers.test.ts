import { afterEach, describe, expect, it, vi } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { hiddenColour, drawnPath } from "./path-model.ts";
import { conditionProblem, defaultLayers, highlightTest, layerProblems, pathColours, type PathLayer, withLayer } from "./path-layers.ts";

const columns = [
  buildColumn("wind", { type: "integer" }),
  buildColumn("status"),
  buildColumn("major", { type: "BOOLEAN" }),
  buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
];
const windy = { column: "wind", operator: ">=", value: "96" };
const off: readonly PathLayer[] = [{ id: "1", colour: "path", isActive: false, condition: null }];
const layer = (more: Partial<PathLayer> = {}): PathLayer => ({ id: "2", colour: "c2", isActive: true, condition: windy, ...more });

afterEach(() => vi.restoreAllMocks());

describe("path layers", () => {
  it("[MAP-14] are one of every position, in the dark blue of paths, at first", () => {
    expect(defaultLayers).toEqual([{ id: "1", colour: "path", isActive: true, condition: null }]);
  });

  it("[MAP-15] take four preset extra colours, each once, and then no further layer", () => {
    let layers = defaultLayers;
    for (let more = 0; more < 4; more += 1) layers = withLayer(layers, windy);
    expect(layers.map(({ colour }) => colour)).toEqual([...pathColours]);
    expect(new Set(layers.map(({ id }) => id)).size).toBe(5);
    expect(withLayer(layers, windy)).toBe(layers);
  });

  it("[MAP-17] need at least one that is active", () => {
    expect(layerProblems(off, columns)).toEqual([{ layer: null, text: "A path needs at least 1 active layer." }]);
    expect(layerProblems([...off, layer()], columns)).toEqual([]);
  });

  it("[MAP-18] need a column, an operator and a value that is not blank in each condition", () => {
    const problem = (more: object) => conditionProblem({ ...windy, ...more }, columns);
    expect(problem({ column: "" })).toBe("Choose a column.");
    expect(problem({ operator: "" })).toBe("Choose an operator.");
    expect(problem({ value: "  " })).toBe("Enter a value.");
    expect(problem({ value: "strong" })).toBe("'strong' is not a whole number.");
    expect(problem({ column: "gone" })).toBe("There is no column 'gone'.");
    expect(problem({})).toBeUndefined();
  });

  it("[MAP-19] with an operator that nobody knows highlight nothing, and say so in the log alone", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    expect(highlightTest({ ...windy, operator: "~" }, columns)(120)).toBe(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith("Unknown highlight operator:", "~");
    expect(layerProblems([layer({ condition: { ...windy, operator: "~" } })], columns)).toEqual([]);
  });

  it.each([
    ["wind", ">=", "96", [95, 96, 97, null, "100", "x"], [false, true, true, false, true, false]],
    ["wind", "<>", "96", [95, 96, null], [true, false, false]],
    ["status", "=", "hurricane", ["hurricane", "Hurricane", null], [true, false, false]],
    ["status", "<", "b", ["a", "b", "Z"], [true, false, true]],
    ["major", "=", "true", [true, false, null], [true, false, false]],
    ["time", ">", "2005-08-28", [1_125_187_200, 1_125_187_201], [false, true]],
  ])("compare %s %s %s as the server does", (column, operator, value, values, expected) => {
    const fits = highlightTest({ column, operator, value }, columns);
    expect(values.map((of) => fits(of))).toEqual(expected);
  });
});

describe("a drawn path", () => {
  const points = {
    count: 3,
    lng: Float64Array.of(1, 2, 3),
    lat: Float64Array.of(4, 5, 6),
    timeMs: Float64Array.of(7, 8, 9),
    values: new Map([["wind", [50, 100, 120]]]),
    leftOut: 0,
    isCut: false,
  };

  it("has the colour of the last active layer that fits each position", () => {
    const strongest = layer({ id: "3", colour: "c4", condition: { ...windy, value: "110" } });
    expect([...drawnPath("a", points, [...defaultLayers, layer(), strongest], columns).colours]).toEqual([0, 1, 2]);
    expect([...drawnPath("a", points, [...defaultLayers, layer(), { ...strongest, isActive: false }], columns).colours]).toEqual([0, 1, 1]);
  });

  it("is blue where none of its active layers can be read from what came", () => {
    const unread = layer({ condition: { ...windy, column: "status", operator: "=", value: "hurricane" } });
    expect([...drawnPath("a", points, [...off, unread], columns).colours]).toEqual([0, 0, 0]);
    expect([...drawnPath("a", points, [...off, unread, layer()], columns).colours]).toEqual([hiddenColour, 1, 1]);
  });

  it("is hidden where no active layer fits", () => {
    expect([...drawnPath("a", points, [...off, layer()], columns).colours]).toEqual([hiddenColour, 1, 1]);
  });
});
