import { type RawBuilder, sql } from "kysely";
import type { ServerType } from "./column-types.ts";

type Value = RawBuilder<unknown>;

/** A value of any type as text; structures as JSON. */
export function textOf(value: Value, type: ServerType): Value {
  switch (type.name) {
    case "varchar":
      return value;
    case "char":
      // Padded to its length.
      return sql`rtrim(cast(${value} as varchar))`;
    case "json":
      return sql`json_format(${value})`;
    case "varbinary":
      return hexadecimal(value);
    case "hyperloglog":
    case "p4hyperloglog":
    case "qdigest":
    case "tdigest":
    case "setdigest":
      return hexadecimal(sql`cast(${value} as varbinary)`);
    case "geometry":
      return sql`ST_AsText(${value})`;
    case "sphericalgeography":
      return sql`ST_AsText(to_geometry(${value}))`;
    case "bingtile":
      return sql`bing_tile_quadkey(${value})`;
    case "real":
    case "double":
      // A cast to text writes 1.5E0.
      return sql`case when is_finite(${value}) then json_format(cast(${value} as json)) else cast(${value} as varchar) end`;
    case "array":
    case "map":
    case "row":
      return jsonOf(value, type, 0);
    default:
      return sql`cast(${value} as varchar)`;
  }
}

const hexadecimal = (bytes: Value) => sql`lower(to_hex(${bytes}))`;

const castable = /^(?:boolean|tinyint|smallint|integer|bigint|real|double|decimal|varchar|json|date|timestamp)$/;
const castableKeys = /^(?:boolean|tinyint|smallint|integer|bigint|decimal|varchar)$/;

/** Whether both servers cast it to JSON. Presto would cast a row to an array, without the names of its fields. */
function isCastable({ name, inner: [first, second] }: ServerType): boolean {
  if (name === "array") return first !== undefined && isCastable(first);
  if (name === "map") return first !== undefined && second !== undefined && castableKeys.test(first.name) && isCastable(second);
  return castable.test(name);
}

/** A value's JSON text; null for null. `depth` counts the lambdas around it, whose arguments need different names. */
function jsonOf(value: Value, type: ServerType, depth: number): Value {
  const { name, inner, fields } = type;
  if (isCastable(type)) return sql`json_format(cast(${value} as json))`;
  const [first, second] = inner;
  const element = sql.id(`fairway ${depth}`);
  const orNull = (one: Value, oneType: ServerType, at: number) => sql`coalesce(${jsonOf(one, oneType, at)}, 'null')`;
  if (name === "array" && first !== undefined) {
    return sql`'[' || array_join(transform(${value}, ${element} -> ${orNull(element, first, depth + 1)}), ',') || ']'`;
  }
  if (name === "map" && first !== undefined && second !== undefined) {
    const key = jsonText(textOf(sql`${element}[1]`, first));
    const entry = sql`${key} || ':' || ${orNull(sql`${element}[2]`, second, depth + 1)}`;
    return sql`'{' || array_join(transform(map_entries(${value}), ${element} -> ${entry}), ',') || '}'`;
  }
  if (name === "row") {
    const members = inner.map((one, index) => {
      const label = sql.lit(`${index === 0 ? "" : ","}${JSON.stringify(fields[index] ?? "")}:`);
      return sql`${label} || ${orNull(sql`${value}[${sql.lit(index + 1)}]`, one, depth)}`;
    });
    return sql`case when ${value} is not null then '{' || ${sql.join(members, sql` || `)} || '}' end`;
  }
  return jsonText(textOf(value, type));
}

const jsonText = (text: Value) => sql`json_format(cast(${text} as json))`;
