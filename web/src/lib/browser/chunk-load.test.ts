import { defaultLimits } from "@fairway/contract/limits";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError, type ChunkEnvironment, loadChunk } from "./chunk-load.ts";
import { PartNotFoundError } from "./part-not-found-error.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createEnvironment(overrides: Partial<ChunkEnvironment> = {}) {
  const stored = new Map<string, string>();
  const reload = vi.fn<() => void>();
  const environment: ChunkEnvironment = {
    timeoutMs: () => 120_000,
    mayReload: () => true,
    checkConnection: () => {},
    reload,
    memory: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    ...overrides,
  };
  return { environment, reload };
}

const notFound = () => Promise.reject(new PartNotFoundError("/assets/results.js"));
const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  let settled: unknown = "pending";
  promise.then(
    (value) => (settled = value),
    (error: unknown) => (settled = error),
  );
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

it("returns a part that loads", async () => {
  expect(await loadChunk("results", () => Promise.resolve("part"), createEnvironment().environment)).toBe("part");
});

it("reloads once for a part the server no longer has, then reports a new version", async () => {
  const { environment, reload } = createEnvironment();
  expect(await outcome(loadChunk("results", notFound, environment))).toBe("pending");
  expect(reload).toHaveBeenCalledOnce();
  expect(await outcome(loadChunk("results", notFound, environment))).toMatchObject({ name: "ChunkLoadError", isOutdated: true });
  expect(reload).toHaveBeenCalledOnce();
});

it("can reload again after the part has loaded", async () => {
  const { environment, reload } = createEnvironment();
  await outcome(loadChunk("results", notFound, environment));
  await loadChunk("results", () => Promise.resolve("part"), environment);
  await outcome(loadChunk("results", notFound, environment));
  expect(reload).toHaveBeenCalledTimes(2);
});

it("never reloads a page with unsaved changes", async () => {
  const { environment, reload } = createEnvironment({ mayReload: () => false });
  expect(await outcome(loadChunk("results", notFound, environment))).toMatchObject({ isOutdated: true });
  expect(reload).not.toHaveBeenCalled();
});

it("does not reload for a part that could not be fetched", async () => {
  const { environment, reload } = createEnvironment();
  expect(await outcome(loadChunk("results", unreachable, environment))).toMatchObject({ name: "ChunkLoadError", isOutdated: false });
  expect(reload).not.toHaveBeenCalled();
});

it("[SHELL-42][SHELL-43] gives up on a part after 120 s, without a reload", async () => {
  const { environment, reload } = createEnvironment({ timeoutMs: () => defaultLimits.chunkLoadLimitMs });
  const loading = loadChunk("results", () => new Promise(() => {}), environment);
  const onRejected = vi.fn<(error: unknown) => void>();
  loading.catch(onRejected);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(onRejected).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onRejected.mock.calls[0]?.[0]).toBeInstanceOf(ChunkLoadError);
  expect(reload).not.toHaveBeenCalled();
});
