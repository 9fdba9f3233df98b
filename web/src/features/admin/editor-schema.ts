import { isJsonObject } from "@fairway/contract/json";

/** A JSON schema, as the gateway gives it of a type. */
export type JsonSchema = Record<string, unknown>;

export type Path = readonly (string | number)[];

/** The schemas that may hold at a place: of all alternatives that lead there. */
export function schemasAt(root: JsonSchema, path: Path): JsonSchema[] {
  return path.reduce<JsonSchema[]>((found, step) => found.flatMap((schema) => below(root, schema, step)), alternatives(root, root));
}

/** What a schema says in one line: its type or its values, and its description. */
export function hintOf(root: JsonSchema, schemas: readonly JsonSchema[]): string {
  const kinds = [...new Set(schemas.flatMap((schema) => kindsOf(root, schema)))];
  const described = schemas.map(({ description }) => description).find((text) => typeof text === "string");
  return [kinds.join(" or "), described].filter(Boolean).join(". ");
}

/** The names that an object at this place may have, with those it needs first. */
export function namesAt(root: JsonSchema, path: Path): { name: string; required: boolean; hint: string }[] {
  const names = new Map<string, { name: string; required: boolean; hint: string }>();
  for (const schema of schemasAt(root, path)) {
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const [name, inner] of Object.entries(isJsonObject(schema["properties"]) ? schema["properties"] : {})) {
      if (isJsonObject(inner)) names.set(name, { name, required: required.includes(name), hint: hintOf(root, alternatives(root, inner)) });
    }
  }
  return [...names.values()].toSorted((one, other) => Number(other.required) - Number(one.required));
}

/** The values that a place may hold where the schema names them. */
export function valuesAt(root: JsonSchema, path: Path): unknown[] {
  const values = schemasAt(root, path).flatMap((schema): unknown[] => {
    if (Array.isArray(schema["enum"])) return schema["enum"];
    if (Object.hasOwn(schema, "const")) return [schema["const"]];
    const plain: Record<string, unknown[]> = { boolean: [true, false], null: [null], array: [[]] };
    return typesOf(schema).flatMap((type) => plain[type] ?? []);
  });
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function below(root: JsonSchema, schema: JsonSchema, step: string | number): JsonSchema[] {
  if (typeof step === "number") {
    const { items, prefixItems } = schema;
    const item = Array.isArray(prefixItems) ? ((prefixItems[step] as unknown) ?? items) : items;
    return isJsonObject(item) ? alternatives(root, item) : [];
  }
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && isJsonObject(properties[step])) return alternatives(root, properties[step]);
  return isJsonObject(additionalProperties) ? alternatives(root, additionalProperties) : [];
}

/** References followed and choices spread out. Bounded: a schema may refer to itself. */
function alternatives(root: JsonSchema, schema: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  const { $ref: ref } = schema;
  if (typeof ref === "string") {
    const target = ref
      .replace(/^#\/?/, "")
      .split("/")
      .filter(Boolean)
      .reduce<unknown>((at, step) => (isJsonObject(at) ? at[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), root);
    return isJsonObject(target) ? alternatives(root, target, depth + 1) : [];
  }
  const choices = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((list) => (Array.isArray(list) ? list : []));
  if (choices.length === 0) return [schema];
  const { description } = schema;
  return choices
    .filter(isJsonObject)
    .flatMap((choice) => alternatives(root, description === undefined ? choice : { description, ...choice }, depth + 1));
}

function kindsOf(root: JsonSchema, schema: JsonSchema): string[] {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value));
  if (Object.hasOwn(schema, "const")) return [JSON.stringify(schema["const"])];
  const words: Record<string, string> = { string: "text", integer: "whole number", boolean: "true or false", array: "list" };
  return typesOf(schema).map((type) => {
    const of =
      type === "array" && isJsonObject(schema["items"]) ? alternatives(root, schema["items"]).flatMap((item) => kindsOf(root, item)) : [];
    return of.length === 0 ? (words[type] ?? type) : `list of ${[...new Set(of)].join(" or ")}`;
  });
}

/** A schema names one type, or several. */
const typesOf = ({ type }: JsonSchema): string[] => (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
