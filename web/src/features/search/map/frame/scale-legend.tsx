import type { ReactNode } from "react";
import { type Beyond, type ColorScale, isSetRange, needsRescale } from "#features/search/map/model/color-scale.ts";
import { distanceText, numberText, type ScaleText, shortNumberText } from "#features/search/map/model/scale-text.ts";
import { ScaleOptions, type ScaleSettings } from "./scale-options.tsx";
import { ScaleRamp } from "./scale-ramp.tsx";
import classes from "./scale-legend.module.css";

interface Props {
  /** The measure with its unit: "Rows per cell", "Average wind, kt". */
  title: string;
  /** Stands before the title. */
  mark?: ReactNode;
  scale: ColorScale;
  beyond: Beyond;
  /** How values are read; numbers by default. */
  textOf?: ScaleText | undefined;
  shortTextOf?: ScaleText | undefined;
  /** Without it, nothing can be changed, such as on a board. */
  settings?: ScaleSettings | undefined;
  /** Width of a cell at the middle of the view, in meters. */
  cellWidthM?: number | undefined;
  /** Meaning of hollow squares; there are none without it. */
  missing?: string | undefined;
  /** The shown part of the time, for the strip, which has no sentences. */
  timeText?: string | undefined;
  /** A strip on top of a narrow map says the same in two lines and has nothing to press. */
  form?: "panel" | "strip";
  /** Further meaning of the colors, for the strip: "each dot is a row". */
  note?: string | undefined;
  /** Sentences below the colors, which a strip has not. */
  children?: ReactNode;
}

/** Meaning of the colors of cells, rows or paths. */
export function ScaleLegend({
  title,
  mark,
  scale,
  beyond,
  textOf = numberText,
  shortTextOf = textOf === numberText ? shortNumberText : textOf,
  settings,
  cellWidthM,
  missing,
  timeText,
  note,
  form = "panel",
  children,
}: Props) {
  const ramp = <ScaleRamp scale={scale} beyond={beyond} textOf={textOf} shortTextOf={shortTextOf} />;
  if (form === "strip") {
    return (
      <div className={classes["strip"]} role="group" aria-label={`Colors: ${title}`}>
        <span>
          {mark}
          {title}
          {cellWidthM !== undefined && `, about ${distanceText(cellWidthM)} wide`}
          {note !== undefined && `, ${note}`}
          {timeText !== undefined && `, ${timeText}`}
        </span>
        {ramp}
      </div>
    );
  }
  return (
    <div className={classes["legend"]} role="group" aria-label={`Colors: ${title}`}>
      <div className={classes["head"]}>
        <span>
          {mark}
          {title}
        </span>
        {settings && <ScaleOptions scale={scale} settings={settings} />}
      </div>
      {ramp}
      {missing !== undefined && (
        <span className={classes["missing"]}>
          <i /> {missing}
        </span>
      )}
      {settings && !isSetRange(settings.view.range) && needsRescale(beyond) && (
        <button type="button" className={classes["button"]} onClick={() => settings.onChange({ range: undefined })}>
          Rescale
        </button>
      )}
      {(cellWidthM !== undefined || children !== undefined) && (
        <p>
          {cellWidthM !== undefined && <>A cell is about {distanceText(cellWidthM)} wide here. </>}
          {children}
        </p>
      )}
    </div>
  );
}
