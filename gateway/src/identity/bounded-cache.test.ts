import { expect, it } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

const held = (cache: BoundedCache<number>, keys: number) =>
  Array.from({ length: keys }, (_, key) => cache.get(`k${key}`)).filter((value) => value !== undefined);

it("never holds more than its capacity", () => {
  const cache = new BoundedCache<number>(10);
  for (let key = 0; key < 1_000; key++) {
    cache.set(`k${key}`, key);
    cache.set(`k${key}`, key);
  }
  expect(held(cache, 1_000).length).toBeLessThanOrEqual(10);
  expect(cache.get("k999")).toBe(999);
});

it("keeps what is used while the rest passes by", () => {
  const cache = new BoundedCache<number>(10);
  cache.set("used", 1);
  for (let key = 0; key < 1_000; key++) {
    cache.set(`k${key}`, key);
    expect(cache.get("used")).toBe(1);
  }
});

it("forgets what it is told to, in both generations", () => {
  const cache = new BoundedCache<number>(4);
  for (const key of [1, 2, 3]) cache.set(`k${key}`, key);
  cache.forget((value) => value !== 2);
  expect([cache.get("k1"), cache.get("k2"), cache.get("k3")]).toEqual([undefined, 2, undefined]);
});

it("has the newest value of a key that it also held before", () => {
  const cache = new BoundedCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 1);
  cache.set("a", 2);
  cache.set("c", 1);
  expect(cache.get("a")).toBe(2);
});
