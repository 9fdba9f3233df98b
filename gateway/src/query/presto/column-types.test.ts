import { describe, expect, it } from "vitest";
import { isOrderable, parseType, storageOf, typeOf } from "./column-types.ts";

describe("types of columns", () => {
  it.each([
    ["bigint", { kind: "integer", narrow: false }, "integer"],
    ["smallint", { kind: "integer", narrow: true }, "integer"],
    ["decimal(4,2)", { kind: "exact-decimal", narrow: true, digits: 4, scale: 2 }, "decimal"],
    ["decimal(38, 0)", { kind: "integer", narrow: false, digits: 38 }, "integer"],
    ["varchar(25)", { kind: "text" }, "STRING"],
    ["char(5)", { kind: "other" }, "STRING"],
    ["date", { kind: "instant", zoned: false, days: true }, "TIMESTAMP_SECONDS"],
    ["timestamp", { kind: "instant", zoned: false }, "TIMESTAMP_MILLS"],
    ["timestamp(0)", { kind: "instant", zoned: false }, "TIMESTAMP_SECONDS"],
    ["timestamp(6) with time zone", { kind: "instant", zoned: true }, "TIMESTAMP_MILLS"],
    ["time(6) with time zone", { kind: "other" }, "STRING"],
    ["HyperLogLog", { kind: "other" }, "STRING"],
    ["a type of the future(3)", { kind: "other" }, "STRING"],
  ] as const)("%s", (text, storage, type) => {
    expect([storageOf(parseType(text)), typeOf(parseType(text))]).toEqual([storage, type]);
  });

  it("are taken apart with their names, however they are quoted", () => {
    const { inner, fields } = parseType(
      'row(a integer, "c ""d" array(row(e f varchar(3), timestamp(3) with time zone)), g map(varchar, real))',
    );
    expect(fields).toEqual(["a", 'c "d', "g"]);
    expect(inner.map(({ name }) => name)).toEqual(["integer", "array", "map"]);
    expect(inner[1]?.inner[0]).toMatchObject({
      fields: ["e f", ""],
      inner: [{ name: "varchar" }, { name: "timestamp with time zone", numbers: [3] }],
    });
  });

  it("that no server sorts by are known", () => {
    const orderable = ["uuid", "array(row(a integer))", "map(varchar, integer)", "array(json)", "Geometry"].map((text) =>
      isOrderable(parseType(text)),
    );
    expect(orderable).toEqual([true, true, false, false, false]);
  });
});
