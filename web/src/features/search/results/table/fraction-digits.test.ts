import type { Column } from "@fairway/contract/columns";
import { expect, it } from "vitest";
import { alignmentOf, fractionDigits } from "./fraction-digits.ts";

const column = (name: string, type: Column["type"]): Column => ({ name, type, description: "", combined: null });

it("pads decimals to the longest fraction of their column", () => {
  const rows = [
    { depth: 1.5, wind: 20 },
    { depth: -0.125, wind: 3 },
    { depth: 1e-7, wind: null },
    { depth: 7, wind: 1 },
  ];
  const digits = fractionDigits([column("depth", "decimal"), column("wind", "integer")], rows);
  expect([...digits]).toEqual([["depth", 3]]);
  expect(["1.5", "-0.125", "1e-7", "7", "1.123456789"].map((text) => alignmentOf(text, digits.get("depth")))).toEqual([
    "00",
    undefined,
    undefined,
    ".000",
    undefined,
  ]);
  expect(alignmentOf("20", digits.get("wind"))).toBeUndefined();
});
