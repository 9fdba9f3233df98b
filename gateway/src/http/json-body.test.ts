import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { readJsonBodies } from "./json-body.ts";

it("yields to other work between large bodies that arrive together", async () => {
  const app = fastify();
  readJsonBodies(app);
  const order: string[] = [];
  app.post("/large", () => {
    order.push("large");
    if (order.length === 1) setTimeout(() => order.push("other"), 1);
    return {};
  });
  const payload = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index));
  const headers = { "content-type": "application/json" };
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.inject({ method: "POST", url: "/large", headers, payload })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(order.indexOf("other")).toBe(1);
  await app.close();
});

it("refuses a large body that is not JSON, and reads the next one", async () => {
  const app = fastify();
  readJsonBodies(app);
  app.post("/large", () => ({}));
  const headers = { "content-type": "application/json" };
  const numbers = Array.from({ length: 20_000 }, (_, index) => index).join(",");
  const [invalid, valid] = await Promise.all(
    [`[${numbers}`, `[${numbers}]`].map((payload) => app.inject({ method: "POST", url: "/large", headers, payload })),
  );
  expect([invalid?.statusCode, valid?.statusCode]).toEqual([400, 200]);
  await app.close();
});

it("refuses a body that is not in UTF-8, instead of reading other characters", async () => {
  const app = fastify();
  readJsonBodies(app);
  app.post("/text", ({ body }) => body);
  const headers = { "content-type": "application/json" };
  const [latin, utf] = await Promise.all(
    (["latin1", "utf8"] as const).map((encoding) =>
      app.inject({ method: "POST", url: "/text", headers, payload: Buffer.from('{"name":"Grüße"}', encoding) }),
    ),
  );
  expect([latin?.statusCode, utf?.statusCode, utf?.json()]).toEqual([400, 200, { name: "Grüße" }]);
  await app.close();
});

describe("fields of many names", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `na\\"me ${index}`);
  const objectOf = (count: number) =>
    `{${names(count)
      .map((name) => `"${name}" \n: 1`)
      .join(",")}}`;
  const listOf = (count: number) =>
    `[${names(count)
      .map((name) => `{"${name}":1}`)
      .join(",")}]`;

  it.each([
    ["in one object", objectOf(30_001)],
    ["in many objects", listOf(30_001)],
    ["beside others that repeat", `{"list":${listOf(30_000)},"name":[${`{"name":1},`.repeat(1_000)}1]}`],
  ])("are refused before they are parsed, which would block the event loop: %s", async (_, payload) => {
    const { statusCode, message } = await send(payload);
    expect(statusCode).toBe(413);
    expect(message).toContain("30,000 different field names");
  });

  it.each([
    ["names that repeat", `[${`{"name":1,"other":"a:b"},`.repeat(30_000)}1]`],
    ["as many as allowed", objectOf(30_000)],
    [
      "texts that look like names",
      `[${names(35_000)
        .map((name) => `"${name}", ":"`)
        .join(",")}]`,
    ],
  ])("are read: %s", async (_, payload) => {
    expect(await send(payload)).toEqual({ statusCode: 200, message: "" });
  });

  async function send(payload: string) {
    const app = fastify();
    onTestFinished(() => app.close());
    readJsonBodies(app);
    app.post("/", ({ body }) => ({ message: JSON.stringify(body) === JSON.stringify(JSON.parse(payload)) ? "" : "read otherwise" }));
    const answer = await app.inject({ method: "POST", url: "/", headers: { "content-type": "application/json" }, payload });
    return { statusCode: answer.statusCode, message: answer.json<{ message: string }>().message };
  }
});
