import { describe, expect, it } from "vitest";
import { AnswerStore } from "./answer-store.ts";
import type { EngineFailed } from "./engine.ts";

/** Computations that end when the test says so. */
function computations() {
  const begun: { signal: AbortSignal; end: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const compute = (signal: AbortSignal): Promise<string> =>
    new Promise((end, fail) => {
      signal.addEventListener("abort", () => fail(new Error("stopped")));
      begun.push({ signal, end, fail });
    });
  return { begun, compute };
}

const staying = new AbortController().signal;
const request = { key: "a", state: "1", fresh: false };
const sizeOf = (answer: string) => answer.length;

describe("the store of answers", () => {
  it("lets identical requests share one query, and keeps its answer while the data stay the same", async () => {
    const { begun, compute } = computations();
    const store = new AnswerStore(1_000);
    const both = [store.answer(request, staying, compute, sizeOf), store.answer(request, staying, compute, sizeOf)];
    begun[0]?.end("x");
    expect((await Promise.all(both)).map(({ answer }) => answer)).toEqual(["x", "x"]);
    const [first] = await Promise.all(both);
    expect(await store.answer(request, staying, compute, sizeOf)).toMatchObject({ answer: "x", computedMs: first?.computedMs });
    expect(begun).toHaveLength(1);
    const changed = store.answer({ ...request, state: "2" }, staying, compute, sizeOf);
    begun[1]?.end("y");
    expect((await changed).answer).toBe("y");
  });

  it("cancels the query when the last caller leaves, and not before", async () => {
    const { begun, compute } = computations();
    const store = new AnswerStore(1_000);
    const [one, other] = [new AbortController(), new AbortController()];
    const first = store.answer(request, one.signal, compute, sizeOf);
    const second = store.answer(request, other.signal, compute, sizeOf);
    one.abort();
    await expect(first).rejects.toMatchObject({ reason: "abandoned" } satisfies Partial<EngineFailed>);
    expect(begun[0]?.signal.aborted).toBe(false);
    other.abort();
    await expect(second).rejects.toMatchObject({ reason: "abandoned" });
    expect(begun[0]?.signal.aborted).toBe(true);
    const later = store.answer(request, staying, compute, sizeOf);
    begun[1]?.end("z");
    expect((await later).answer).toBe("z");
  });

  it("computes a fresh answer on demand, also beside a query that is running", async () => {
    const { begun, compute } = computations();
    const store = new AnswerStore(1_000);
    const usual = store.answer(request, staying, compute, sizeOf);
    const fresh = store.answer({ ...request, fresh: true }, staying, compute, sizeOf);
    begun[0]?.end("old");
    begun[1]?.end("new");
    expect([(await usual).answer, (await fresh).answer]).toEqual(["old", "new"]);
    expect((await store.answer(request, staying, compute, sizeOf)).answer).toBe("new");
  });

  it("keeps no failure, and drops what was used least recently when there is no room", async () => {
    const store = new AnswerStore(40);
    let computed = 0;
    const ask = (key: string) =>
      store.answer({ ...request, key }, staying, () => Promise.resolve(`${key} ${(computed += 1)}`.padEnd(12)), sizeOf);
    await expect(store.answer(request, staying, () => Promise.reject(new Error("failed")), sizeOf)).rejects.toThrow("failed");
    for (const key of ["a", "b", "a", "c", "a", "b"]) await ask(key);
    expect(computed).toBe(4);
  });
});
