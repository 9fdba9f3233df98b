import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "#log/log.ts";
import { installRequestLog, silentLogController } from "./request-log.ts";

let home: string;
let app: FastifyInstance;
let lines: () => Promise<Record<string, unknown>[]>;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "fairway-request-log-"));
  const { log, flush } = openLog({ demo: true, home, logLevel: "info" });
  const loggerInstance: FastifyBaseLogger = log;
  app = Fastify({ loggerInstance, logController: silentLogController });
  installRequestLog(app);
  app.get("/quick", () => "here");
  app.get("/broken", (_request, reply) => reply.status(503).send());
  app.get("/slow", async () => new Promise(() => undefined));
  lines = async () => {
    flush();
    const text = await readFile(join(home, "logs/fairway.log"), "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => "req" in line);
  };
});
afterEach(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

it("logs one line per call with its path, without the query, and its status", async () => {
  await app.inject({ url: "/quick?signature=hunter2", headers: { authorization: "Bearer hunter2" } });
  await app.inject("/broken");
  await expect.poll(lines).toHaveLength(2);
  const logged = await lines();
  expect(logged).toEqual([
    expect.objectContaining({
      msg: "answered",
      req: { method: "GET", path: "/quick", address: "127.0.0.1" },
      status: 200,
      ms: expect.any(Number),
    }),
    expect.objectContaining({ msg: "answered", req: { method: "GET", path: "/broken", address: "127.0.0.1" }, status: 503 }),
  ]);
  expect(JSON.stringify(logged)).not.toContain("hunter2");
});

it("logs a line for a caller who disconnects before the response", async () => {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const received = once(app.server, "request");
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /slow HTTP/1.1\r\nhost: here\r\n\r\n");
  await received;
  socket.destroy();
  await expect
    .poll(lines)
    .toEqual([expect.objectContaining({ msg: "the caller disconnected", req: expect.objectContaining({ path: "/slow" }) })]);
});
