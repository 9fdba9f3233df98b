import { type Column, columnTitle } from "@fairway/contract/columns";
import { type MarkScale, onlyColor, scaleGradient } from "#features/search/map/model/marks.ts";
import classes from "./map.module.css";

/** Meaning of the colors of a column. */
export function ColorLegend({ scale }: { scale: MarkScale }) {
  if (scale.kind === "numbers") {
    return (
      <>
        <span>Latest {nameOf(scale.column)}</span>
        {scale.min === scale.max ? (
          <span className={classes["mark"]}>
            <i className={classes["dot"]} style={{ background: onlyColor }} /> {format(scale.min)}
          </span>
        ) : (
          <span className={classes["scale"]}>
            <i style={{ background: scaleGradient }} />
            <span>{format(scale.min)}</span>
            <span>{format(scale.max)}</span>
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
  scale.kind === "numbers" ? `Size: ${nameOf(scale.column)}, ${rangeText(scale)}` : null;

const nameOf = (column: Column): string => ((column.unit ?? "") === "" ? columnTitle(column) : `${columnTitle(column)} (${column.unit})`);

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5, useGrouping: false });
const rangeText = ({ min, max }: { min: number; max: number }): string => (min === max ? format(min) : `${format(min)} to ${format(max)}`);
const format = (value: number): string => number.format(value);
