import { type Column, columnTitle } from "@fairway/contract/columns";
import { type MarkScale, scaleText, stepsOf } from "#features/search/map/model/marks.ts";
import classes from "./map.module.css";

/** Meaning of the colors of a column. */
export function ColorLegend({ scale }: { scale: MarkScale }) {
  if (scale.kind === "numbers") {
    const steps = stepsOf(scale);
    return (
      <>
        <span>Latest {nameOf(scale.column)}</span>
        {steps.length === 1 ? (
          <span className={classes["mark"]}>
            <i className={classes["dot"]} style={{ background: steps[0]?.color }} /> {scaleText(scale.min)}
          </span>
        ) : (
          <span className={classes["scale"]}>
            <span role="img" aria-label={`${steps.length} steps: ${steps.map(rangeText).join(", ")}`}>
              {steps.map((step) => (
                <i key={step.from} title={rangeText(step)} style={{ background: step.color }} />
              ))}
            </span>
            <span>{scaleText(scale.min)}</span>
            <span>{scaleText(scale.max)}</span>
          </span>
        )}
      </>
    );
  }
  return (
    <>
      <span>Latest {columnTitle(scale.column)}</span>
      {scale.entries.map(({ text, color }) => (
        <span key={text} className={classes["mark"]}>
          <i className={classes["dot"]} style={{ background: color }} /> {text}
        </span>
      ))}
      {scale.hasOthers && (
        <span className={classes["mark"]}>
          <i className={classes["dot"]} style={{ background: "var(--line-mark)" }} /> other
        </span>
      )}
    </>
  );
}

/** Meaning of the sizes; null for a column without numbers. */
export const sizeText = (scale: MarkScale): string | null =>
  scale.kind === "numbers" ? `Size: ${nameOf(scale.column)}, ${rangeText({ from: scale.min, to: scale.max })}` : null;

const nameOf = (column: Column): string => ((column.unit ?? "") === "" ? columnTitle(column) : `${columnTitle(column)} (${column.unit})`);

function rangeText({ from, to }: { from: number; to: number }): string {
  const [first, last] = [scaleText(from), scaleText(to)];
  return first === last ? first : `${first} to ${last}`;
}
