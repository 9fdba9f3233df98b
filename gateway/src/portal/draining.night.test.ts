import { expect, it, onTestFinished, vi } from "vitest";
import { PortalProcess, temporaryFolder } from "#testing/portal-process.ts";
import { testDatabase } from "#testing/postgres.ts";

// Starting a gateway is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

it("a gateway that is asked to stop is not ready at once, but serves while load balancers turn away", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  const drainSeconds = 5;
  const gateway = await PortalProcess.start(
    { FAIRWAY_HOME: await temporaryFolder(), DATABASE_URL: database.url, DRAIN_SECONDS: String(drainSeconds) },
    { program: "gateway" },
  );
  const address = await gateway.address();
  const get = async (path: string) => {
    const response = await fetch(`${address}/api/health/${path}`);
    return { status: response.status, connection: response.headers.get("connection"), text: await response.text() };
  };
  expect(await get("ready")).toMatchObject({ status: 200, connection: "keep-alive" });

  const askedMs = performance.now();
  gateway.child.kill("SIGTERM");
  await gateway.says(/is stopping/);
  const answers = [await get("ready"), await get("live")];
  expect(answers).toMatchObject([
    { status: 503, connection: "close", text: expect.stringContaining("stopping") },
    { status: 200, connection: "close" },
  ]);
  expect(await gateway.ended).toBe(0);
  expect(performance.now() - askedMs).toBeGreaterThan(drainSeconds * 1_000);
  await expect(get("live")).rejects.toThrow("fetch failed");
});
