import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

it("tells the longest delay of the event loop and its 99th percentile since it was last asked, in seconds", async () => {
  const metrics = new Metrics();
  // The clock that measures the delay has to tick before and after.
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
