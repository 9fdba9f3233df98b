import { expect, it } from "vitest";
import { parseErrors } from "./error-response.ts";
import { GatewayError, messagesOf } from "./gateway-error.ts";

const messages = (status: number, body: string) => messagesOf(new GatewayError(status, parseErrors(body)));

it("keeps the server's message despite unknown codes, fields and values", () => {
  const body = JSON.stringify({ errors: [{ code: "quota-used-up", message: "The quota is used up.", path: 7, since: 3 }], more: true });
  expect(messages(429, body)).toEqual(["The quota is used up."]);
});

it("keeps valid messages and drops invalid ones", () => {
  expect(messages(400, '{"errors":[{"code":"invalid-value"},{"code":"invalid-value","message":"Too long.","path":"name"}]}')).toEqual([
    "Too long.",
  ]);
});

it("finds the message in a proxy's JSON", () => {
  expect(messages(403, '{"title":"Forbidden","detail":"This network is not allowed."}')).toEqual(["This network is not allowed."]);
});

it.each([
  [502, "<html><h1>502 Bad Gateway</h1></html>", "The server can't be used right now (status 502). Try again in a moment."],
  [504, "", "The server can't be used right now (status 504). Try again in a moment."],
  [418, "[]", "The server failed with status 418 and gave no reason."],
  [500, '{"error":{"deep":1}}', "The server failed with status 500 and gave no reason."],
])("names the status of a %i without a message for people", (status, body, message) => {
  expect(messages(status, body)).toEqual([message]);
});
