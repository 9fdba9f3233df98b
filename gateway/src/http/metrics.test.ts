import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

it("reports the maximum and 99th percentile of the event loop delay since the last read, in seconds", async () => {
  const metrics = new Metrics();
  // The timer that measures the delay has to run before and after.
  await sleep(50);
  const until = performance.now() + 300;
  while (performance.now() < until);
  await sleep(50);
  const text = await metrics.text();
  for (const name of ["max", "p99"]) {
    const value = new RegExp(`^fairway_nodejs_eventloop_lag_${name}_seconds (\\S+)$`, "m").exec(text)?.[1];
    expect(Number(value)).toBeGreaterThan(0.2);
  }
});
