import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { route } from "@fairway/contract/route";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { installErrorHandler } from "./error-handler.ts";
import { Gatekeeper } from "./gatekeeper.ts";
import { serve } from "./serve.ts";

const routes = {
  upload: route({
    method: "POST",
    path: "/upload",
    access: "public",
    summary: "Upload.",
    file: { field: "file", maxBytes: 10_000_000 },
    response: z.undefined(),
  }),
  ping: route({ method: "GET", path: "/ping", access: "public", summary: "Ping.", response: z.string() }),
};

it("keeps the connection usable after an upload fails before its content is read", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  const noTokens = { readAccessToken: () => undefined, readStepToken: () => Promise.resolve(undefined) };
  serve(app, new Gatekeeper(noTokens), routes, {
    upload: async ({ file }) => {
      await file();
      throw new DatabaseUnavailable("full", new Error("no space left on device"));
    },
    ping: () => "pong",
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const call = async (options: RequestOptions, body = ""): Promise<string> => {
    const sent = request({ ...options, port, host: "127.0.0.1", agent, timeout: 10_000 }, undefined);
    sent.on("timeout", () => sent.destroy(new Error(`${options.path} was not answered`)));
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return `${response.statusCode} ${sent.reusedSocket ? "same connection" : "new connection"} ${(await text(response)).slice(0, 30)}`;
  };
  // More than the parser buffers.
  const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"a".repeat(400_000)}\r\n--b--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": body.length };
  expect(await call({ method: "POST", path: "/upload", headers }, body)).toMatch(/^503 new connection /);
  expect(await call({ method: "GET", path: "/ping" })).toBe('200 same connection "pong"');
});

describe("a body that ends within its file", () => {
  const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"a".repeat(70)}\r\n--b--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=b" };

  it.each([
    ["before it is read", 20],
    ["while it is read", 0],
  ])("is refused wherever it ends, if it ends %s", async (_when, pauseMs) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const noTokens = { readAccessToken: () => undefined, readStepToken: () => Promise.resolve(undefined) };
    serve(app, new Gatekeeper(noTokens), routes, {
      upload: async ({ file }) => {
        const { content } = await file();
        await sleep(pauseMs);
        for await (const part of content) expect(part.length).toBeGreaterThan(0);
        return undefined;
      },
      ping: () => "pong",
    });
    // The last two characters may be missing.
    const ends = Array.from({ length: body.length - 2 }, (_, end) => end);
    const statuses = await Promise.all(
      ends.map(async (end) => (await app.inject({ method: "POST", url: "/upload", headers, payload: body.slice(0, end) })).statusCode),
    );
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect((await app.inject({ method: "POST", url: "/upload", headers, payload: body })).statusCode).toBe(204);
  });
});
