import { expect, it } from "vitest";
import { callSlots } from "./call-slots.ts";

interface Open<Answer> {
  promise: Promise<Answer>;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

function openWork<Answer>(): Open<Answer> {
  let [resolve, reject]: [Open<Answer>["resolve"], Open<Answer>["reject"]] = [() => {}, () => {}];
  const promise = new Promise<Answer>((resolveIt, rejectIt) => {
    [resolve, reject] = [resolveIt, rejectIt];
  });
  return { promise, resolve, reject };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("runs so many at a time, in order, and gives the turn of one that fails to the next", async () => {
  const run = callSlots(2);
  const { signal } = new AbortController();
  const started: string[] = [];
  const ends = new Map<string, Open<string>>();
  const work = (name: string) =>
    run(() => {
      started.push(name);
      const end = openWork<string>();
      ends.set(name, end);
      return end.promise;
    }, signal);
  const answers = ["a", "b", "c", "d"].map(work);
  await settled();
  expect(started).toEqual(["a", "b"]);
  ends.get("b")?.reject(new Error("failed"));
  await expect(answers[1]).rejects.toThrow("failed");
  await settled();
  expect(started).toEqual(["a", "b", "c"]);
  ends.get("a")?.resolve("done");
  expect(await answers[0]).toBe("done");
  await settled();
  expect(started).toEqual(["a", "b", "c", "d"]);
});

it("drops one that is no longer wanted while it waits", async () => {
  const run = callSlots(1);
  const first = openWork<string>();
  const running = run(() => first.promise, new AbortController().signal);
  const left = new AbortController();
  let hasRun = false;
  const dropped = run(async () => {
    hasRun = true;
  }, left.signal);
  const last = run(async () => "last", new AbortController().signal);
  left.abort();
  await expect(dropped).rejects.toThrow("No longer wanted.");
  first.resolve("first");
  await running;
  expect(await last).toBe("last");
  expect(hasRun).toBe(false);
});
