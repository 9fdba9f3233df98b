import type { CoverageUnit } from "@fairway/contract/dataset-profiles";

const steps = [1, 2, 5, 10, 20, 25, 50, 100, 125, 250];
const maxTicks = 10;
/** Of a label in the small type of axes, on average. */
const characterPx = 7;
const betweenPx = 12;

interface Tick {
  readonly label: string;
  /** Left edge of the label. */
  readonly leftPx: number;
}

/** Labels below the bars of a chart that is `widthPx` wide, none of which overlaps another or is cut. */
export function coverageTicks(labels: readonly string[], unit: CoverageUnit, widthPx: number): Tick[] {
  if (labels.length === 0 || widthPx === 0) return [];
  const labelPx = Math.max(...labels.map((label) => label.length)) * characterPx;
  const barPx = widthPx / labels.length;
  const every = steps.find((step) => labels.length / step <= maxTicks && step * barPx >= labelPx + betweenPx) ?? labels.length;
  // Years have ticks at round numbers.
  const offset = unit === "year" ? (every - (Number(labels[0]) % every)) % every : 0;
  const ticks = labels.flatMap((label, index) => (index % every === offset ? [{ label, leftPx: index * barPx }] : []));
  const last = ticks.at(-1);
  if (last === undefined || last.leftPx + labelPx <= widthPx) return ticks;
  // The last one ends at the last bar, or is left out without room for that.
  const moved = { ...last, leftPx: Math.max(0, widthPx - labelPx) };
  const before = ticks.at(-2);
  const fits = before === undefined || before.leftPx + labelPx + betweenPx <= moved.leftPx;
  return fits ? [...ticks.slice(0, -1), moved] : ticks.slice(0, -1);
}
