import type { Box } from "@fairway/contract/grid-cells";
import { expect, it } from "vitest";
import { boxOf, boxText, withCellAsArea, withinCell, withoutCell } from "./cell-filter.ts";

const filters = { geospatial: null, timeRange: null, dynamic: [] };

it.each<[Box, string]>([
  [[-88.59375, 27.059125784374068, -87.1875, 28.30438068296277], "27.1–28.3° N, 88.6–87.2° W"],
  [[0, 0, 1.40625, 1.4061088354351594], "0–1.4° N, 0–1.4° E"],
  [[-1.40625, -1.4061088354351594, 0, 0], "1.4–0° S, 1.4–0° W"],
  [[-22.5, -21.943045533438177, 22.5, 21.943045533438177], "21.9° S – 21.9° N, 22.5° W – 22.5° E"],
  [[178.59375, 10, 181.40625, 12], "10–12° N, 178.6° E – 178.6° W"],
  [[178.59375, 10, 180, 12], "10–12° N, 178.6–180° E"],
  [[-180, 10, -178.59375, 12], "10–12° N, 180–178.6° W"],
  [[-88.121337890625, 27.01, -88.1103515625, 27.02], "27.01–27.02° N, 88.1213–88.1104° W"],
  [[-180, -90, 180, 90], "90° S – 90° N, 180–180° E"],
])("a cell %j is named with so many digits that its edges differ", (box, text) => {
  expect(boxText(box)).toBe(text);
});

it("a cell narrows besides the area and is removed by itself", () => {
  const narrowed = withinCell(filters, [-10, 5, -5, 8]);
  expect(narrowed).toEqual({ ...filters, within: { box: [-10, 5, -5, 8], text: "Map cell 5–8° N, 10–5° W" } });
  expect(withoutCell(narrowed)).toStrictEqual(filters);
});

it("a cell becomes an area in place of the areas, in two parts at the antimeridian", () => {
  const area = withCellAsArea(withinCell(filters, [-10, 5, -5, 8]), [-10, 5, -5, 8]);
  expect(area).not.toHaveProperty("within");
  expect(area.geospatial?.polygons).toEqual([
    {
      id: "area-1",
      points: [
        { lat: 5, lng: -10 },
        { lat: 5, lng: -5 },
        { lat: 8, lng: -5 },
        { lat: 8, lng: -10 },
      ],
    },
  ]);
  expect(withCellAsArea(area, [170, 5, 190, 8]).geospatial?.polygons).toHaveLength(2);
});

it("four numbers of an address are a box, or nothing", () => {
  expect(boxOf([170, 5, -170, 8])).toEqual([170, 5, 190, 8]);
  expect([boxOf([200, 5, 210, 8]), boxOf([0, 8, 1, 5]), boxOf([0, -91, 1, 5]), boxOf([-180, 5, 181, 8])]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
