import { beforeEach, expect, it, vi } from "vitest";
import { fakeSessionStorage } from "#testing/fake-gateway.ts";
import type * as tabModule from "./tab-memory.ts";

let tab: typeof tabModule;
let storage: Storage;

/** The module as a freshly loaded page has it. */
async function load(): Promise<void> {
  vi.resetModules();
  tab = await import("./tab-memory.ts");
}

beforeEach(async () => {
  storage = fakeSessionStorage();
  await load();
});

function part(name: string) {
  const memory = { restore: vi.fn<(state: unknown) => void>(), forget: vi.fn<() => void>() };
  return { ...memory, keep: tab.rememberInTab(name, memory) };
}

it("gives back over a reload what the same user left, also to parts that load later", async () => {
  const before = part("a");
  tab.adoptTabMemory("ada");
  before.keep({ n: 1 });
  await load();
  tab.adoptTabMemory("ada");
  expect(part("a").restore).toHaveBeenCalledExactlyOnceWith({ n: 1 });
});

it("stores nothing before a user is known", () => {
  part("a").keep({ n: 1 });
  expect(Object.keys(storage)).toStrictEqual([]);
});

it("leaves nothing of one user for the next, not even of parts that are not loaded", async () => {
  const before = part("a");
  tab.adoptTabMemory("ada");
  before.keep({ n: 1 });
  await load();
  tab.adoptTabMemory("bob");
  expect(Object.keys(storage)).toStrictEqual([]);
  expect(part("a").restore).not.toHaveBeenCalled();
});

it("forgets on the screen and in the storage, and only its own entries", () => {
  storage.setItem("fairway.session", "{}");
  const one = part("a");
  tab.adoptTabMemory("ada");
  one.keep({ n: 1 });
  tab.forgetTabMemory();
  expect(one.forget).toHaveBeenCalledOnce();
  expect(Object.keys(storage)).toStrictEqual(["fairway.session"]);
  one.keep({ n: 2 });
  expect(Object.keys(storage)).toStrictEqual(["fairway.session"]);
});

it("goes on without storage", async () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("closed", "SecurityError");
    },
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  await load();
  const one = part("a");
  tab.adoptTabMemory("ada");
  expect(() => one.keep({ n: 1 })).not.toThrow();
});
