import Fastify from "fastify";
import { expect, it } from "vitest";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { Metrics } from "#http/metrics.ts";
import { serveCapability } from "#capability.ts";
import { openHealth } from "./capability.ts";

it("calls for readiness that come together are answered by one look at the parts", async () => {
  let looks = 0;
  let look = (): Promise<void> => Promise.resolve();
  const readiness = {
    checks: {
      database: () => {
        looks += 1;
        return look();
      },
      engine: () => Promise.resolve(),
      store: () => Promise.resolve(),
    },
  };
  const app = Fastify();
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  const nobody = new Gatekeeper({ readAccessToken: () => undefined, readStepToken: () => Promise.resolve(undefined) });
  serveCapability(app, nobody, openHealth({ ...readiness, metrics: new Metrics() }));
  const ask = async (): Promise<number> => (await app.inject({ url: "/health/ready" })).statusCode;

  let end = (): void => undefined;
  look = () => new Promise((resolve) => (end = resolve));
  const together = [ask(), ask(), ask()];
  await expect.poll(() => looks).toBe(1);
  // The others have arrived, too.
  await app.inject({ url: "/health/live" });
  end();
  expect(await Promise.all(together)).toEqual([200, 200, 200]);
  expect(looks).toBe(1);

  look = () => Promise.reject(new Error("away"));
  expect(await Promise.all([ask(), ask()])).toEqual([503, 503]);
  look = () => Promise.resolve();
  expect(await ask()).toBe(200);
  expect(looks).toBeGreaterThanOrEqual(3);
  await app.close();
});
