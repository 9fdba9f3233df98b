import { type Beyond, type ColorScale, paletteColor } from "#features/search/map/model/color-scale.ts";
import { rangeText, type ScaleText, scaleSteps, stepText } from "#features/search/map/model/scale-text.ts";
import classes from "./scale-legend.module.css";

interface Props {
  scale: ColorScale;
  beyond: Pick<Beyond, "below" | "above">;
  textOf: ScaleText;
  /** The same for the numbers under the colors, which have little room. */
  shortTextOf: ScaleText;
}

/** Characters of numbers that fit under each color, and under every second one. */
const fitsEach = 4;
const fitsSecond = 7;
/** Characters of the last one, which may reach under its neighbor, and of that one then. */
const lastFits = 7;
const besideLongest = 3;

/** The colors of a scale with the numbers at which they begin; an end beyond which there are values is an arrow. */
export function ScaleRamp({ scale, beyond, textOf, shortTextOf }: Props) {
  const steps = scaleSteps(scale);
  const last = steps.length - 1;
  const isAbove = beyond.above > 0;
  const isBelow = beyond.below > 0;
  if (last === 0 && !isAbove && !isBelow) {
    return (
      <span className={classes["single"]}>
        <i style={{ background: paletteColor(scale.palette, steps[0]?.color ?? 1) }} /> {rangeText(scale.range, textOf)}
      </span>
    );
  }
  const texts = steps.map(({ low, high }, step) => (step === last && !isAbove ? rangeText({ low, high }, shortTextOf) : shortTextOf(low)));
  const longest = Math.max(...steps.map(({ low }) => shortTextOf(low).length));
  const showsEnds = longest > fitsSecond;
  const lastLength = texts[last]?.length ?? 0;
  const isLastLong = lastLength > fitsEach;
  const fitsLast = lastLength <= lastFits && (!isLastLong || (texts[last - 1]?.length ?? 0) <= besideLongest);
  const showsAll = longest <= fitsEach && fitsLast;
  const isShown = (step: number): boolean => showsAll || step === last || (step % 2 === 0 && step !== last - 1);
  const beyondText = [isBelow && "lower values have the first color", isAbove && "higher values have the last color"].filter(Boolean);
  return (
    <div className={classes["scale"]}>
      <div
        role="img"
        aria-label={[`${steps.length} steps: ${steps.map((_, step) => stepText(scale, step, textOf)).join(", ")}`, ...beyondText].join(
          "; ",
        )}
        className={classes["ramp"]}
        data-below={isBelow || undefined}
        data-above={isAbove || undefined}
      >
        {steps.map(({ color, low }, step) => (
          <i key={low} title={stepText(scale, step, textOf)} style={{ background: paletteColor(scale.palette, color) }} />
        ))}
      </div>
      <div className={classes["numbers"]} data-ends={showsEnds || undefined} aria-hidden>
        {showsEnds ? (
          <>
            <span>{shortTextOf(scale.range.low)}</span>
            <span>{shortTextOf(scale.range.high)}</span>
          </>
        ) : (
          steps.map(({ low }, step) => (
            <span key={low} data-last={(step === last && (isLastLong || !showsAll)) || undefined}>
              {isShown(step) && texts[step]}
            </span>
          ))
        )}
      </div>
    </div>
  );
}
