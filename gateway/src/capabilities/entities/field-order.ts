/** The fields of a schema in their order, and those inside them. */
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
 * Puts fields into the order in which their schema names them, at every level: the database keeps them in another, and people
 * read and compare what they edit.
 */
export function fieldOrder(schema: JsonSchema): (value: object) => Record<string, unknown> {
  const order = orderOf(schema);
  return (value) => ordered(value, order) as Record<string, unknown>;
}

function orderOf(schema: JsonSchema): Order {
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const properties = variants.flatMap((one) => Object.entries(one.properties ?? {}));
  const items = variants.find((one) => one.items !== undefined)?.items;
  return {
    fields: new Map(properties.map(([name, inner]) => [name, orderOf(inner)])),
    items: items === undefined ? undefined : orderOf(items),
  };
}

function ordered(value: unknown, order: Order | undefined): unknown {
  if (order === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return order.items === undefined ? value : value.map((one) => ordered(one, order.items));
  if (order.fields.size === 0) return value;
  const given = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const [name, inner] of order.fields) if (Object.hasOwn(given, name)) sorted[name] = ordered(given[name], inner);
  return { ...sorted, ...Object.fromEntries(Object.entries(given).filter(([name]) => !order.fields.has(name))) };
}
