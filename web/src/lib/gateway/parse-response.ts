import { z } from "zod";
import { GatewayError } from "./gateway-error.ts";
import { logFailure } from "../browser/log.ts";

/**
 * Parses a response by the contract. Responses of another server version are parsed as far as possible, so that one new field
 * or value does not break a whole screen:
 * - unknown fields are dropped; an invalid optional field counts as missing;
 * - an unknown enum member is kept as text;
 * - invalid elements of a list are dropped.
 * Throws GatewayError if required data is missing.
 */
export function parseResponse(schema: z.ZodType, text: string): unknown {
  let json: unknown;
  try {
    json = text === "" ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new GatewayError(502, [{ code: "upstream-failed", message: "The server's response is not JSON." }], { cause });
  }
  const exact = schema.safeParse(json);
  if (exact.success) return exact.data;
  const message = "The server's response has an unknown format. If the server was updated, reload the page.";
  const parsed = parseTolerantly(schema, json);
  if (!parsed) throw new GatewayError(502, [{ code: "upstream-failed", message }], { cause: exact.error });
  logFailure("A response of another version was parsed in part", exact.error);
  return parsed.value;
}

/** Null: the value is invalid. */
type Parsed = { value: unknown } | null;

function parseTolerantly(schema: z.core.$ZodType, value: unknown): Parsed {
  const exact = z.safeParse(schema, value);
  if (exact.success) return { value: exact.data };
  if (schema instanceof z.ZodOptional) return parseTolerantly(schema.def.innerType, value) ?? { value: undefined };
  if (schema instanceof z.ZodNullable) return parseTolerantly(schema.def.innerType, value) ?? { value: null };
  if (schema instanceof z.ZodDefault) return parseTolerantly(schema.def.innerType, value) ?? { value: schema.def.defaultValue };
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return typeof value === "string" ? { value } : null;
  if (schema instanceof z.ZodUnion) return parseFirst(schema.def.options, value);
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? parseElements(schema.def.element, value) : null;
  if (!isRecord(value)) return null;
  if (schema instanceof z.ZodObject) return parseFields(schema, value);
  if (schema instanceof z.ZodRecord) return parseEntries(schema.def.valueType, value);
  return null;
}

function parseFields({ shape }: z.ZodObject, value: Record<string, unknown>): Parsed {
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(shape)) {
    const parsed = parseTolerantly(field, value[name]);
    if (!parsed) return null;
    if (parsed.value !== undefined) fields.push([name, parsed.value]);
  }
  return { value: Object.fromEntries(fields) };
}

function parseEntries(schema: z.core.$ZodType, value: Record<string, unknown>): Parsed {
  const entries = Object.entries(value).flatMap(([name, element]): [string, unknown][] => {
    const parsed = parseTolerantly(schema, element);
    return parsed ? [[name, parsed.value]] : [];
  });
  return { value: Object.fromEntries(entries) };
}

/** A list without a single valid element is invalid. */
function parseElements(schema: z.core.$ZodType, values: readonly unknown[]): Parsed {
  const parsed = values.map((element) => parseTolerantly(schema, element)).filter((element) => element !== null);
  return parsed.length === 0 ? null : { value: parsed.map((element) => element.value) };
}

function parseFirst(options: readonly z.core.$ZodType[], value: unknown): Parsed {
  for (const option of options) {
    const parsed = parseTolerantly(option, value);
    if (parsed) return parsed;
  }
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
