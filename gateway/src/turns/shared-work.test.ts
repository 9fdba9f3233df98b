import { describe, expect, it } from "vitest";
import { asCaller } from "./caller.ts";
import { SharedWork } from "./shared-work.ts";
import { Turns } from "./turns.ts";

const one = { turns: 2, perOwner: 1, queue: 100, queuePerOwner: 0, waitMs: Infinity };
const as = <T>(owner: string, work: () => T): T => asCaller({ owner }, work);

describe("work that several callers wait for", () => {
  it("goes on for the others when one of them is refused a turn", async () => {
    const turns = new Turns({ ...one, queuePerOwner: 1 }, { subject: "The test", work: "tasks" });
    const greedy = await as("greedy", () => turns.take());
    const third = await as("third", () => turns.take());
    void as("greedy", () => turns.take());
    const shared = new SharedWork(turns, () => Promise.resolve("done"));
    const results = [as("greedy", () => shared.join()), as("other", () => shared.join())];
    third.end();
    await expect(Promise.all(results)).resolves.toEqual(["done", "done"]);
    greedy.end();
  });

  it("fails when every one of them is refused a turn", async () => {
    const turns = new Turns(one, { subject: "The test", work: "tasks" });
    await as("first", () => turns.take());
    await as("second", () => turns.take());
    const shared = new SharedWork(turns, () => Promise.resolve("done"));
    const results = [as("first", () => shared.join()), as("second", () => shared.join())];
    for (const result of results) await expect(result).rejects.toThrow("0 of your tasks are already waiting");
  });
});
