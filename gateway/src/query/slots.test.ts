import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { type SlotLimits, Slots } from "./slots.ts";

const limits: SlotLimits = { perOwner: 2, queue: 256, queuePerOwner: 64, waitMs: 30_000 };

/** Slots with tasks that end on demand; `started` lists their names in order. */
function createSlots(slots: number, changed: Partial<SlotLimits> = {}) {
  const shared = new Slots(
    Array.from({ length: slots }, (_, index) => index),
    { ...limits, ...changed },
    { subject: "The query engine", work: "queries" },
  );
  const started: string[] = [];
  const endings = new Map<string, () => void>();
  const run = (owner: string, name: string, weight?: number, signal?: AbortSignal): Promise<string> => {
    const work = () => {
      started.push(name);
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
    };
    const done = shared.use(engineCall(signal, owner), work, weight);
    // Refusals are checked by the tests that expect them.
    done.catch(() => undefined);
    return done;
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const end = async (name: string) => {
    await settle();
    endings.get(name)?.();
    await settle();
  };
  /** Ends the task that started last, this many times. */
  const endLast = async (times: number) => {
    for (let index = 0; index < times; index++) {
      await settle();
      await end(started.at(-1) ?? "");
    }
  };
  return { shared, started, run, end, endLast, settle };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the share of one owner", () => {
  it("leaves slots to other owners, however many tasks one owner submits", async () => {
    const { shared, started, run, settle } = createSlots(4);
    for (let index = 0; index < 50; index++) void run("heavy", `heavy ${index}`);
    void run("ada", "ada");
    void run("bob", "bob");
    await settle();
    expect(started).toEqual(["heavy 0", "heavy 1", "ada", "bob"]);
    expect([shared.inUse, shared.waiting]).toEqual([4, 48]);
  });

  it("is at most one less than the number of slots, and at least one", async () => {
    for (const [slots, share] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [8, 7],
    ] as const) {
      const { shared, run, settle } = createSlots(slots, { perOwner: 100 });
      for (let index = 0; index < 20; index++) void run("heavy", `${index}`);
      await settle();
      expect(shared.inUse).toBe(share);
    }
  });

  it("is released when a query ends, fails or is abandoned", async () => {
    const { shared, started, run, end, settle } = createSlots(2);
    const leaving = new AbortController();
    void run("ada", "first");
    void run("ada", "abandoned", 1, leaving.signal);
    void run("ada", "second");
    leaving.abort();
    await end("first");
    await end("second");
    await expect(shared.use(engineCall(undefined, "ada"), () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    void run("ada", "third");
    await settle();
    expect(started).toEqual(["first", "second", "third"]);
    expect([shared.inUse, shared.waiting]).toEqual([1, 0]);
  });
});

describe("waiting tasks", () => {
  it("are served in turns between owners, not in order of arrival", async () => {
    const { started, run, endLast } = createSlots(1);
    void run("heavy", "heavy 0");
    for (let index = 1; index < 5; index++) void run("heavy", `heavy ${index}`);
    for (const name of ["ada 0", "bob 0", "ada 1", "bob 1"]) void run(name.slice(0, 3), name);
    await endLast(8);
    expect(started).toEqual(["heavy 0", "ada 0", "bob 0", "heavy 1", "ada 1", "bob 1", "heavy 2", "heavy 3", "heavy 4"]);
  });

  it("wait longer if their owner has run heavy work", async () => {
    const { started, run, endLast } = createSlots(1);
    void run("heavy", "heavy 0", 3);
    void run("heavy", "heavy 1", 3);
    for (let index = 0; index < 4; index++) void run("ada", `ada ${index}`);
    await endLast(5);
    expect(started).toEqual(["heavy 0", "ada 0", "ada 1", "ada 2", "heavy 1", "ada 3"]);
  });

  it("are overtaken by lighter ones of the same owner, but not indefinitely", async () => {
    const { started, run, endLast } = createSlots(1);
    void run("ada", "running");
    void run("ada", "batch", 11);
    for (let index = 0; index < 20; index++) void run("ada", `light ${index}`);
    await endLast(20);
    expect(started.indexOf("batch")).toBe(10);
  });

  it("have no advantage over those of new owners: turns cannot be saved up", async () => {
    const { started, run, endLast } = createSlots(1);
    void run("ada", "ada 0");
    for (let index = 1; index < 9; index++) void run("ada", `ada ${index}`);
    await endLast(4);
    for (let index = 0; index < 4; index++) void run("bob", `bob ${index}`);
    await endLast(4);
    expect(started.slice(5).filter((name) => name.startsWith("bob"))).toHaveLength(2);
  });
});

describe("queues", () => {
  it("are bounded per owner: that owner is refused while others wait", async () => {
    const { shared, run, settle } = createSlots(1, { queuePerOwner: 2 });
    for (const name of ["running", "waiting", "also waiting"]) void run("heavy", name);
    await expect(run("heavy", "one more")).rejects.toMatchObject({
      reason: "too-many",
      retryAfterSeconds: 5,
      message: "2 of your queries are already waiting. Try again when some of them have finished.",
    });
    void run("ada", "ada");
    await settle();
    expect(shared.waiting).toBe(3);
  });

  it("drop the last task of the owner with the most when full, not the newcomer", async () => {
    const { shared, started, run, end } = createSlots(1, { queue: 4 });
    void run("heavy", "running");
    const heavy = Array.from({ length: 4 }, (_, index) => run("heavy", `heavy ${index}`));
    void run("ada", "ada");
    await expect(heavy[3]).rejects.toMatchObject({ reason: "busy" });
    await end("running");
    expect(started).toEqual(["running", "ada"]);
    expect(shared.waiting).toBe(3);
  });

  it("refuse further tasks of the owner who fills them", async () => {
    const { run } = createSlots(1, { queue: 1 });
    void run("heavy", "running");
    void run("heavy", "waiting");
    await expect(run("heavy", "one more")).rejects.toMatchObject({
      reason: "busy",
      message: "The query engine is busy: too many are waiting. Try again in a moment.",
    });
  });

  it("end a wait that is too long, and say whose work caused it", async () => {
    const { run } = createSlots(2);
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
      message: "The query engine is busy: no slot became free within 30 s. Try again in a moment.",
    });
  });
});

