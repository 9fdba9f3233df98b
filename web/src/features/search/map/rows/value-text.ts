import { type Column, isTimestamp } from "@fairway/contract/columns";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { numberText, type ScaleText } from "#features/search/map/model/scale-text.ts";
import { timeText } from "#lib/text/cell-text.ts";
import type { ColorBy } from "./measures.ts";

const fewDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** How the values that color cells are read: averages and densities with few digits, other numbers with theirs, and times in the zone. */
export function valueTextOf({ measure, perArea }: ColorBy, column: Column | undefined, zone: string): ScaleText {
  if (perArea || measure?.aggregation === "avg") return averageText;
  if (column === undefined || !isTimestamp(column.type)) return numberText;
  return (value) => {
    const epochMs = epochMsOf(column.type, value);
    return (epochMs === undefined ? undefined : timeText(column, epochMs, zone)) ?? String(value);
  };
}

/** The same where there is little room: times as days. */
export function shortTextOf(textOf: ScaleText, column: Column | undefined): ScaleText {
  if (column === undefined || !isTimestamp(column.type)) return textOf;
  return (value) => textOf(value).replace(/, .*$/, "");
}

/** An average or a density, with as many digits as tell it from its neighbors. */
export const averageText: ScaleText = (value) => (Math.abs(value) >= 1_000 ? numberText(Math.round(value)) : fewDigits.format(value));
