import { expect, it } from "vitest";
import { errorsOf } from "./error-answer.ts";
import { GatewayError, messagesOf } from "./gateway-error.ts";

const said = (status: number, body: string) => messagesOf(new GatewayError(status, errorsOf(body)));

it("keeps the server's sentence with a code, fields and values that this version does not know", () => {
  const body = JSON.stringify({ errors: [{ code: "quota-used-up", message: "The quota is used up.", path: 7, since: 3 }], more: true });
  expect(said(429, body)).toEqual(["The quota is used up."]);
});

it("keeps the sentences that can be read beside one that cannot", () => {
  expect(said(400, '{"errors":[{"code":"invalid-value"},{"code":"invalid-value","message":"Too long.","path":"name"}]}')).toEqual([
    "Too long.",
  ]);
});

it("reads the sentence of a proxy's JSON", () => {
  expect(said(403, '{"title":"Forbidden","detail":"This network is not allowed."}')).toEqual(["This network is not allowed."]);
});

it.each([
  [502, "<html><h1>502 Bad Gateway</h1></html>", "The server answered 502: it cannot be used right now. Try again in a moment."],
  [504, "", "The server answered 504: it cannot be used right now. Try again in a moment."],
  [418, "[]", "The server answered 418 without a reason."],
  [500, '{"error":{"deep":1}}', "The server answered 500 without a reason."],
])("names the status of a %i that carries no sentence for people", (status, body, message) => {
  expect(said(status, body)).toEqual([message]);
});
