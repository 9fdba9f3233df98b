import type { JoltStep } from "@fairway/contract/jolt";
import { describe, expect, it } from "vitest";
import { runChain } from "./chain.ts";

const run = (operation: JoltStep["operation"], spec: Record<string, unknown> | undefined, input: unknown): unknown =>
  JSON.parse(JSON.stringify(runChain([spec === undefined ? { operation } : { operation, spec }], input)));
const shift = (spec: Record<string, unknown>, input: unknown) => run("shift", spec, input);

describe("shift", () => {
  it("copies values to paths, and creates a list if a path is already set", () => {
    const input = { rating: { primary: { value: 3 }, quality: { value: 4 } }, name: "pear" };
    expect(shift({ rating: { primary: { value: "stars" } }, name: ["title", "meta.name"] }, input)).toEqual({
      stars: 3,
      title: "pear",
      meta: { name: "pear" },
    });
    expect(shift({ rating: { "*": { value: "all" } } }, input)).toEqual({ all: [3, 4] });
  });

  it("ignores keys that do not exist, and returns null if nothing is left", () => {
    expect(shift({ a: "b", c: null }, { c: 1 })).toBeNull();
    expect(shift({ "*": "kept.@missing" }, { a: { b: 1 } })).toBeNull();
  });

  it("prefers exact names over alternatives and stars, and specific patterns over general ones", () => {
    const input = { tag: 1, "tag-a": 2, "tag-a-b": 3, other: 4, both: 5 };
    expect(shift({ tag: "name", "other|both": "either", "tag-*": "one", "*": "rest", "tag-*-*": "two" }, input)).toEqual({
      name: 1,
      one: [2, 3],
      either: [4, 5],
    });
  });

  it("resolves & to a key some levels up, or to what its star matched", () => {
    expect(shift({ "rating-*": "ratings.&(0,1).&" }, { "rating-taste": 5 })).toEqual({ ratings: { taste: { "rating-taste": 5 } } });
    expect(shift({ "*": { "*": "&1-&0" } }, { a: { x: 1 }, b: { y: 2 } })).toEqual({ "a-x": 1, "b-y": 2 });
    expect(shift({ "*-*": "&(0,2).&(0,1)" }, { "left-right": true })).toEqual({ right: { left: true } });
  });

  it("resolves $ to the key, @ to the value, and # to a text of the specification", () => {
    const input = { one: 1, two: 2 };
    expect(shift({ "*": { $: "keys", "@": "values", "#seen": "log" } }, input)).toEqual({
      keys: ["one", "two"],
      values: [1, 2],
      log: ["seen", "seen"],
    });
  });

  it("resolves @ to a value some levels up, in keys and in paths", () => {
    const clients = [
      { id: "7", name: "Acme", photos: ["a.jpg", "b.jpg"] },
      { id: "8", name: "Bob's", photos: [] },
    ];
    expect(shift({ "*": { name: "byId.@(1,id)" } }, clients)).toEqual({ byId: { 7: "Acme", 8: "Bob's" } });
    expect(shift({ "*": { "@(photos[1])": "second.@name", photos: { "0": { "@2": "whole" } } } }, clients)).toMatchObject({
      second: { Acme: "b.jpg" },
    });
    expect(shift({ "*": { id: "names[@(1,id)]" } }, [{ id: "1" }, { id: "x" }])).toEqual({ names: [null, "1"] });
    expect(shift({ "*": { "*": { "@&1": "found" } } }, { data: [{ data: "here" }] })).toEqual({ found: "here" });
  });

  it("matches values like keys, for switches", () => {
    const spec = { "*": { hidden: { true: { "#off": "state.@(3,id)" }, false: { "#on": "state.@(3,id)" } } } };
    expect(
      shift(spec, [
        { id: "a", hidden: true },
        { id: "b", hidden: false },
      ]),
    ).toEqual({ state: { a: "off", b: "on" } });
  });

  it("appends with [], and writes to an index with [2], [&1] and [#2]", () => {
    const photos = { small: { url: "s" }, large: { url: "l" } };
    expect(shift({ "*": { url: "list[].href" } }, photos)).toEqual({ list: [{ href: "s" }, { href: "l" }] });
    expect(shift({ a: "list[2]" }, { a: 1 })).toEqual({ list: [null, null, 1] });
    expect(shift({ "*": { x: "rows[&1].x", y: "rows[&1].y" } }, [{ x: 1, y: 2 }, { x: 3 }])).toEqual({ rows: [{ x: 1, y: 2 }, { x: 3 }] });
    expect(shift({ sizes: { "*": { $: "sizes[#2].name", "@": "sizes[#2].value" } } }, { sizes: { s: 1, l: 2 } })).toEqual({
      sizes: [
        { name: "s", value: 1 },
        { name: "l", value: 2 },
      ],
    });
    expect(shift({ "*": "[]" }, { a: 1, b: 2 })).toEqual([1, 2]);
    expect(shift({ a: "" }, { a: { b: 1 } })).toEqual({ b: 1 });
  });

  it("treats characters after a backslash literally", () => {
    const spec = { "\\@type": "\\@kind", "\\*": "a\\.b", "\\$": "\\&x", "\\#n": "\\[0\\]" };
    expect(shift(spec, { "@type": 1, "*": 2, $: 3, "#n": 4 })).toEqual({ "@kind": 1, "a.b": 2, "&x": 3, "[0]": 4 });
  });
});

