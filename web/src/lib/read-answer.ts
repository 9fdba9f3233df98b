import { z } from "zod";
import { GatewayError } from "./gateway-error.ts";
import { logFailure } from "./log.ts";

/**
 * Parses an answer by the contract. An answer of another version of the server is read as far as it is understood, so that one
 * new field or value does not take a whole screen away:
 * - unknown fields are left out; an optional field that cannot be read counts as missing;
 * - an unknown member of an enumeration stays the text it is;
 * - of a list, the elements that can be read are kept.
 * Throws GatewayError if data that is required is missing.
 */
export function readAnswer(schema: z.ZodType, text: string): unknown {
  let json: unknown;
  try {
    json = text === "" ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new GatewayError(502, [{ code: "upstream-failed", message: "The server's answer is not JSON." }], { cause });
  }
  const exact = schema.safeParse(json);
  if (exact.success) return exact.data;
  const message = "The server's answer has an unknown shape. If the server was updated, reload the page.";
  const read = readTolerantly(schema, json);
  if (!read) throw new GatewayError(502, [{ code: "upstream-failed", message }], { cause: exact.error });
  logFailure("An answer of another version was read in part", exact.error);
  return read.value;
}

/** Null: it cannot be understood. */
type Read = { value: unknown } | null;

function readTolerantly(schema: z.core.$ZodType, value: unknown): Read {
  const exact = z.safeParse(schema, value);
  if (exact.success) return { value: exact.data };
  if (schema instanceof z.ZodOptional) return readTolerantly(schema.def.innerType, value) ?? { value: undefined };
  if (schema instanceof z.ZodNullable) return readTolerantly(schema.def.innerType, value) ?? { value: null };
  if (schema instanceof z.ZodDefault) return readTolerantly(schema.def.innerType, value) ?? { value: schema.def.defaultValue };
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return typeof value === "string" ? { value } : null;
  if (schema instanceof z.ZodUnion) return firstRead(schema.def.options, value);
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? readElements(schema.def.element, value) : null;
  if (!isRecord(value)) return null;
  if (schema instanceof z.ZodObject) return readFields(schema, value);
  if (schema instanceof z.ZodRecord) return readEntries(schema.def.valueType, value);
  return null;
}

function readFields({ shape }: z.ZodObject, value: Record<string, unknown>): Read {
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(shape)) {
    const read = readTolerantly(field, value[name]);
    if (!read) return null;
    if (read.value !== undefined) fields.push([name, read.value]);
  }
  return { value: Object.fromEntries(fields) };
}

function readEntries(schema: z.core.$ZodType, value: Record<string, unknown>): Read {
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const read = readTolerantly(schema, one);
    return read ? [[name, read.value]] : [];
  });
  return { value: Object.fromEntries(entries) };
}

/** A list of which nothing is understood is no list of this kind. */
function readElements(schema: z.core.$ZodType, values: readonly unknown[]): Read {
  const read = values.map((one) => readTolerantly(schema, one)).filter((one) => one !== null);
  return read.length === 0 ? null : { value: read.map((one) => one.value) };
}

function firstRead(options: readonly z.core.$ZodType[], value: unknown): Read {
  for (const option of options) {
    const read = readTolerantly(option, value);
    if (read) return read;
  }
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
