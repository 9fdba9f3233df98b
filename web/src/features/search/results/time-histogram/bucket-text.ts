import type { TimeBucket, TimeDistribution } from "@fairway/contract/distributions";
import { utcText } from "@fairway/contract/utc-texts";

/** `Day`, `3 hours`: what a bar stands for. */
export const bucketSizeText = ({ unit, size }: Pick<TimeDistribution, "unit" | "size">): string => (size === 1 ? unit : `${size} ${unit}s`);

/** `08/23/2005 – 09/28/2005`, as precise as the buckets; UTC. Days and longer units include the last one, hours and minutes end with it. */
export function bucketRangeText(unit: TimeDistribution["unit"], first: TimeBucket, last: TimeBucket): string {
  const isShort = unit === "minute" || unit === "hour";
  const [start, end] = [bucketText(unit, first.startMs), bucketText(unit, isShort ? last.endMs : last.endMs - 1)];
  return start === end ? start : `${start} – ${end}`;
}

/** The label of an axis tick. */
export function tickText(unit: TimeDistribution["unit"], epochMs: number): string {
  const text = bucketText(unit, epochMs);
  // `08/23, 06:00 PM`: the year is in the range above.
  return unit === "minute" || unit === "hour" ? text.replace(/\/-?\d+,/, ",") : text;
}

function bucketText(unit: TimeDistribution["unit"], epochMs: number): string {
  const text = utcText(epochMs) ?? "";
  const [day = "", time = ""] = text.split(", ");
  const [month = "", , year = ""] = day.split("/");
  switch (unit) {
    case "minute":
    case "hour":
      return `${day}, ${time.slice(0, 5)}${time.slice(8)}`;
    case "day":
    case "week":
      return day;
    case "month":
      return `${month}/${year}`;
    case "year":
      return year;
    default:
      return unit satisfies never;
  }
}
