import { beforeEach, expect, it, vi } from "vitest";
import { fakeSessionStorage } from "#testing/fake-gateway.ts";
import type * as tabModule from "./tab-memory.ts";

let tab: typeof tabModule;
let storage: Storage;

/** Loads the module as a fresh page does. */
async function load(): Promise<void> {
  vi.resetModules();
  tab = await import("./tab-memory.ts");
}

beforeEach(async () => {
  storage = fakeSessionStorage();
  await load();
});

function registerPart(name: string) {
  const memory = { restore: vi.fn<(state: unknown) => void>(), forget: vi.fn<() => void>() };
  return { ...memory, store: tab.rememberInTab(name, memory) };
}

it("restores the same user's state after a reload, also for parts that load later", async () => {
  const before = registerPart("a");
  tab.adoptTabMemory("ada");
  before.store({ n: 1 });
  await load();
  tab.adoptTabMemory("ada");
  expect(registerPart("a").restore).toHaveBeenCalledExactlyOnceWith({ n: 1 });
});

it("stores nothing before a user is known", () => {
  registerPart("a").store({ n: 1 });
  expect(Object.keys(storage)).toStrictEqual([]);
});

it("removes another user's state, including that of parts that are not loaded", async () => {
  const before = registerPart("a");
  tab.adoptTabMemory("ada");
  before.store({ n: 1 });
  await load();
  tab.adoptTabMemory("bob");
  expect(Object.keys(storage)).toStrictEqual([]);
  expect(registerPart("a").restore).not.toHaveBeenCalled();
});

it("clears memory and storage, but only its own entries", () => {
  storage.setItem("fairway.session", "{}");
  const one = registerPart("a");
  tab.adoptTabMemory("ada");
  one.store({ n: 1 });
  tab.forgetTabMemory();
  expect(one.forget).toHaveBeenCalledOnce();
  expect(Object.keys(storage)).toStrictEqual(["fairway.session"]);
  one.store({ n: 2 });
  expect(Object.keys(storage)).toStrictEqual(["fairway.session"]);
});

it("works without storage", async () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("closed", "SecurityError");
    },
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  await load();
  const one = registerPart("a");
  tab.adoptTabMemory("ada");
  expect(() => one.store({ n: 1 })).not.toThrow();
});
