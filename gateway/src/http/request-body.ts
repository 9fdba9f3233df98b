import { deepStrict, unknownFields } from "@fairway/contract/unknown-fields";
import type { Routes } from "@fairway/contract/route";
import { validationMessage } from "@fairway/contract/validation-messages";
import type { z } from "zod";
import { issueItems } from "./error-handler.ts";
import { Refusal } from "./refusal.ts";

/** The fields of an object by name, with their nested fields. Lists are transparent. */
type Fields = Map<string, Fields>;

/** Fields that responses may have for every object with an id, in addition to the declared ones. */
const commonResponseFields = ["userId", "version"];

/** The first round finds all response-only fields, except that it finds only some of those in a long list. */
const maxRounds = 10;

/**
 * Creates the body parser of a route. Refuses unknown fields, except those that responses of `routes` contain, which are
 * dropped, so that an object can be read and sent back.
 */
export function bodyParser<T>(schema: z.ZodType<T>, routes: Routes): (body: unknown) => T {
  // Derived on first use: a gateway has hundreds of routes and calls few of them soon after its start.
  let strict: z.ZodType<T> | undefined;
  let responseFields: Fields | undefined;
  const isResponseField = (path: readonly PropertyKey[]) => hasField((responseFields ??= responseFieldsOf(routes, schema)), path);
  return (body) => {
    strict ??= deepStrict(schema);
    let value = body;
    for (let round = 0; ; round += 1) {
      const result = strict.safeParse(value, { error: validationMessage });
      if (result.success) return result.data;
      const extra = unknownFields(result.error.issues).filter(isResponseField);
      if (extra.length === 0 || round === maxRounds) throw Refusal.of(issueItems(result.error.issues, "The request body"));
      value = extra.reduce(without, value);
    }
  };
}

/**
 * The response fields of a group of routes. Empty if the body shares no field with them, as for a search, because then it is
 * not an object that was read before.
 */
function responseFieldsOf(routes: Routes, body: z.ZodType): Fields {
  const fields = fieldsOf(...Object.values(routes).map(({ response }) => response));
  if (![...fieldsOf(body).keys()].some((name) => fields.has(name))) return new Map();
  if (fields.has("id")) for (const name of commonResponseFields) fields.set(name, fields.get(name) ?? new Map());
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

function hasField(fields: Fields, path: readonly PropertyKey[]): boolean {
  let current: Fields | undefined = fields;
  for (const step of path) if (typeof step === "string") current = current?.get(step);
  return current !== undefined;
}

/** A copy of `value` without the field at `path`. */
function without(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? without(item, rest) : item));
  const { [step]: inner, ...others } = value as Record<PropertyKey, unknown>;
  return rest.length === 0 ? others : { ...others, [step]: without(inner, rest) };
}
