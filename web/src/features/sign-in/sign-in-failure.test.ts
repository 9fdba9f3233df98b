import { expect, it } from "vitest";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { loginFailure } from "./sign-in-failure.ts";

it("[LOGIN-05] describes every refused login the same way", () => {
  expect(loginFailure(new GatewayError(401, [{ code: "wrong-credentials", message: "Another text." }]))).toBe(
    "Invalid username or password. Please try again.",
  );
});

it.each([
  [1, "Too many attempts. Try again in a second."],
  [42, "Too many attempts. Try again in 42 seconds."],
  [60, "Too many attempts. Try again in a minute."],
  [61, "Too many attempts. Try again in 2 minutes."],
  [undefined, "Too many attempts. Try again in a minute."],
])("tells when to retry after %s s", (retryAfterSeconds, text) => {
  expect(loginFailure(new GatewayError(429, [], { retryAfterSeconds }))).toBe(text);
});

it("distinguishes an unreachable server from a failing one", () => {
  expect(loginFailure(new GatewayError(0, []))).toBe("The server could not be reached. Check your connection and try again.");
  expect(loginFailure(new GatewayError(503, []))).toBe("The server can't answer right now. Try again in a moment.");
});
