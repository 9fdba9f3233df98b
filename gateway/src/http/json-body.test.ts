import fastify from "fastify";
import { expect, it } from "vitest";
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
