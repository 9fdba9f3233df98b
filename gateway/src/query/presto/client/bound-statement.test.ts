import { expect, it } from "vitest";
import { bindStatement, literalOf } from "./bound-statement.ts";

const bound = (sql: string, ...parameters: unknown[]) => bindStatement({ sql, parameters });

it("sends values as parameters in the order in which they occur", () => {
  expect(bound("select $2, $1, $2 from t", 1n, "x")).toEqual({
    prepared: { statement: "select ?, ?, ? from t", execute: "EXECUTE fairway USING 'x', BIGINT '1', 'x'" },
    literal: "select 'x', BIGINT '1', 'x' from t",
  });
  expect(bound("select 1")).toEqual({ prepared: undefined, literal: "select 1" });
});

it("writes numbers of rows into the statement, where the grammar of Presto takes no parameter", () => {
  expect(bound("select a from t where b = $1 offset $2 LIMIT $3", true, 50n, 25n)).toEqual({
    prepared: { statement: "select a from t where b = ? offset 50 LIMIT 25", execute: "EXECUTE fairway USING TRUE" },
    literal: "select a from t where b = TRUE offset 50 LIMIT 25",
  });
  for (const rows of [-1n, 1.5, "1; drop table t"]) {
    expect(() => bound("select 1 limit $1", rows)).toThrow("whole number");
  }
});

it("takes nothing in texts, names and comments for a parameter", () => {
  const sql = `select '$1 ? '' $1', "a $1 ""? $1" from t -- $1 ?\nwhere a = $1`;
  expect(bound(sql, "v").literal).toBe(`select '$1 ? '' $1', "a $1 ""? $1" from t -- $1 ?\nwhere a = 'v'`);
  expect(bound(sql, "v").prepared?.execute).toBe("EXECUTE fairway USING 'v'");
  expect(() => bound("select ?")).toThrow("contains ?");
  expect(() => bound("select /* $1 */ 1", 1n)).toThrow("contains /*");
  expect(() => bound("select $2", 1n)).toThrow("no parameter $2");
});

it("replaces no placeholder within a value", () => {
  expect(bound("select $1, $2", "$2 ? ' \" -- ", 7n).literal).toBe("select '$2 ? '' \" -- ', BIGINT '7'");
});

it("writes every value as a literal of its type", () => {
  const cases: [unknown, string][] = [
    ["it's", "'it''s'"],
    ["'; drop table t --", "'''; drop table t --'"],
    ["☃ 😀\n\\", "'☃ 😀\n\\'"],
    [false, "FALSE"],
    [-9_007_199_254_740_993n, "BIGINT '-9007199254740993'"],
    [2n ** 63n, "DECIMAL '9223372036854775808'"],
    [0.1, "DOUBLE '0.1'"],
    [1e21, "DOUBLE '1e+21'"],
    [-0, "DOUBLE '0'"],
  ];
  for (const [value, literal] of cases) expect(literalOf(value)).toBe(literal);
  for (const value of [Number.NaN, Infinity, 10n ** 38n, "\ud83d"]) expect(() => literalOf(value)).toThrow("query server");
  expect(() => literalOf({})).toThrow("no literal");
});
