import { expect, it, vi } from "vitest";
import { tracingTo, openGateway } from "#testing/traced-gateway.ts";

vi.setConfig({ testTimeout: 120_000 });

it("keeps the share of the traces that the sampler names", async () => {
  const { receiver, flush } = await tracingTo({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
  expect((await fetch(`${await openGateway()}/health/live`)).status).toBe(200);
  await flush();
  expect(receiver.spans()).toEqual([]);
});
