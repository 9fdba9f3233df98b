/** The fields of a schema in order, with their nested fields. */
interface Order {
  readonly fields: ReadonlyMap<string, Order>;
  readonly items: Order | undefined;
}

type Definitions = Readonly<Record<string, JsonSchema>>;

interface JsonSchema {
  /** A name of `$defs` of the outermost schema. */
  readonly $ref?: string;
  readonly $defs?: Definitions;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/**
 * Sorts fields at every level into the order of their schema. The database (jsonb) does not keep the order, but users read and
 * compare what they edit.
 */
export function fieldOrder(schema: JsonSchema): (value: object) => Record<string, unknown> {
  const order = orderOf(schema, schema.$defs ?? {}, new Map());
  return (value) => ordered(value, order) as Record<string, unknown>;
}

/** `known`: schemas may refer to one another in circles. */
function orderOf(schema: JsonSchema, definitions: Definitions, known: Map<JsonSchema, Order>): Order {
  const found = known.get(schema);
  if (found) return found;
  const fields = new Map<string, Order>();
  const order: { fields: typeof fields; items: Order | undefined } = { fields, items: undefined };
  known.set(schema, order);
  const variants = variantsOf(schema, definitions);
  for (const variant of variants) {
    for (const [name, inner] of Object.entries(variant.properties ?? {})) fields.set(name, orderOf(inner, definitions, known));
  }
  const items = variants.find((variant) => variant.items !== undefined)?.items;
  if (items !== undefined) order.items = orderOf(items, definitions, known);
  return order;
}

/** The schema, what it refers to and its alternatives. */
function variantsOf(schema: JsonSchema, definitions: Definitions): readonly JsonSchema[] {
  const referenced = definitions[schema.$ref?.replace("#/$defs/", "") ?? ""];
  const others = [...(referenced ? [referenced] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...others.flatMap((other) => variantsOf(other, definitions))];
}

function ordered(value: unknown, order: Order | undefined): unknown {
  if (order === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return order.items === undefined ? value : value.map((item) => ordered(item, order.items));
  if (order.fields.size === 0) return value;
  const fields = value as Record<string, unknown>;
  const known = [...order.fields].filter(([name]) => Object.hasOwn(fields, name));
  const others = Object.entries(fields).filter(([name]) => !order.fields.has(name));
  return Object.fromEntries([...known.map(([name, inner]) => [name, ordered(fields[name], inner)] as const), ...others]);
}
