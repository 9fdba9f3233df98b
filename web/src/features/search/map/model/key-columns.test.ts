import { expect, it } from "vitest";
import { demoDataset } from "#testing/demo-datasets.ts";
import { keyColumns } from "./key-columns.ts";

it("subtitle, time, position and numbers with a unit say most about an item", () => {
  const { description } = demoDataset("storm-tracks");
  const names = (more: object = {}) => keyColumns({ ...description, ...more }).map(({ name }) => name);
  expect(names().slice(0, 5)).toEqual(["status", "time", "position", "wind", "pressure"]);
  expect(names()).toHaveLength(6);
  expect(names({ subtitleField: null, mapSupport: null }).slice(0, 2)).toEqual(["latitude", "longitude"]);
});
