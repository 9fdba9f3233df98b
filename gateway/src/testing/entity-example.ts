import { entityDefinitions } from "@fairway/contract/administration";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { z } from "zod";

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Of a schema with an id: its definition is among `$defs`. */
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** An entity derived from its type's schema that passes validation. Types with further rules need an explicit example. */
export function exampleOf(type: AdministeredType, id: string): Record<string, unknown> {
  const { schema, idField } = entityDefinitions[type];
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const body = valueOf(described.$defs?.[described.$ref?.split("/").at(-1) ?? ""] ?? described) as Record<string, unknown>;
  return { ...body, [idField]: id };
}

function valueOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return valueOf(schema.anyOf[0]);
  const { type = "null" } = schema;
  switch (type) {
    case "string":
      return schema.format === "uri" ? "https://example.org" : "Example";
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valueOf(field)]));
    default:
      return null;
  }
}
