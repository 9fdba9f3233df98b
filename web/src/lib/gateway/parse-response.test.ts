import { notices } from "@fairway/contract/notices";
import type { RouteShape } from "@fairway/contract/route";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { parseResponse } from "./parse-response.ts";

beforeAll(() => void vi.spyOn(console, "warn").mockReturnValue());
afterAll(() => vi.restoreAllMocks());

const parse = (schema: z.ZodType, answer: unknown) => parseResponse(schema, answer === undefined ? "" : JSON.stringify(answer));
const info = { id: "1", title: "Maintenance", message: "Tonight.", faIcon: "bullhorn", severity: "info", createdDateMs: 1 };

describe("notices from another version", () => {
  it("keep an unknown severity and drop an unknown field", () => {
    expect(
      parse(notices.list.response, [
        { ...info, pinned: true },
        { ...info, severity: "emergency" },
      ]),
    ).toEqual([info, { ...info, severity: "emergency" }]);
  });

  it("default a missing severity, as sent by an older server", () => {
    const { severity, ...older } = info;
    expect(parse(notices.list.response, [older])).toEqual([{ ...older, severity }]);
  });

  it("are kept except for one that is invalid", () => {
    expect(parse(notices.list.response, [info, { id: "2" }])).toEqual([info]);
  });

  it("are an error if none of them is valid", () => {
    expect(() => parse(notices.list.response, [{ id: "2" }])).toThrow("The server's response has an unknown format.");
  });
});

const modules = import.meta.glob<Record<string, unknown>>("../../../../contract/src/!(*.test).ts", { eager: true });

const isRoute = (value: unknown): value is RouteShape =>
  typeof value === "object" && value !== null && "response" in value && value.response instanceof z.ZodType && "path" in value;

function routesIn(value: unknown, depth = 0): RouteShape[] {
  if (isRoute(value)) return [value];
  if (depth > 3 || typeof value !== "object" || value === null || value instanceof z.ZodType) return [];
  return Object.values(value).flatMap((candidate) => routesIn(candidate, depth + 1));
}

const routes = Object.values(modules)
  .flatMap((module) => routesIn(module))
  .filter(({ response }) => !(response instanceof z.ZodUndefined));

const texts = [
  "text",
  "https://tiles.example/{z}/{x}/{y}.png",
  "2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00.000Z",
  "https://fairway.example",
  "a",
  "1",
  "",
  "24h",
  "0 0, 1 0, 1 1, 0 0",
];

/** A value the schema accepts, with every optional field. */
function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return sampleOf(schema.def.innerType);
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, sampleOf(field)]));
  if (schema instanceof z.ZodArray) {
    // A list may ask more of its elements than they do themselves.
    const lists = [sampleOf(schema.def.element), ...texts].map((element) => [element, element]);
    return lists.find((list) => schema.safeParse(list).success) ?? lists[0];
  }
  if (schema instanceof z.ZodTuple) return schema.def.items.map(sampleOf);
  if (schema instanceof z.ZodRecord) return { entry: sampleOf(schema.def.valueType) };
  if (schema instanceof z.ZodUnion) return sampleOf(schema.def.options[0] ?? z.undefined());
  if (schema instanceof z.ZodPipe) return sampleOf(schema.def.in);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  return [...texts, 1, true, null, {}].find((candidate) => z.safeParse(schema, candidate).success);
}

/** All responses that differ from the sample in one place, as another version's might. */
function* variants(schema: z.core.$ZodType, sample: unknown): Generator<{ answer: unknown; what: string }> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    yield* variants(schema.def.innerType, sample);
  } else if (schema instanceof z.ZodEnum) {
    yield { answer: "of-another-version", what: "" };
  } else if (schema instanceof z.ZodArray && Array.isArray(sample)) {
    for (const { answer, what } of variants(schema.def.element, sample[0])) yield { answer: [answer, sample[1]], what: `[0]${what}` };
  } else if (schema instanceof z.ZodUnion) {
    const [first] = schema.def.options;
    if (first) yield* variants(first, sample);
  } else if (schema instanceof z.ZodObject && typeof sample === "object" && sample !== null) {
    yield { answer: { ...sample, ofAnotherVersion: { deep: [1] } }, what: ".ofAnotherVersion" };
    for (const [name, field] of Object.entries(schema.shape)) {
      const fields = sample as Record<string, unknown>;
      if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
        const { [name]: left, ...rest } = fields;
        yield { answer: rest, what: `.${name} left out of ${typeof left}` };
      }
      for (const { answer, what } of variants(field, fields[name]))
        yield { answer: { ...fields, [name]: answer }, what: `.${name}${what}` };
    }
  }
}

it("finds the routes of the contract", () => {
  expect(routes.length).toBeGreaterThan(80);
});

it.each(routes.map((route) => ({ name: `${route.method} ${route.path}`, schema: route.response })))(
  "$name parses with unknown fields, with unknown values and without optional fields",
  ({ schema }) => {
    const sample = sampleOf(schema);
    expect(() => schema.parse(sample)).not.toThrow();
    const refused = [...variants(schema, sample)].filter(({ answer }) => {
      try {
        parse(schema, answer);
        return false;
      } catch {
        return true;
      }
    });
    expect(refused.map(({ what }) => what)).toEqual([]);
  },
);
