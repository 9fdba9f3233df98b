import { vi } from "vitest";
import type * as NifiWaits from "#nifi/waits.ts";

// Setup file of every test: the NiFi of tests does at once what a real one takes seconds for.
vi.mock("#nifi/waits.ts", async (importOriginal) => {
  const { defaultWaits } = await importOriginal<typeof NifiWaits>();
  return { defaultWaits: { ...defaultWaits, settleMs: 150 }, pauses: { firstMs: 10, maxMs: 100 } };
});
