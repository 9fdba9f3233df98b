import { expect, it } from "vitest";
import { type Capability, CapabilityList, contractsOf, implement } from "./capability.ts";
import { Metrics } from "./metrics.ts";
import { ShutdownStack } from "../process/shutdown-stack.ts";

/** A list of capabilities; `closed` records the names of closed ones in order. */
function setUp() {
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

it("closes open capabilities in reverse order when a capability fails to open", async () => {
  const { closed, shutdown, list, capability } = setUp();
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

it("closes every capability even if some fail to close, and rejects with all failures", async () => {
  const { closed, shutdown, list, capability } = setUp();
  const failures = [new Error("the disk is away"), new Error("the database is away")];
  await list.add(capability("first"));
  await list.add(capability("second", failures[1]));
  await list.add(capability("third"));
  await list.add(capability("fourth", failures[0]));
  const closing = shutdown.run();
  await expect(closing).rejects.toThrow("not everything could be closed");
  await expect(closing).rejects.toMatchObject({ errors: failures });
  expect(closed).toEqual(["fourth", "third", "second", "first"]);
  // A second call does not close anything again.
  await expect(shutdown.run()).rejects.toMatchObject({ errors: failures });
  expect(closed).toHaveLength(4);
});

it("adds the gauges of a capability to the metrics", async () => {
  const metrics = new Metrics();
  const list = new CapabilityList(new ShutdownStack(), metrics);
  await list.add({ routes: {}, gauges: [{ name: "fairway_test_waiting", help: "What waits.", read: () => 7 }] });
  expect(await metrics.text()).toContain("fairway_test_waiting 7");
});

it("refuses two contracts with the same name in the API reference", () => {
  const capability = { routes: { things: implement({}, {}) } };
  expect(contractsOf([capability])).toEqual({ things: {} });
  expect(() => contractsOf([capability, capability])).toThrow("two capabilities have routes named 'things'");
});
