import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { health } from "@fairway/contract/health";
import { openApiDocument } from "./openapi.ts";
import { installReference } from "./reference.ts";

it("writes the document when it is first asked for, and once for the page and the file", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  let written = 0;
  installReference(app, () => {
    written += 1;
    return openApiDocument({ health }, { title: "Fairway", version: "1.0.0" });
  });
  await app.ready();
  expect(written).toBe(0);
  const page = await app.inject("/reference");
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.body).toContain(health.live.summary);
  const file = await app.inject("/openapi.json");
  expect(file.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(file.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument({ health }, { title: "Fairway", version: "1.0.0" }))));
  await app.inject("/openapi.json");
  expect(written).toBe(1);
});
