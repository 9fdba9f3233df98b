import { deepStrict, unknownFields } from "@fairway/contract/unknown-fields";
import type { Routes } from "@fairway/contract/route";
import { validationMessage } from "@fairway/contract/validation-messages";
import type { z } from "zod";
import { issueItems } from "./error-handler.ts";
import { Refusal } from "./refusal.ts";

/** The fields of an object by name, each with those of the objects it holds. Lists are looked through. */
type Fields = Map<string, Fields>;

/** What the portal may say about each thing that has an id, beside what its answers name. */
const ofEveryThing = ["userId", "version"];

/** The first round finds all fields that only answers name, but for those of a long list: of these it finds some. */
const mostRounds = 10;

/**
 * Parses the bodies of one route. A field that neither the schema nor an answer of `routes` knows is refused by name. Fields that
 * only the answers know are dropped, so that a thing that was read can be sent back.
 */
export function bodyParser<T>(schema: z.ZodType<T>, routes: Routes): (body: unknown) => T {
  const strict = deepStrict(schema);
  const answered = answeredFields(routes, schema);
  return (body) => {
    let value = body;
    for (let round = 0; ; round += 1) {
      const result = strict.safeParse(value, { error: validationMessage });
      if (result.success) return result.data;
      const extra = unknownFields(result.error.issues).filter((path) => knows(answered, path));
      if (extra.length === 0 || round === mostRounds) throw Refusal.of(issueItems(result.error.issues, "The request body"));
      value = extra.reduce(without, value);
    }
  };
}

/**
 * The fields of the thing that a group of routes answers. None for a body that shares no field with it, such as a search: it is
 * no thing that was read.
 */
function answeredFields(routes: Routes, body: z.ZodType): Fields {
  const fields = fieldsOf(...Object.values(routes).map(({ response }) => response));
  if (![...fieldsOf(body).keys()].some((name) => fields.has(name))) return new Map();
  if (fields.has("id")) for (const name of ofEveryThing) fields.set(name, fields.get(name) ?? new Map());
  return fields;
}

function fieldsOf(...schemas: z.ZodType[]): Fields {
  const fields: Fields = new Map();
  for (const schema of schemas) addFields(schema, fields);
  return fields;
}

function addFields(schema: z.core.$ZodType, fields: Fields): void {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (def.type === "object") {
    for (const [name, field] of Object.entries(def.shape)) {
      const inner = fields.get(name) ?? new Map<string, Fields>();
      fields.set(name, inner);
      addFields(field, inner);
    }
  } else if (def.type === "array") addFields(def.element, fields);
  else if (def.type === "union") for (const option of def.options) addFields(option, fields);
  else if (def.type === "pipe") for (const part of [def.in, def.out]) addFields(part, fields);
  else if ("innerType" in def) addFields(def.innerType, fields);
}

function knows(fields: Fields, path: readonly PropertyKey[]): boolean {
  let at: Fields | undefined = fields;
  for (const step of path) if (typeof step === "string") at = at?.get(step);
  return at !== undefined;
}

/** A copy of `value` without the field at `path`. */
function without(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown, index) => (index === step ? without(one, rest) : one));
  const { [step]: inner, ...others } = value as Record<PropertyKey, unknown>;
  return rest.length === 0 ? others : { ...others, [step]: without(inner, rest) };
}
