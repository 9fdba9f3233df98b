import { expect, it } from "vitest";
import { headLabel } from "./column-labels.ts";

const columns = [{ name: "departed", label: "Departure" }, { name: "delay", label: "Delay" }, { name: "port" }];

it.each([
  ["departed", "Departure"],
  ["departed from", "Departure from"],
  ["departed.time to", "Departure.time to"],
  ["port", "port"],
  ["avg(delay)", "avg(Delay)"],
  ["p90(delay) before", "p90(Delay) before"],
  ["count(*)", "count(*)"],
  ["mean delay", "mean delay"],
])("the column '%s' of a breakdown is headed '%s'", (name, label) => {
  expect(headLabel(name, columns)).toBe(label);
});
