import { expect, it } from "vitest";
import { type Capability, CapabilityList, contractsOf, implement } from "./capability.ts";
import { Metrics } from "./http/metrics.ts";
import { ShutdownStack } from "./shutdown-stack.ts";

/** Opens capabilities in order and notes which are closed. `closed` names those that were, in their order. */
function open() {
  const closed: string[] = [];
  const shutdown = new ShutdownStack();
  const list = new CapabilityList(shutdown, new Metrics());
  const capability = (name: string, failure?: Error): Capability => ({
    routes: {},
    close: async () => {
      closed.push(name);
      if (failure) throw failure;
    },
  });
  return { closed, shutdown, list, capability };
}

it("closes what is open in reverse order when a capability fails to open", async () => {
  const { closed, shutdown, list, capability } = open();
  const opening = async () => {
    try {
      await list.add(capability("first"));
      await list.add(Promise.resolve(capability("second")));
      await list.add(Promise.reject(new Error("the third cannot open")));
    } catch (error) {
      await shutdown.run();
      throw error;
    }
  };
  await expect(opening()).rejects.toThrow("the third cannot open");
  expect(closed).toEqual(["second", "first"]);
  expect(list.opened).toHaveLength(2);
});

it("closes every capability when some fail to close, and rejects with all their failures", async () => {
  const { closed, shutdown, list, capability } = open();
  const failures = [new Error("the disk is away"), new Error("the database is away")];
  await list.add(capability("first"));
  await list.add(capability("second", failures[1]));
  await list.add(capability("third"));
  await list.add(capability("fourth", failures[0]));
  const closing = shutdown.run();
  await expect(closing).rejects.toThrow("not everything could be closed");
  await expect(closing).rejects.toMatchObject({ errors: failures });
  expect(closed).toEqual(["fourth", "third", "second", "first"]);
  // A second call closes nothing again.
  await expect(shutdown.run()).rejects.toMatchObject({ errors: failures });
  expect(closed).toHaveLength(4);
});

it("reports the gauges of a capability among the metrics", async () => {
  const metrics = new Metrics();
  const list = new CapabilityList(new ShutdownStack(), metrics);
  await list.add({ routes: {}, gauges: [{ name: "fairway_test_waiting", help: "What waits.", read: () => 7 }] });
  expect(await metrics.text()).toContain("fairway_test_waiting 7");
});

it("refuses two contracts under one name of the API reference", () => {
  const capability = { routes: { things: implement({}, {}) } };
  expect(contractsOf([capability])).toEqual({ things: {} });
  expect(() => contractsOf([capability, capability])).toThrow("two capabilities have routes named 'things'");
});
