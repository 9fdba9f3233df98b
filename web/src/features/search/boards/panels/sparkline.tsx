import type { TimeDistribution } from "@fairway/contract/distributions";
import { formatCount } from "@fairway/contract/counts";
import { bucketRangeText, bucketSizeText } from "#features/search/results/time-histogram/bucket-text.ts";
import classes from "./panels.module.css";

const height = 44;

/** How the rows that a number counts lie over time. */
export default function Sparkline({ trend }: { trend: TimeDistribution }) {
  const { unit, buckets } = trend;
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...buckets.map(({ rows }) => rows), 1);
  const points = buckets.map(({ rows }, index) => `${index} ${(height - 1 - (rows / most) * (height - 2)).toFixed(2)}`);
  const line = `M${points.join("L")}`;
  const text = `Rows per ${bucketSizeText(trend)}, ${bucketRangeText(unit, first, last)}, at most ${formatCount(most)}`;
  return (
    <svg
      className={classes["sparkline"]}
      viewBox={`0 0 ${buckets.length - 1} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <path className={classes["sparkFill"]} d={`${line}V${height}H0Z`} />
      <path className={classes["sparkLine"]} d={line} />
    </svg>
  );
}
