import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { type SlotLimits, Slots } from "./slots.ts";

const limits: SlotLimits = { perOwner: 2, queue: 256, queuePerOwner: 64, waitMs: 30_000 };

/** Work that ends when the test says so, and the names of what has begun, in their order. */
function workshop(slots: number, changed: Partial<SlotLimits> = {}) {
  const shared = new Slots(
    Array.from({ length: slots }, (_, index) => index),
    { ...limits, ...changed },
    { subject: "The query engine", work: "queries" },
  );
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const run = (owner: string, name: string, weight?: number, signal?: AbortSignal): Promise<string> => {
    const work = () => {
      begun.push(name);
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
    };
    const done = shared.use(engineCall(signal, owner), work, weight);
    // Refusals are looked at by the tests that expect them.
    done.catch(() => undefined);
    return done;
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const end = async (name: string) => {
    await settle();
    endings.get(name)?.();
    await settle();
  };
  /** Ends what began last, so many times. */
  const endLast = async (times: number) => {
    for (let index = 0; index < times; index++) {
      await settle();
      await end(begun.at(-1) ?? "");
    }
  };
  return { shared, begun, run, end, endLast, settle };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the share of one owner", () => {
  it("leaves slots to the others, however much one asks for", async () => {
    const { shared, begun, run, settle } = workshop(4);
    for (let index = 0; index < 50; index++) void run("heavy", `heavy ${index}`);
    void run("ada", "ada");
    void run("bob", "bob");
    await settle();
    expect(begun).toEqual(["heavy 0", "heavy 1", "ada", "bob"]);
    expect([shared.taken, shared.waiting]).toEqual([4, 48]);
  });

  it("is one less than there are slots at most, and at least one", async () => {
    for (const [slots, share] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [8, 7],
    ] as const) {
      const { shared, run, settle } = workshop(slots, { perOwner: 100 });
      for (let index = 0; index < 20; index++) void run("heavy", `${index}`);
      await settle();
      expect(shared.taken).toBe(share);
    }
  });

  it("is free again when a query ends, fails or is abandoned", async () => {
    const { shared, begun, run, end, settle } = workshop(2);
    const leaving = new AbortController();
    void run("ada", "first");
    void run("ada", "left", 1, leaving.signal);
    void run("ada", "second");
    leaving.abort();
    await end("first");
    await end("second");
    await expect(shared.use(engineCall(undefined, "ada"), () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    void run("ada", "third");
    await settle();
    expect(begun).toEqual(["first", "second", "third"]);
    expect([shared.taken, shared.waiting]).toEqual([1, 0]);
  });
});

describe("those who wait", () => {
  it("are served in turns between owners, not in the order of arrival", async () => {
    const { begun, run, endLast } = workshop(1);
    void run("heavy", "heavy 0");
    for (let index = 1; index < 5; index++) void run("heavy", `heavy ${index}`);
    for (const name of ["ada 0", "bob 0", "ada 1", "bob 1"]) void run(name.slice(0, 3), name);
    await endLast(8);
    expect(begun).toEqual(["heavy 0", "ada 0", "bob 0", "heavy 1", "ada 1", "bob 1", "heavy 2", "heavy 3", "heavy 4"]);
  });

  it("wait longer for their next turn after heavy work", async () => {
    const { begun, run, endLast } = workshop(1);
    void run("heavy", "heavy 0", 3);
    void run("heavy", "heavy 1", 3);
    for (let index = 0; index < 4; index++) void run("ada", `ada ${index}`);
    await endLast(5);
    expect(begun).toEqual(["heavy 0", "ada 0", "ada 1", "ada 2", "heavy 1", "ada 3"]);
  });

  it("let light work of their own pass heavy work, but not without end", async () => {
    const { begun, run, endLast } = workshop(1);
    void run("ada", "running");
    void run("ada", "batch", 11);
    for (let index = 0; index < 20; index++) void run("ada", `light ${index}`);
    await endLast(20);
    expect(begun.indexOf("batch")).toBe(10);
  });

  it("are of an equal standing with whoever comes new: nobody saves up turns", async () => {
    const { begun, run, endLast } = workshop(1);
    void run("ada", "ada 0");
    for (let index = 1; index < 9; index++) void run("ada", `ada ${index}`);
    await endLast(4);
    for (let index = 0; index < 4; index++) void run("bob", `bob ${index}`);
    await endLast(4);
    expect(begun.slice(5).filter((name) => name.startsWith("bob"))).toHaveLength(2);
  });
});

describe("queues", () => {
  it("of one owner are bounded: that owner is refused, others wait", async () => {
    const { shared, run, settle } = workshop(1, { queuePerOwner: 2 });
    for (const name of ["running", "waiting", "waiting, too"]) void run("heavy", name);
    await expect(run("heavy", "one more")).rejects.toMatchObject({
      reason: "too-many",
      retryAfterSeconds: 5,
      message: "2 of your queries are waiting already. Try again when some of them have been answered.",
    });
    void run("ada", "ada");
    await settle();
    expect(shared.waiting).toBe(3);
  });

  it("that are full drop the last of whoever waits with the most, not the newcomer", async () => {
    const { shared, begun, run, end } = workshop(1, { queue: 4 });
    void run("heavy", "running");
    const heavy = Array.from({ length: 4 }, (_, index) => run("heavy", `heavy ${index}`));
    void run("ada", "ada");
    await expect(heavy[3]).rejects.toMatchObject({ reason: "busy" });
    await end("running");
    expect(begun).toEqual(["running", "ada"]);
    expect(shared.waiting).toBe(3);
  });

  it("that are full refuse whoever fills them", async () => {
    const { run } = workshop(1, { queue: 1 });
    void run("heavy", "running");
    void run("heavy", "waiting");
    await expect(run("heavy", "one more")).rejects.toMatchObject({
      reason: "busy",
      message: "The query engine is busy: too many are waiting. Try again in a moment.",
    });
  });

  it("end a wait that is too long, and say whose work took the time", async () => {
    const { run } = workshop(2);
    void run("ada", "ada");
    const own = run("ada", "second");
    void run("bob", "bob");
    const others = run("cleo", "cleo");
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(own).rejects.toMatchObject({
      reason: "busy",
      message: "The query engine is busy: your other queries did not end within 30 s. Try again in a moment.",
    });
    await expect(others).rejects.toMatchObject({
      message: "The query engine is busy: no place came free within 30 s. Try again in a moment.",
    });
  });
});
