import { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { connectionFailure, statementFailure } from "./unavailable.ts";

function databaseError(code: string, severity = "ERROR"): DatabaseError {
  return Object.assign(new DatabaseError("failed", 0, "error"), { code, severity });
}

it.each([
  ["53100", "full"],
  ["53200", "busy"],
  ["53300", "busy"],
  ["57014", "busy"],
  ["57P01", "away"],
  ["08006", "away"],
  ["25006", "away"],
])("classifies the error code %s as %s", (code, reason) => {
  expect(statementFailure(databaseError(code))).toMatchObject({ reason });
});

it("leaves errors of the statement itself alone, but not of a connection that was never made", () => {
  expect(statementFailure(databaseError("23505"))).toBeUndefined();
  expect(statementFailure(new Error("a bug"))).toBeUndefined();
  expect(statementFailure(databaseError("XX000", "PANIC"))).toMatchObject({ reason: "away" });
  expect(connectionFailure(new Error("connect ECONNREFUSED"))).toMatchObject({ reason: "away" });
  expect(connectionFailure(databaseError("53300", "FATAL"))).toMatchObject({ reason: "busy" });
});
