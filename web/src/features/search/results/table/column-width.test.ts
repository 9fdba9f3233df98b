import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { fitWidths } from "./column-width.ts";

it("gives long text more width than short text, within bounds", () => {
  const columns = [buildColumn("a"), buildColumn("b"), buildColumn("c")];
  const { a = 0, b = 0, c = 0 } = fitWidths(columns, [{ a: "x", b: "x".repeat(25), c: "x".repeat(5_000) }]);
  expect(a).toBe(88);
  expect(b).toBeGreaterThan(a);
  expect(c).toBe(340);
});

it("accounts for wide digits and capitals", () => {
  const columns = [buildColumn("a"), buildColumn("b")];
  const { a = 0, b = 0 } = fitWidths(columns, [{ a: "2020-01-01-00", b: "aaaaaaaaaaaaa" }]);
  expect(a).toBeGreaterThan(b);
});

it("fits timestamps and ignores rows beyond the sample", () => {
  const time = buildColumn("t", { type: "TIMESTAMP_MILLS" });
  expect(fitWidths([time], [])["t"]).toBe(fitWidths([time], [{ t: 1 }])["t"]);
  const rows = Array.from({ length: 60 }, (_, index) => ({ a: index < 50 ? "x" : "x".repeat(40) }));
  expect(fitWidths([buildColumn("a")], rows)).toEqual({ a: 88 });
});
