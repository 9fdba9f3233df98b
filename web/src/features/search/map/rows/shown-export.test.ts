import type { Column } from "@fairway/contract/columns";
import { expect, it } from "vitest";
import { rowsText } from "./shown-export.ts";

const column = (name: string, type: Column["type"]): Column => ({ name, type, description: "", combined: null });
const columns = [column("name", "STRING"), column("wind", "integer"), column("lat", "decimal"), column("lng", "decimal")];
const placed = {
  rows: [
    { name: "=Ada", lat: 30, lng: -60 },
    { name: "Bea", lat: 31, lng: 200 },
    { name: "Cleo", lat: 32, lng: 0 },
  ],
  points: [
    { lat: 30, lng: -60 },
    { lat: 31, lng: 200 },
    { lat: 32, lng: 0 },
  ],
};

it("writes the rows in view with the columns that the map has of them", () => {
  expect(rowsText(placed, [0, 1], columns, "csv")).toBe("name,lat,lng\r\n'=Ada,30,-60\r\nBea,31,200\r\n");
  const { features } = JSON.parse(rowsText(placed, [1, 2], columns, "geojson")) as { features: object[] };
  expect(features).toEqual([
    { type: "Feature", geometry: { type: "Point", coordinates: [-160, 31] }, properties: placed.rows[1] },
    { type: "Feature", geometry: { type: "Point", coordinates: [0, 32] }, properties: placed.rows[2] },
  ]);
});
