import type { ColumnType, Operator } from "@fairway/contract/columns";

export const dayMs = 86_400_000n;

/** Milliseconds per unit of a timestamp column in the API. */
export const unitMs = (type: ColumnType): bigint => (type === "TIMESTAMP_SECONDS" ? 1_000n : 1n);

/**
 * A comparison with an instant as bounds on the stored one, which may be finer than the column's unit: a row shown as
 * 10:00:05 may be stored as 10:00:05.250, and `= 10:00:05` must find it. Half-open, in epoch milliseconds.
 * `nothing` and `everything` if the value lies between two instants that the column can show.
 */
export type InstantBounds =
  | { readonly within: { readonly from?: bigint; readonly before?: bigint } }
  | { readonly outside: { readonly from: bigint; readonly before: bigint } }
  | "nothing"
  | "everything";

export function instantBounds(operator: Operator, valueMs: bigint, unit: bigint): InstantBounds {
  const floor = floorTo(valueMs, unit);
  const next = floor + unit;
  const ceiling = floor === valueMs ? valueMs : next;
  switch (operator) {
    case "=":
      return floor === valueMs ? { within: { from: floor, before: next } } : "nothing";
    case "<>":
      return floor === valueMs ? { outside: { from: floor, before: next } } : "everything";
    case "<":
      return { within: { before: ceiling } };
    case "<=":
      return { within: { before: next } };
    case ">":
      return { within: { from: next } };
    case ">=":
      return { within: { from: ceiling } };
    default:
      return operator satisfies never;
  }
}

/** BigInt division truncates toward zero; times before 1970 need the floor. */
function floorTo(value: bigint, unit: bigint): bigint {
  const remainder = ((value % unit) + unit) % unit;
  return value - remainder;
}
