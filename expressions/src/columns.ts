import { similarName } from "@fairway/contract/filter-similar-name";
import type { ColumnType } from "@fairway/contract/columns";
import { describeFunction, findCalled } from "./functions.ts";
import { inQuotes } from "./quoting.ts";
import type { ColumnReference, ExpressionColumn, ExpressionType, NumberKind, Span } from "./tree.ts";

const types: Readonly<Record<ColumnType, readonly [ExpressionType, NumberKind | null]>> = {
  STRING: ["text", null],
  BOOLEAN: ["boolean", null],
  integer: ["number", "integer"],
  decimal: ["number", "decimal"],
  TIMESTAMP_SECONDS: ["time", null],
  TIMESTAMP_MILLS: ["time", null],
};

const folded = (name: string): string => name.normalize("NFC").toLowerCase();

/** The columns of a row by name: exactly, or the only one that is equal in another case. */
export class Columns {
  readonly #exact: ReadonlyMap<string, ExpressionColumn>;
  readonly #folded = new Map<string, ExpressionColumn[]>();

  constructor(columns: readonly ExpressionColumn[]) {
    this.#exact = new Map(columns.map((column) => [column.name, column]));
    for (const column of this.#exact.values()) {
      const alike = this.#folded.get(folded(column.name)) ?? [];
      this.#folded.set(folded(column.name), [...alike, column]);
    }
  }

  /** The reference to a column, or why there is none. `quote` is the character that the name was written in, if any. */
  find(name: string, quote: string, span: Span): ColumnReference | string {
    const alike = this.#folded.get(folded(name)) ?? [];
    const column = this.#exact.get(name) ?? (alike.length === 1 ? alike[0] : undefined);
    if (column !== undefined) {
      const [type, numberKind] = types[column.type];
      const day = type === "time" && column.day === true;
      return { kind: "column", name: column.name, type, numberKind, columnType: column.type, day, span };
    }
    if (alike.length > 1) return `${inQuotes(name)} may be ${alike.map((one) => inQuotes(one.name)).join(" or ")}: write it as it is.`;
    return `There is no column ${inQuotes(name)}.${this.#advice(name, quote)}`;
  }

  #advice(name: string, quote: string): string {
    const called = quote === "" ? findCalled(name) : undefined;
    if (called !== undefined) return ` The function is written ${describeFunction(called).signature}.`;
    const similar = similarName(name, [...this.#exact.keys()]);
    const meant = similar === undefined ? "" : ` Did you mean ${inQuotes(similar)}?`;
    return quote === '"' ? `${meant} Texts stand in single quotes: ${inQuotes(name.replaceAll("'", "''"))}.` : meant;
  }
}
