import { afterEach, describe, expect, it, vi } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { hiddenColor, drawnPath } from "./path-model.ts";
import { conditionProblem, defaultLayers, highlightTest, layerProblems, pathColors, type PathLayer, withLayer } from "./path-layers.ts";

const columns = [
  buildColumn("wind", { type: "integer" }),
  buildColumn("status"),
  buildColumn("major", { type: "BOOLEAN" }),
  buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
];
const windy = { column: "wind", operator: ">=", value: "96" };
const off: readonly PathLayer[] = [{ id: "1", color: "path", isActive: false, condition: null }];
const layer = (more: Partial<PathLayer> = {}): PathLayer => ({ id: "2", color: "c2", isActive: true, condition: windy, ...more });

afterEach(() => vi.restoreAllMocks());

describe("path layers", () => {
  it("[MAP-14] start as one dark blue layer of every position", () => {
    expect(defaultLayers).toEqual([{ id: "1", color: "path", isActive: true, condition: null }]);
  });

  it("[MAP-15] offer four preset extra colors, each once, and no further layer", () => {
    let layers = defaultLayers;
    for (let more = 0; more < 4; more += 1) layers = withLayer(layers, windy);
    expect(layers.map(({ color }) => color)).toEqual([...pathColors]);
    expect(new Set(layers.map(({ id }) => id)).size).toBe(5);
    expect(withLayer(layers, windy)).toBe(layers);
  });

  it("[MAP-17] require at least one active layer", () => {
    expect(layerProblems(off, columns)).toEqual([{ layer: null, text: "A path needs at least 1 active layer." }]);
    expect(layerProblems([...off, layer()], columns)).toEqual([]);
  });

  it("[MAP-18] require a column, an operator and a non-blank value in each condition", () => {
    const problem = (more: object) => conditionProblem({ ...windy, ...more }, columns);
    expect(problem({ column: "" })).toBe("Choose a column.");
    expect(problem({ operator: "" })).toBe("Choose an operator.");
    expect(problem({ value: "  " })).toBe("Enter a value.");
    expect(problem({ value: "strong" })).toBe("'strong' is not a whole number.");
    expect(problem({ column: "gone" })).toBe("There is no column 'gone'.");
    expect(problem({})).toBeUndefined();
  });

  it("[MAP-19] highlight nothing for an unknown operator and only log it", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    expect(highlightTest({ ...windy, operator: "~" }, columns)(120)).toBe(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith("Unknown highlight operator:", "~");
    expect(layerProblems([layer({ condition: { ...windy, operator: "~" } })], columns)).toEqual([]);
  });

  it.each([
    ["wind", ">=", "96", [95, 96, 97, null, "100", "x"], [false, true, true, false, true, false]],
    ["wind", "<>", "96", [95, 96, null], [true, false, false]],
    ["wind", "=", "17293822569102704640", ["17293822569102704640", "17293822569102704641", 5], [true, false, false]],
    ["wind", ">", "17293822569102704640", ["17293822569102704640", "17293822569102704641", 2 ** 64], [false, true, true]],
    ["status", "=", "hurricane", ["hurricane", "Hurricane", null], [true, false, false]],
    ["status", "<", "b", ["a", "b", "Z"], [true, false, true]],
    ["major", "=", "true", [true, false, null], [true, false, false]],
    ["time", ">", "2005-08-28", [1_125_187_200, 1_125_187_201], [false, true]],
  ])("compare %s %s %s as the server does", (column, operator, value, values, expected) => {
    const matches = highlightTest({ column, operator, value }, columns);
    expect(values.map((cell) => matches(cell))).toEqual(expected);
  });
});

describe("a drawn path", () => {
  const points = {
    count: 3,
    lng: Float64Array.of(1, 2, 3),
    lat: Float64Array.of(4, 5, 6),
    timeMs: Float64Array.of(7, 8, 9),
    values: new Map([["wind", [50, 100, 120]]]),
    skipped: 0,
    isCut: false,
  };

  it("colors each position by the last active layer that matches", () => {
    const strongest = layer({ id: "3", color: "c4", condition: { ...windy, value: "110" } });
    expect([...drawnPath("a", points, [...defaultLayers, layer(), strongest], columns).colors]).toEqual([0, 1, 2]);
    expect([...drawnPath("a", points, [...defaultLayers, layer(), { ...strongest, isActive: false }], columns).colors]).toEqual([0, 1, 1]);
  });

  it("falls back to blue if the columns of its active layers were not loaded", () => {
    const unread = layer({ condition: { ...windy, column: "status", operator: "=", value: "hurricane" } });
    expect([...drawnPath("a", points, [...off, unread], columns).colors]).toEqual([0, 0, 0]);
    expect([...drawnPath("a", points, [...off, unread, layer()], columns).colors]).toEqual([hiddenColor, 1, 1]);
  });

  it("hides positions that no active layer matches", () => {
    expect([...drawnPath("a", points, [...off, layer()], columns).colors]).toEqual([hiddenColor, 1, 1]);
  });
});
