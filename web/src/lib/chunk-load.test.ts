import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError, type ChunkSurroundings, loadChunk } from "./chunk-load.ts";
import { PartGoneError } from "./part-gone-error.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function around(more: Partial<ChunkSurroundings> = {}) {
  const kept = new Map<string, string>();
  const reload = vi.fn<() => void>();
  const surroundings: ChunkSurroundings = {
    limitMs: () => 120_000,
    mayReload: () => true,
    noteUnanswered: () => {},
    reload,
    memory: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    ...more,
  };
  return { surroundings, reload };
}

const gone = () => Promise.reject(new PartGoneError("/assets/results.js"));
const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  let settled: unknown = "open";
  promise.then(
    (value) => (settled = value),
    (error: unknown) => (settled = error),
  );
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

it("hands on a part that loads", async () => {
  expect(await loadChunk("results", () => Promise.resolve("part"), around().surroundings)).toBe("part");
});

it("reloads once for a part that the server no longer has, then reports a new version", async () => {
  const { surroundings, reload } = around();
  expect(await outcome(loadChunk("results", gone, surroundings))).toBe("open");
  expect(reload).toHaveBeenCalledOnce();
  expect(await outcome(loadChunk("results", gone, surroundings))).toMatchObject({ name: "ChunkLoadError", isOutdated: true });
  expect(reload).toHaveBeenCalledOnce();
});

it("may reload again after the part did load", async () => {
  const { surroundings, reload } = around();
  await outcome(loadChunk("results", gone, surroundings));
  await loadChunk("results", () => Promise.resolve("part"), surroundings);
  await outcome(loadChunk("results", gone, surroundings));
  expect(reload).toHaveBeenCalledTimes(2);
});

it("never reloads a page that holds unsaved text", async () => {
  const { surroundings, reload } = around({ mayReload: () => false });
  expect(await outcome(loadChunk("results", gone, surroundings))).toMatchObject({ isOutdated: true });
  expect(reload).not.toHaveBeenCalled();
});

it("does not reload for a part that did not arrive", async () => {
  const { surroundings, reload } = around();
  expect(await outcome(loadChunk("results", unreachable, surroundings))).toMatchObject({ name: "ChunkLoadError", isOutdated: false });
  expect(reload).not.toHaveBeenCalled();
});

it("[SHELL-42] gives a part up after the limit of 120 s", async () => {
  const { surroundings, reload } = around();
  const loading = loadChunk("results", () => new Promise(() => {}), surroundings);
  const told = vi.fn<(error: unknown) => void>();
  loading.catch(told);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(told).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(told.mock.calls[0]?.[0]).toBeInstanceOf(ChunkLoadError);
  expect(reload).not.toHaveBeenCalled();
});
