import { expect, it } from "vitest";
import { decimalText } from "./csv-text.ts";

it.each([
  [13, "13.0"],
  [-0.25, "-0.25"],
  [0, "0.0"],
  [-0, "-0.0"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e+16"],
  [1.5e21, "1.5e+21"],
  [0.0001, "0.0001"],
  [1e-7, "1e-07"],
  [1.25e-10, "1.25e-10"],
  [1e-300, "1e-300"],
])("writes %d as the embedded engine does", (value, text) => {
  expect(decimalText(value)).toBe(text);
});
