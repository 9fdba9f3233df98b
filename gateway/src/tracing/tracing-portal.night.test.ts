import { expect, it, onTestFinished, vi } from "vitest";
import { otlpReceiver, valuesOf } from "#testing/otlp-receiver.ts";
import { PortalProcess } from "#testing/portal-process.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";

// Starting a portal is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

it("tracing is turned on by a portal's environment, and the last spans are sent when it stops", async () => {
  const receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  const env = { FAIRWAY_HOME: await preparedHome(), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint };
  const portal = await PortalProcess.start(env, { program: "gateway" });
  const requestId = (await fetch(`${await portal.address()}/api/health/live`)).headers.get("x-request-id");
  expect(await portal.stop()).toBe(0);
  const root = receiver.spans().find(({ attributes }) => valuesOf(attributes)["fairway.request_id"] === requestId);
  expect(root?.name).toBe("GET /health/live");
  const answered = portal.output
    .split("\n")
    .filter((line) => line.includes('"answered"'))
    .map((line) => JSON.parse(line) as unknown);
  expect(answered).toContainEqual(expect.objectContaining({ trace_id: root?.traceId }));
});
