import { readdirSync } from "node:fs";
import type { RouteShape } from "@fairway/contract/route";
import { expect, it } from "vitest";
import { z } from "zod";

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly maxItems?: number;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Decision 0641. */
const boundedElsewhere = [
  // Of a search: refused beyond `filtersPerSearch`.
  /\bfilters\[\]$/,
  // Of a filter: refused beyond `filterListValues` and the constants of the contract.
  /\b(?:filters|where)\[\]\.value\b/,
  // Of a search: names of columns, which have to exist; only paths use them.
  /\bcolumns\[\]$/,
  // Ids of what is on a menu, limited by the bytes of the body.
  /^PUT \/preferences\/:key value\./,
  // Settings of a dataset of the user's own, limited by the bytes of the body.
  /^PUT \/ownDatasets\/:id settings\./,
];

const folder = new URL("../../../contract/src/", import.meta.url);

const isRoute = (value: unknown): value is RouteShape =>
  typeof value === "object" && value !== null && "method" in value && "path" in value;

/** Every route that a file of the contract declares, at any depth. */
function routesIn(value: unknown, depth = 0): RouteShape[] {
  if (isRoute(value)) return [value];
  if (typeof value !== "object" || value === null || value instanceof z.ZodType || depth > 3) return [];
  return Object.values(value).flatMap((inner) => routesIn(inner, depth + 1));
}

/** The places of a schema that take lists of any length. */
function unboundedLists(root: Schema): string[] {
  const found = new Set<string>();
  const visit = (schema: Schema, at: string, refs: readonly string[]): void => {
    if (schema.$ref !== undefined) {
      const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
      if (target !== undefined && !refs.includes(schema.$ref)) visit(target, at, [...refs, schema.$ref]);
      return;
    }
    if (schema.type === "array" && schema.maxItems === undefined && schema.prefixItems === undefined) found.add(`${at}[]`);
    if (typeof schema.items === "object") visit(schema.items, `${at}[]`, refs);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) visit(inner, at === "" ? name : `${at}.${name}`, refs);
    if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, `${at}{}`, refs);
    for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) visit(choice, at, refs);
  };
  visit(root, "", []);
  return [...found];
}

it("every list in the body of a route has a bound: its own, or one that the decision names", async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.includes(".test."));
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>));
  const routes = modules.flatMap((module) => routesIn({ ...module }));
  expect(routes.length).toBeGreaterThan(200);
  const found = routes.flatMap(({ method, path, body }) =>
    body === undefined
      ? []
      : unboundedLists(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Schema).map((at) => `${method} ${path} ${at}`),
  );
  expect(found.filter((place) => !boundedElsewhere.some((pattern) => pattern.test(place)))).toEqual([]);
  // The exceptions exist, so that none outlives its reason.
  for (const pattern of boundedElsewhere) expect(found.some((place) => pattern.test(place))).toBe(true);
});
