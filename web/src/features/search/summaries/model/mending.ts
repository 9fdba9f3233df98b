import type { BreakdownUnit } from "@fairway/contract/breakdowns";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import type { Asked } from "@fairway/contract/charts/asked";

/** A change that makes a table smaller. */
interface Mending {
  label: string;
  asked: Asked;
}

const longer: Partial<Record<BreakdownUnit, BreakdownUnit>> = {
  minute: "hour",
  hour: "day",
  day: "week",
  week: "month",
  month: "quarter",
  quarter: "year",
};

const fewer = 50;

export const isTooLarge = (error: unknown): boolean =>
  error instanceof GatewayError && error.errors.some(({ code }) => code === "too-large");

/** Longer steps of time, and fewer values. */
export function mendings(asked: Asked): Mending[] {
  const by = asked.by ?? [];
  return by.flatMap((grouping, index): Mending[] => {
    const changedTo = (changed: typeof grouping): Asked => ({ ...asked, by: by.with(index, changed) });
    if (grouping.kind === "time") {
      const unit = longer[grouping.unit];
      return unit === undefined ? [] : [{ label: `By ${unit}`, asked: changedTo({ ...grouping, unit, size: undefined }) }];
    }
    if (grouping.kind !== "value" || (grouping.top?.count ?? Infinity) <= fewer) return [];
    return [
      {
        label: `Top ${fewer} of ${grouping.column}`,
        asked: changedTo({ ...grouping, top: { other: true, ...grouping.top, count: fewer } }),
      },
    ];
  });
}
