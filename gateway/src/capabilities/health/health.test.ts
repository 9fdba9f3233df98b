import Fastify from "fastify";
import { expect, it } from "vitest";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { Metrics } from "#http/metrics.ts";
import { serveCapability } from "#http/capability.ts";
import { openHealth } from "./capability.ts";

it("runs the readiness checks once for concurrent calls", async () => {
  let checkCount = 0;
  const stopping = new AbortController();
  let checkDatabase = (): Promise<void> => Promise.resolve();
  const readiness = {
    checks: {
      database: () => {
        checkCount += 1;
        return checkDatabase();
      },
      engine: () => Promise.resolve(),
      store: () => Promise.resolve(),
    },
  };
  const app = Fastify();
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  const gatekeeper = new Gatekeeper({ readAccessToken: () => undefined, readStepToken: () => Promise.resolve(undefined) });
  serveCapability(app, gatekeeper, openHealth({ ...readiness, metrics: new Metrics(), stopping: stopping.signal }));
  const request = async (): Promise<number> => (await app.inject({ url: "/health/ready" })).statusCode;

  let finish = (): void => undefined;
  checkDatabase = () => new Promise((resolve) => (finish = resolve));
  const concurrent = [request(), request(), request()];
  await expect.poll(() => checkCount).toBe(1);
  // By now the other calls have arrived, too.
  await app.inject({ url: "/health/live" });
  finish();
  expect(await Promise.all(concurrent)).toEqual([200, 200, 200]);
  expect(checkCount).toBe(1);

  checkDatabase = () => Promise.reject(new Error("unavailable"));
  expect(await Promise.all([request(), request()])).toEqual([503, 503]);
  checkDatabase = () => Promise.resolve();
  expect(await request()).toBe(200);
  expect(checkCount).toBeGreaterThanOrEqual(3);

  stopping.abort();
  expect(await request()).toBe(503);
  expect((await app.inject({ url: "/health/live" })).statusCode).toBe(200);
  await app.close();
});
