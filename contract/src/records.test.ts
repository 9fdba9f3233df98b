import { describe, expect, it } from "vitest";
import { z } from "zod";
import { hasStrayProto, holdsNames, ownValue, recordOf } from "./records.ts";
import { deepStrict } from "./unknown-fields.ts";

const names = ["x", "__proto__", "constructor", "toString", "hasOwnProperty"];
const json = `{${names.map((name, index) => `"${name}":${index}`).join(",")}}`;
const numbers = recordOf(z.string(), z.number());

describe("a record", () => {
  it.each([
    ["itself", numbers],
    ["described", numbers.meta({ id: "Numbers" })],
    ["optional", numbers.optional()],
    ["in a union", z.union([z.string(), numbers])],
    ["made strict", deepStrict(numbers)],
    ["made strict in an object", deepStrict(z.object({ inner: numbers.nullish() })).shape.inner],
  ])("%s keeps any name with its value, in order", (_, schema) => {
    const parsed = schema.parse(JSON.parse(json));
    expect(JSON.stringify(parsed)).toBe(json);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it("validates the value and the name __proto__ like others", () => {
    const issuesOf = (schema: z.ZodType, text: string) =>
      schema.safeParse(JSON.parse(text)).error?.issues.map(({ code, path }) => [code, path]);
    expect(issuesOf(numbers, '{"__proto__":"a","x":"b"}')).toEqual([
      ["invalid_type", ["x"]],
      ["invalid_type", ["__proto__"]],
    ]);
    expect(issuesOf(recordOf(z.string().max(3), z.number()), '{"__proto__":1}')).toEqual([["invalid_key", ["__proto__"]]]);
    expect(issuesOf(recordOf(z.string(), z.object({ n: z.number() })), '{"__proto__":{"n":"a"}}')).toEqual([
      ["invalid_type", ["__proto__", "n"]],
    ]);
  });

  it("does not change what has other names only, and is described in JSON Schema as before", () => {
    expect(numbers.parse({ a: 1 })).toEqual({ a: 1 });
    expect(numbers.safeParse([1]).success).toBe(false);
    expect(z.toJSONSchema(numbers)).toEqual(z.toJSONSchema(z.record(z.string(), z.number())));
  });
});

it("the value of a name that only prototypes have is undefined", () => {
  for (const name of names.slice(1)) expect(ownValue({ x: 1 }, name)).toBeUndefined();
  const own = JSON.parse(json) as Record<string, number>;
  expect(names.map((name) => ownValue(own, name))).toEqual([0, 1, 2, 3, 4]);
});

describe("a member __proto__ is stray", () => {
  const schema = z.object({
    widths: numbers.nullish(),
    list: z.array(z.object({ tags: recordOf(z.string(), z.object({ a: z.number() })) })).optional(),
    either: z.union([z.string(), z.object({ names: numbers })]).optional(),
    any: z.unknown(),
  });
  it.each([
    ['{"widths":{"__proto__":1}}', false],
    ['{"list":[{"tags":{"__proto__":{"a":1}}}]}', false],
    ['{"either":{"names":{"__proto__":1}}}', false],
    ['{"any":[1,null,{"a":"__proto__"}]}', false],
    ['{"__proto__":{}}', true],
    ['{"list":[{"__proto__":1}]}', true],
    ['{"list":[{"tags":{"__proto__":{"__proto__":1}}}]}', true],
    ['{"any":{"__proto__":1}}', true],
    ['{"widths":[{"__proto__":1}]}', true],
    ['{"unknown":{"\\u005f_proto__":1}}', true],
    [`{"any":${'{"a":'.repeat(100_000)}{"__proto__":1}${"}".repeat(100_000)}}`, true],
  ])("unless a record of names has it: %.60s is %s", (text, isStray) => {
    expect(hasStrayProto(JSON.parse(text), schema)).toBe(isStray);
  });

  it("and schemas report whether they have such records", () => {
    expect([holdsNames(schema), holdsNames(z.object({ a: z.array(z.string()) })), holdsNames(numbers.nullish())]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
