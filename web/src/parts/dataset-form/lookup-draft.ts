import type { Column } from "@fairway/contract/columns";
import type { Lookup } from "@fairway/contract/derived-columns";

type Pair = Lookup["key"][number];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
const kindOf = ({ type }: Column): string =>
  type === "integer" || type === "decimal" ? "number" : type.startsWith("TIMESTAMP") ? "time" : type;

/** Columns of one kind and name, else a column here whose name ends with one there; at worst the first of each. */
export function proposedKey(own: readonly Column[], others: readonly Column[]): Pair[] {
  const pairs = own.flatMap((column) =>
    others.flatMap((other) => (kindOf(column) === kindOf(other) ? [{ column: column.name, on: other.name }] : [])),
  );
  const same = pairs.find(({ column, on }) => plain(column) === plain(on));
  const alike = pairs.find(({ column, on }) => plain(column).endsWith(plain(on)) || plain(on).endsWith(plain(column)));
  const [first] = pairs;
  const best = same ?? alike ?? first;
  return best === undefined ? [] : [best];
}

/** The lookup with or without a column of the other dataset, by a name that no column here has. */
export function withColumn(lookup: Lookup, from: string, isPicked: boolean, taken: ReadonlySet<string>): Lookup {
  if (!isPicked) return { ...lookup, columns: lookup.columns.filter((one) => one.from !== from) };
  const used = new Set([...taken, ...lookup.columns.map(({ name }) => name.toLowerCase())]);
  const [key] = lookup.key;
  const base = used.has(from.toLowerCase()) && key !== undefined ? `${key.column}_${from}` : from;
  let name = base;
  for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${base}_${number}`;
  return { ...lookup, columns: [...lookup.columns, { from, name }] };
}
