import { expect, it } from "vitest";
import { canSucceedLater, GatewayError } from "./gateway-error.ts";

it.each([
  [0, true],
  [400, false],
  [401, true],
  [403, false],
  [404, false],
  [409, false],
  [429, true],
  [500, true],
  [503, true],
  [504, true],
])("status %i can succeed on a retry: %s", (status, expected) => {
  expect(canSucceedLater(new GatewayError(status, [{ code: "internal", message: "No." }]))).toBe(expected);
});

it("treats a failure without a response as retryable", () => {
  expect(canSucceedLater(new TypeError("cut off"))).toBe(true);
});
