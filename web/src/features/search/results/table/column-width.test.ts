import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { fittingWidths } from "./column-width.ts";

it("gives long text more room than short, within bounds", () => {
  const columns = [buildColumn("a"), buildColumn("b"), buildColumn("c")];
  const { a = 0, b = 0, c = 0 } = fittingWidths(columns, [{ a: "x", b: "x".repeat(25), c: "x".repeat(5_000) }]);
  expect(a).toBe(88);
  expect(b).toBeGreaterThan(a);
  expect(c).toBe(340);
});

it("gives digits and capitals the room they take", () => {
  const columns = [buildColumn("a"), buildColumn("b")];
  const { a = 0, b = 0 } = fittingWidths(columns, [{ a: "2020-01-01-00", b: "aaaaaaaaaaaaa" }]);
  expect(a).toBeGreaterThan(b);
});

it("never cuts a time, and never changes with rows beyond the first screens", () => {
  const time = buildColumn("t", { type: "TIMESTAMP_MILLS" });
  expect(fittingWidths([time], [])["t"]).toBe(fittingWidths([time], [{ t: 1 }])["t"]);
  const rows = Array.from({ length: 60 }, (_, index) => ({ a: index < 50 ? "x" : "x".repeat(40) }));
  expect(fittingWidths([buildColumn("a")], rows)).toEqual({ a: 88 });
});
