import { beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { fakeSessionStorage } from "#testing/fake-gateway.ts";
import type * as draftsModule from "./drafts.ts";
import type * as tabModule from "./tab-memory.ts";

let drafts: typeof draftsModule;
let tab: typeof tabModule;
let storage: Storage;

/** Loads the modules as a fresh page does, for ada. */
async function load(): Promise<void> {
  vi.resetModules();
  drafts = await import("./drafts.ts");
  tab = await import("./tab-memory.ts");
  tab.adoptTabMemory("ada");
}

const stored = (): string => JSON.stringify(Object.keys(storage).map((key) => storage.getItem(key)));

beforeEach(async () => {
  storage = fakeSessionStorage();
  await load();
});

it("restores what was typed after a reload, unless this release expects something else", async () => {
  drafts.keepDraft("reason", "Costs too much.");
  drafts.storeDrafts();
  await load();
  expect(drafts.draftOf("reason", z.string())).toBe("Costs too much.");
  expect(drafts.draftOf("reason", z.object({ text: z.string() }))).toBeUndefined();
  drafts.forgetDraft("reason");
  await load();
  expect(drafts.hasDraft("reason")).toBe(false);
});

it("stores at most a megabyte; the oldest goes first, and one that is too large leaves room for others", async () => {
  const text = "é".repeat(200_000);
  for (const name of ["a", "b", "c"]) drafts.keepDraft(name, text);
  drafts.keepDraft("huge", text.repeat(3));
  drafts.keepDraft("a", text);
  drafts.storeDrafts();
  expect(new TextEncoder().encode(storage.getItem("fairway.tab.drafts") ?? "").length).toBeLessThan(1_000_200);
  await load();
  expect(["a", "b", "c", "huge"].filter((name) => drafts.hasDraft(name))).toEqual(["a", "c"]);
});

it("[SESSION-15] nothing that was typed stays in the tab after Logout, not even what is stored while the page is left", () => {
  drafts.keepDraft("reason", "Zanzibar");
  drafts.storeDrafts();
  expect(stored()).toContain("Zanzibar");
  tab.closeTabMemory();
  expect(stored()).not.toContain("Zanzibar");
  drafts.keepDraft("reason", "Zanzibar again");
  drafts.storeDrafts();
  tab.forgetTabMemory();
  drafts.storeDrafts();
  expect(stored()).not.toContain("Zanzibar");
});

it("another user finds nothing of it", async () => {
  drafts.keepDraft("reason", "Zanzibar");
  drafts.storeDrafts();
  vi.resetModules();
  drafts = await import("./drafts.ts");
  tab = await import("./tab-memory.ts");
  tab.adoptTabMemory("grace");
  expect(drafts.hasDraft("reason")).toBe(false);
  expect(stored()).not.toContain("Zanzibar");
});
