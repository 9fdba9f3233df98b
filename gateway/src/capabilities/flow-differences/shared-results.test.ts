import { expect, it } from "vitest";
import type { EngineCall } from "#query/engine.ts";
import { SharedResults } from "./shared-results.ts";

interface Result {
  readonly size: number;
}

const call = (owner: string, signal = new AbortController().signal): EngineCall => ({ owner, signal });

/** Work that ends on request, or is aborted. */
function work() {
  const started: { readonly signal: AbortSignal; readonly finish: (result: Result) => void; readonly fail: (error: Error) => void }[] = [];
  const compute = ({ signal }: EngineCall) =>
    new Promise<Result>((finish, fail) => {
      started.push({ signal, finish, fail });
      signal.addEventListener("abort", () => fail(new Error("aborted")));
    });
  return { started, compute };
}

const open = (maxSize = 100) => new SharedResults<Result>({ maxSize, sizeOf: ({ size }) => size });

it("shares running work between the calls of one user, and its result with everyone", async () => {
  const results = open();
  const { started, compute } = work();
  const [first, second] = [results.read("a", call("ada"), compute), results.read("a", call("ada"), compute)];
  const other = results.read("a", call("grace"), compute);
  expect(started.length).toBe(2);
  started[0]?.finish({ size: 1 });
  started[1]?.finish({ size: 1 });
  expect(await Promise.all([first, second, other])).toEqual([{ size: 1 }, { size: 1 }, { size: 1 }]);
  expect(await results.read("a", call("mary"), compute)).toEqual({ size: 1 });
  expect(started.length).toBe(2);
});

it("ends work only when nobody waits for it any longer, and starts anew for the next call", async () => {
  const results = open();
  const { started, compute } = work();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = results.read("a", call("ada", one.signal), compute);
  const second = results.read("a", call("ada", two.signal), compute);
  one.abort();
  await expect(first).rejects.toMatchObject({ reason: "abandoned" });
  expect(started[0]?.signal.aborted).toBe(false);
  two.abort();
  await expect(second).rejects.toMatchObject({ reason: "abandoned" });
  expect(started[0]?.signal.aborted).toBe(true);
  const third = results.read("a", call("ada"), compute);
  started[1]?.finish({ size: 2 });
  expect(await third).toEqual({ size: 2 });
  await expect(results.read("b", call("ada", AbortSignal.abort()), compute)).rejects.toMatchObject({ reason: "abandoned" });
});

it("keeps neither failures nor more than fits", async () => {
  const results = open(100);
  const { started, compute } = work();
  const failing = results.read("a", call("ada"), compute);
  started[0]?.fail(new Error("broken"));
  await expect(failing).rejects.toThrow("broken");
  const again = results.read("a", call("ada"), compute);
  started[1]?.finish({ size: 60 });
  await again;
  const large = results.read("b", call("ada"), compute);
  started[2]?.finish({ size: 60 });
  await large;
  void results.read("a", call("ada"), compute);
  expect(started.length).toBe(4);
  await results.read("b", call("ada"), compute);
  expect(started.length).toBe(4);
});