describe("default", () => {
  it("fills in missing and null values only", () => {
    const spec = { a: 1, b: { c: 2, d: [1] }, e: "x" };
    expect(run("default", spec, { a: 0, b: { c: null }, e: "" })).toEqual({ a: 0, b: { c: 2, d: [1] }, e: "" });
    expect(run("default", spec, null)).toEqual({ a: 1, b: { c: 2, d: [1] }, e: "x" });
  });

  it("matches only existing keys with * and alternatives; fewer alternatives win", () => {
    expect(run("default", { "*": { n: 0 }, "a|x|y": { n: 2 }, "a|z": { n: 1 } }, { a: {}, b: {} })).toEqual({ a: { n: 1 }, b: { n: 0 } });
  });

  it("names lists with [], with indices as keys", () => {
    expect(run("default", { "photos[]": { "1": { x: 1 }, "*": { y: 2 } } }, { photos: [{ y: 0 }] })).toEqual({
      photos: [{ y: 0 }, { x: 1, y: 2 }],
    });
    expect(run("default", { "list[]": { "0": "a" } }, { list: {} })).toEqual({ list: {} });
  });
});

describe("remove, sort, cardinality", () => {
  it("remove deletes names, stars and indices", () => {
    const input = { keep: 1, gone: 2, "config-a": 3, deep: { x: 1, y: 2 }, list: [1, 2, 3], rows: [{ a: 1, b: 2 }, { a: 3 }] };
    const spec = { gone: "", "config-*": "", deep: { x: "" }, list: { "0": "", "2": "" }, rows: { "*": { a: "" } } };
    expect(run("remove", spec, input)).toEqual({ keep: 1, deep: { y: 2 }, list: [2], rows: [{ b: 2 }, {}] });
  });

  it("sort orders keys at every level, with ~ first", () => {
    expect(JSON.stringify(runChain([{ operation: "sort" }], { b: [{ z: 1, a: 2 }], a: 1, "~x": 0 }))).toBe(
      '{"~x":0,"a":1,"b":[{"a":2,"z":1}]}',
    );
  });

  it("cardinality converts between one and many, with @ for the level itself", () => {
    const input = { many: 1, one: [1, 2], none: null, empty: [], view: [{ n: 1 }, { n: 2 }], zion: { neo: 1, rest: 2 } };
    const spec = {
      many: "MANY",
      one: "ONE",
      none: "MANY",
      empty: "ONE",
      view: { "@": "ONE", n: "MANY" },
      zion: { "*": "MANY", neo: "ONE" },
    };
    expect(run("cardinality", spec, input)).toEqual({
      many: [1],
      one: 1,
      none: [],
      empty: null,
      view: { n: [1] },
      zion: { neo: 1, rest: [2] },
    });
  });
});

describe("a chain", () => {
  it("passes the output of each step to the next", () => {
    const chain: JoltStep[] = [
      { operation: "shift", spec: { "*": "items" } },
      { operation: "cardinality", spec: { items: "MANY" } },
      { operation: "default", spec: { total: 0 } },
      { operation: "sort" },
    ];
    expect(JSON.stringify(runChain(chain, { a: 1 }))).toBe('{"items":[1],"total":0}');
  });

  it("does not modify its input", () => {
    const input = { list: [1], a: 2 };
    runChain(
      [
        { operation: "shift", spec: { list: "all", a: "all" } },
        { operation: "default", spec: { x: 1 } },
      ],
      input,
    );
    expect(input).toEqual({ list: [1], a: 2 });
  });

  it("names the step and the path of an invalid specification", () => {
    const invalid: [JoltStep, string][] = [
      [{ operation: "shift", spec: { a: 1 } }, "0.spec.a"],
      [{ operation: "shift", spec: { a: { b: "x[1" } } }, "0.spec.a.b"],
      [{ operation: "remove", spec: { a: "x" } }, "0.spec.a"],
      [{ operation: "cardinality", spec: { a: "SOME" } }, "0.spec.a"],
      [{ operation: "shift", spec: { a: "list[10001]" } }, "0"],
      [{ operation: "shift", spec: { a: ["x", "x.y"] } }, "0"],
    ];
    for (const [step, path] of invalid)
      expect(() => runChain([step], { a: 1 })).toThrow(expect.objectContaining({ name: "JoltProblem", path }));
  });

  it("never writes prototypes, and stops outputs that grow too large", () => {
    const output = runChain([{ operation: "shift", spec: { a: ["__proto__.x", "constructor.prototype.x"] } }], { a: "mine" });
    expect(JSON.stringify(output)).toBe('{"__proto__":{"x":"mine"},"constructor":{"prototype":{"x":"mine"}}}');
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    const doubling: JoltStep[] = Array.from({ length: 60 }, () => ({ operation: "shift", spec: { "@": ["a", "b"] } }));
    expect(() => runChain(doubling, { a: 1 })).toThrow("The output contains more than 200000 values.");
    const stars = `${"*-".repeat(400)}*x`;
    expect(runChain([{ operation: "shift", spec: { [stars]: "x" } }], { [`${"-".repeat(100_000)}x-`]: 1 })).toBeNull();
  });
});
