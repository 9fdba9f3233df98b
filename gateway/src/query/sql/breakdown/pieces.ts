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
  const isBefore = ({ startMs }: { readonly startMs: number }) =>
    comparisonSql(column, { column: column.name, type: column.type, operator: "<", value: BigInt(startMs) }, dialect);
  const pieces = piecesOf(startsMs, endMs);
  const grid = gridOf(pieces);
  if (grid?.every(({ originMs, widthMs }) => originMs % unit === 0 && widthMs % unit === 0) === true) {
    const [{ widthMs } = { widthMs: unit }] = grid;
    const origin = (literal: (origin: bigint) => Value) => searchTree(grid, isBefore, ({ originMs }) => literal(BigInt(originMs / unit)));
    return dialect.step(named(column), column, origin, BigInt(widthMs / unit));
  }
  const leaf = ({ place, startMs, widthMs, steps }: Piece): Value => {
    if (steps === 1) return sql`${sql.lit(place)}`;
    const step = dialect.step(named(column), column, BigInt(startMs / unit), BigInt(widthMs / unit));
    return sql`${sql.lit(place)} + ${step}`;
  };
  const split = pieces.flatMap((piece) => (piece.startMs % unit === 0 && piece.widthMs % unit === 0 ? [piece] : singly(piece)));
  return searchTree(split, isBefore, leaf);
}

/** From `startMs` on, the place is the number of whole widths since the origin. */
interface GridPart {
  readonly startMs: number;
  readonly originMs: number;
  readonly widthMs: number;
}

/**
 * Buckets that are all equally long but for single ones, such as days in a zone: those of a change of the clocks are shorter or longer,
 * the first and the last are cut. Then one division yields the place, of a moment that is counted from one of few origins. Undefined for
 * other buckets.
 */
function gridOf(pieces: readonly Piece[]): GridPart[] | undefined {
  const [usual] = pieces.toSorted((one, other) => other.steps - one.steps);
  if (usual === undefined) return undefined;
  const { widthMs } = usual;
  const originOf = (piece: Piece | undefined) => (piece?.widthMs === widthMs ? piece.startMs - piece.place * widthMs : undefined);
  const parts: GridPart[] = [];
  for (const [index, piece] of pieces.entries()) {
    const own = originOf(piece);
    if (own !== undefined) {
      if (index === 0) parts.push({ startMs: piece.startMs, originMs: own, widthMs });
      continue;
    }
    const [before, after] = [originOf(pieces[index - 1]), originOf(pieces[index + 1])];
    const isEnd = index === 0 || index === pieces.length - 1;
    if (piece.steps > 1 || piece.widthMs > (isEnd ? widthMs : 2 * widthMs)) return undefined;
    if (isEnd ? (before ?? after) === undefined : before === undefined || after === undefined) return undefined;
    // Its moments have its place by the origin before as long as that is true, and by the next one from then on.
    if (after !== undefined)
      parts.push({ startMs: Math.max(piece.startMs, piece.startMs + piece.widthMs - widthMs), originMs: after, widthMs });
  }
  return parts;
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
