import { apiBase } from "@fairway/contract/api";
import { errorBody } from "@fairway/contract/errors";
import type { RouteShape, Routes } from "@fairway/contract/route";
import { z } from "zod";

/** The parts of an OpenAPI 3.1 document that the reference page reads. Decision 0002. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, { schema: JsonSchema }>; content?: Record<string, { schema: JsonSchema }> }
  >;
}

export type JsonSchema = Record<string, unknown>;

/** Generates the OpenAPI document of the capabilities, keyed by name, from their contracts. */
export function openApiDocument(capabilities: Record<string, Routes>, info: { title: string; version: string }): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  const schemas: OpenApiDocument["components"]["schemas"] = {};
  for (const [capability, routes] of Object.entries(capabilities)) {
    for (const [name, shape] of Object.entries(routes)) {
      const path = shape.path.replace(/:(\w+)/g, "{$1}");
      (paths[path] ??= {})[shape.method.toLowerCase()] = operation(`${capability}.${name}`, capability, shape, schemas);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      ...info,
      description:
        'Every error response has the body `{"errors":[{"code","message","path"}]}`. Times are epoch milliseconds in fields ending in `Ms`, else ISO 8601 UTC.',
    },
    servers: [{ url: apiBase }],
    tags: Object.keys(capabilities).map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An access token, or an API key where the call accepts one." },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
    },
  };
}

function operation(operationId: string, tag: string, shape: RouteShape, schemas: Record<string, JsonSchema>): OpenApiOperation {
  const parameters = [
    ...parametersOf("path", shape.params, schemas),
    ...parametersOf("query", shape.query, schemas),
    ...(shape.versioned && shape.method === "PUT"
      ? [{ name: "If-Match", in: "header" as const, required: false, schema: { type: "string" } }]
      : []),
    ...(shape.versioned && shape.method === "GET"
      ? [{ name: "If-None-Match", in: "header" as const, required: false, schema: { type: "string" } }]
      : []),
  ];
  const body = shape.documentedBody ?? shape.body;
  const answer = schemaOf(shape.response, "output", schemas);
  const status = String(shape.status ?? (answer === undefined ? 204 : 200));
  return {
    operationId,
    tags: [tag],
    summary: shape.summary,
    description: accessSentence(shape),
    security: shape.access === "public" ? [] : [{ bearer: [] }, ...(shape.apiKey ? [{ apiKey: [] }] : [])],
    parameters,
    ...(shape.file ? { requestBody: { required: true, content: { "multipart/form-data": { schema: fileSchema(shape.file) } } } } : {}),
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { "application/json": { schema: schemaOf(body, "input", schemas) ?? {} } },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: "Success",
        ...(shape.versioned ? { headers: { ETag: { schema: { type: "string" } } } } : {}),
        ...(answer === undefined ? {} : { content: contentOf(shape, answer) }),
      },
      ...(shape.versioned && shape.method === "GET" ? { 304: { description: "The caller has this version" } } : {}),
      default: {
        description: "An error",
        content: { "application/json": { schema: schemaOf(errorBody, "output", schemas) ?? {} } },
      },
    },
  };
}

/** A response that the contract types as a string is a file; a JSON file may contain anything. */
function contentOf({ mediaTypes = ["application/json"] }: RouteShape, answer: JsonSchema): Record<string, { schema: JsonSchema }> {
  const schemaFor = (mediaType: string): JsonSchema => {
    if (mediaType === "application/json") return answer["type"] === "string" ? {} : answer;
    if (answer["type"] !== "string") return { type: "string", format: "binary" };
    return mediaType.startsWith("text/") ? answer : { type: "string", format: "binary" };
  };
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaFor(mediaType) }]));
}

function accessSentence({ access, apiKey }: RouteShape): string {
  switch (access) {
    case "public":
      return "Needs no sign-in.";
    case "signed-in":
      return apiKey ? "For every signed-in user, and for API keys within their scope." : "For every signed-in user.";
    case "reset-token":
      return "For every signed-in user, and once with the token of a forced password update.";
    case "second-factor-token":
      return "Once, with the token of a sign-in that waits for its second factor.";
    case "operator":
      return "For calls from the portal's own machine, and for administrators.";
    default:
      return `Needs the role '${access.role}'.`;
  }
}

function parametersOf(
  location: "path" | "query",
  shape: z.ZodObject | undefined,
  schemas: Record<string, JsonSchema>,
): OpenApiOperation["parameters"] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: location,
    required: location === "path" || !schema.safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, "input", schemas) ?? {},
  }));
}

/** The JSON schema of a Zod schema; named ones are moved to the components. Undefined for an empty body. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Record<string, JsonSchema>): JsonSchema | undefined {
  if (schema instanceof z.ZodUndefined) return undefined;
  const known = converted[io].get(schema) ?? convert(schema, io);
  converted[io].set(schema, known);
  Object.assign(schemas, known.components);
  return known.schema;
}

interface Converted {
  readonly schema: JsonSchema;
  /** Those that it refers to, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Every route has the same errors, and many have the same parameters. */
const converted = { input: new WeakMap<z.ZodType, Converted>(), output: new WeakMap<z.ZodType, Converted>() };

function convert(schema: z.ZodType, io: "input" | "output"): Converted {
  const components: Record<string, JsonSchema> = {};
  const {
    $schema: _,
    $defs: definitions,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    unrepresentable: "any",
    // Requests are parsed strictly: see `request-body.ts`.
    override: ({ zodSchema: { _zod: part }, jsonSchema }) => {
      if (part.def.type === "object" && part.def.catchall === undefined) jsonSchema.additionalProperties = false;
    },
  }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  for (const [name, definition] of Object.entries(definitions ?? {})) components[name] = withComponentRefs(definition);
  const { id, ...named } = rest as JsonSchema & { id?: string };
  if (id === undefined) return { schema: withComponentRefs(rest), components };
  components[id] = withComponentRefs(named);
  return { schema: { $ref: `#/components/schemas/${id}` }, components };
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  const { id: _, ...rest } = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
  return rest;
}

function fileSchema({ field, maxBytes }: NonNullable<RouteShape["file"]>): JsonSchema {
  const description = `At most ${maxBytes.toLocaleString("en-US")} bytes.`;
  return { type: "object", required: [field], properties: { [field]: { type: "string", format: "binary", description } } };
}
