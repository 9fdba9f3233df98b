import { expect, it } from "vitest";
import { sizeText } from "./size-text.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1.0 KB"],
  [240_600, "240.6 KB"],
  [999_949, "999.9 KB"],
  [999_950, "1.0 MB"],
  [5_368_709_120, "5.4 GB"],
  [2_000_000_000_000_000, "2,000.0 TB"],
])("writes %i bytes as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
