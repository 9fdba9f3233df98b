import type { Column } from "@fairway/contract/columns";
import { isTimestamp } from "@fairway/contract/columns";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { numberText, type ScaleText } from "#features/search/map/model/scale-text.ts";
import { timeText } from "#lib/text/cell-text.ts";

const fewDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** How values of a measure are read: numbers, or times in the zone. */
export function valueTextOf(column: Column | undefined, zone: string): ScaleText {
  if (column === undefined || !isTimestamp(column.type)) return numberText;
  return (value) => {
    const epochMs = epochMsOf(column.type, value);
    return (epochMs === undefined ? undefined : timeText(column, epochMs, zone)) ?? String(value);
  };
}

/** An average in a list, with as many digits as tell it from its neighbors. */
export const averageText: ScaleText = (value) => (Math.abs(value) >= 1_000 ? numberText(Math.round(value)) : fewDigits.format(value));
