import { formatCount } from "@fairway/contract/counts";
import { type GridTime, maxGridSteps } from "@fairway/contract/grid";
import type { Limits } from "@fairway/contract/limits";
import { bucketStart, isBucketSize, nextBucketStart } from "@fairway/contract/time-buckets";
import { Refusal } from "#http/refusal.ts";
import type { GridQuery } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { Problems } from "./problems.ts";

/** The steps of a playback. Refuses too many with 413, and a dataset without times. */
export function validGridTime(
  { queryable, engine }: SearchableDataset,
  time: GridTime | undefined,
  { gridFrameValues }: Pick<Limits, "gridFrameValues">,
  problems: Problems,
): GridQuery["time"] {
  if (time === undefined) return undefined;
  const { temporalField } = queryable;
  if (engine.timeDistribution === undefined || temporalField === null) {
    throw new Refusal("not-supported", "The rows of this dataset cannot be counted over time.", { path: "time" });
  }
  const at = problems.within("time");
  if (!isBucketSize(time)) return at.add("invalid-value", `There are no steps of ${time.size} ${time.unit}s.`, "size");
  if (bucketStart(time.startMs, time) !== time.startMs) {
    return at.add("invalid-value", `'startMs' is not the start of ${stepText(time)}.`, "startMs");
  }
  if (time.endMs <= time.startMs) return at.add("reversed-range", "The playback ends before it starts.", "endMs");
  const edgesMs = [time.startMs];
  for (let edgeMs = time.startMs; edgeMs < time.endMs;) {
    if (edgesMs.length > maxGridSteps) {
      const message = `A playback has at most ${maxGridSteps} steps. Use longer steps or a shorter time.`;
      throw new Refusal("too-large", message, { path: "time" });
    }
    edgeMs = nextBucketStart(edgeMs, time);
    edgesMs.push(edgeMs);
  }
  return { column: temporalField, edgesMs, maxFrames: gridFrameValues };
}

const stepText = ({ unit, size }: GridTime): string => {
  if (size > 1) return `a step of ${size} ${unit}s`;
  return unit === "hour" ? "an hour" : `a ${unit}`;
};

export const tooManyFrames = ({ gridFrameValues }: Pick<Limits, "gridFrameValues">): Refusal =>
  new Refusal(
    "too-large",
    `This playback has more than ${formatCount(gridFrameValues)} values. Use a lower level, a smaller view or longer steps.`,
    { path: "time" },
  );
