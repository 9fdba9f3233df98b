import type * as LruCache from "lru-cache";
import { vi } from "vitest";

// Setup file of every test: a cache reserves all its entries when it is created, and tests open hundreds of gateways.
const maxEntries = 1_000;

vi.mock("lru-cache", async (importOriginal) => {
  const { LRUCache } = await importOriginal<typeof LruCache>();
  class SmallCache<Key extends {}, Value extends {}> extends LRUCache<Key, Value> {
    constructor(options: { max: number }) {
      super({ ...options, max: Math.min(options.max, maxEntries) });
    }
  }
  return { LRUCache: SmallCache };
});
