import { expect, it } from "vitest";
import { compareNames } from "./name-order.ts";

it("orders names as people count and read", () => {
  expect(["file10", "File2", "Zebra", "file2", "äther", "apple", "file1.5"].toSorted(compareNames)).toEqual([
    "apple",
    "äther",
    "file1.5",
    "file2",
    "File2",
    "file10",
    "Zebra",
  ]);
});
