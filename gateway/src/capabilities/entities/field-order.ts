/** The fields of a schema in order, with their nested fields. */
interface Order {
  readonly fields: ReadonlyMap<string, Order>;
  readonly items: Order | undefined;
}

interface JsonSchema {
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
  const order = orderOf(schema);
  return (value) => ordered(value, order) as Record<string, unknown>;
}

function orderOf(schema: JsonSchema): Order {
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const properties = variants.flatMap((variant) => Object.entries(variant.properties ?? {}));
  const items = variants.find((variant) => variant.items !== undefined)?.items;
  return {
    fields: new Map(properties.map(([name, inner]) => [name, orderOf(inner)])),
    items: items === undefined ? undefined : orderOf(items),
  };
}

function ordered(value: unknown, order: Order | undefined): unknown {
  if (order === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return order.items === undefined ? value : value.map((item) => ordered(item, order.items));
  if (order.fields.size === 0) return value;
  const fields = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const [name, inner] of order.fields) if (Object.hasOwn(fields, name)) sorted[name] = ordered(fields[name], inner);
  return { ...sorted, ...Object.fromEntries(Object.entries(fields).filter(([name]) => !order.fields.has(name))) };
}
