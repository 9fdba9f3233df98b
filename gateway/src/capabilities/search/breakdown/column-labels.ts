import type { Column } from "@fairway/contract/columns";

/**
 * The head of a column of a breakdown, for people: the label of a column of the dataset in place of its name, as in `avg(Delay)` for
 * `avg(delay)` and `Departure from` for `departed from`.
 */
export function headLabel(name: string, columns: readonly Pick<Column, "name" | "label">[]): string {
  const labels = new Map(columns.flatMap(({ name: own, label }) => (label === undefined ? [] : [[own, label] as const])));
  const whole = labels.get(name);
  if (whole !== undefined) return whole;
  const [, aggregation, measured = "", compared = ""] = /^([a-z0-9-]+)\((.+)\)( before| change)?$/u.exec(name) ?? [];
  if (aggregation !== undefined) return `${aggregation}(${labels.get(measured) ?? measured})${compared}`;
  const [, grouped = "", rest = ""] = /^(.+?)(\.[a-zA-Z]+)?(?: from| to)?$/u.exec(name) ?? [];
  const label = labels.get(grouped);
  return label === undefined ? name : `${label}${rest}${name.slice(grouped.length + rest.length)}`;
}