describe("background tasks", () => {
  const inBackground = (name: string, slots: ReturnType<typeof createSlots>, owner = "alerts") => {
    const work = () => {
      slots.started.push(name);
      return new Promise<void>(() => undefined);
    };
    const done = slots.shared.use({ ...engineCall(undefined, owner), isBackground: true }, work);
    done.catch(() => undefined);
    return done;
  };

  it("never take the last free slot, and go after all others", async () => {
    const slots = createSlots(3);
    const { run, end, started, settle } = slots;
    void run("ada", "first");
    void inBackground("look 1", slots);
    void inBackground("look 2", slots);
    await settle();
    expect(started).toEqual(["first", "look 1"]);
    void run("ada", "second");
    void run("bob", "third");
    await settle();
    expect(started).toEqual(["first", "look 1", "second"]);
    await end("first");
    expect(started).toEqual(["first", "look 1", "second", "third"]);
    await end("second");
    expect(started).toHaveLength(4);
    await end("third");
    expect(started.at(-1)).toBe("look 2");
  });

  it("of one slot are served while nobody waits for it", async () => {
    const slots = createSlots(1);
    const { run, end, started, settle } = slots;
    void run("ada", "first");
    void inBackground("look", slots);
    void run("bob", "second");
    await settle();
    await end("first");
    expect(started).toEqual(["first", "second"]);
    await end("second");
    expect(started).toEqual(["first", "second", "look"]);
  });

  it("are refused where the queue is full, and push nobody out of it", async () => {
    const slots = createSlots(1, { queue: 2 });
    for (const name of ["first", "second", "third"]) void slots.run("ada", name);
    await slots.settle();
    await expect(inBackground("look", slots)).rejects.toMatchObject({ reason: "busy" });
    expect(slots.shared.waiting).toBe(2);
  });
});
