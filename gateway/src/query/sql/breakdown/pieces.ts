import { type RawBuilder, sql } from "kysely";
import { unitMs } from "../instants.ts";
import { comparisonSql, named } from "../operators.ts";
import type { SqlColumn, SqlDialect } from "../table.ts";

type Value = RawBuilder<unknown>;

/** Steps of equal width, so that one division yields a place. */
interface Piece {
  /** Place of the first step. */
  readonly place: number;
  readonly startMs: number;
  readonly widthMs: number;
  readonly steps: number;
}

/** Runs of buckets that are equally long. The days of a year in a zone are five of them, months are one each. */
export function piecesOf(startsMs: readonly number[], endMs: number): Piece[] {
  const pieces: Piece[] = [];
  for (const [place, startMs] of startsMs.entries()) {
    const widthMs = (startsMs[place + 1] ?? endMs) - startMs;
    const last = pieces.at(-1);
    if (last?.widthMs === widthMs) pieces[pieces.length - 1] = { ...last, steps: last.steps + 1 };
    else pieces.push({ place, startMs, widthMs, steps: 1 });
  }
  return pieces;
}

/**
 * The place of a moment among buckets that begin at these moments and follow each other without gaps; for moments within them only. A
 * search tree: a list of many comparisons would be evaluated for every row.
 */
export function placeAmong(column: SqlColumn, startsMs: readonly number[], endMs: number, dialect: SqlDialect): Value {
  const unit = Number(unitMs(column.type));
  const leaf = ({ place, startMs, widthMs, steps }: Piece): Value => {
    if (steps === 1) return sql`${sql.lit(place)}`;
    const step = dialect.step(named(column), column, BigInt(startMs / unit), BigInt(widthMs / unit));
    return sql`${sql.lit(place)} + ${step}`;
  };
  const split = piecesOf(startsMs, endMs).flatMap((piece) =>
    piece.startMs % unit === 0 && piece.widthMs % unit === 0 ? [piece] : singly(piece),
  );
  return searchTree(
    split,
    ({ startMs }) => comparisonSql(column, { column: column.name, type: column.type, operator: "<", value: BigInt(startMs) }, dialect),
    leaf,
  );
}

const singly = ({ place, startMs, widthMs, steps }: Piece): Piece[] =>
  Array.from({ length: steps }, (_, index) => ({ place: place + index, startMs: startMs + index * widthMs, widthMs, steps: 1 }));

/** `isBefore`: whether a row belongs before an item. */
export function searchTree<Item>(items: readonly Item[], isBefore: (item: Item) => Value, leaf: (item: Item) => Value): Value {
  const [first] = items;
  if (first === undefined) return sql`null`;
  if (items.length === 1) return leaf(first);
  const middle = Math.ceil(items.length / 2);
  const [low, high] = [items.slice(0, middle), items.slice(middle)];
  const [next] = high;
  if (next === undefined) return leaf(first);
  return sql`case when ${isBefore(next)} then ${searchTree(low, isBefore, leaf)} else ${searchTree(high, isBefore, leaf)} end`;
}
