import { columnTitle } from "@fairway/contract/columns";
import { type MarkScale, scaleText } from "#features/search/map/model/marks.ts";
import { columnText } from "#lib/text/column-text.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { ScaleRamp } from "./frame/scale-ramp.tsx";
import classes from "./frame/map.module.css";

/** The range is that of all values. */
const noneBeyond = { below: 0, above: 0 } as const;

/** Meaning of the colors of a column: of its last value of each item, or of its values along their paths. */
export function ColorLegend({ scale, coarse, isAlong = false }: { scale: MarkScale; coarse: CoarseColumns; isAlong?: boolean }) {
  const titleOf = (name: string) => (
    <span>
      <CoarseMark form={coarse.get(scale.column.name)} />
      {isAlong ? `${name}, along the path` : `Latest ${name}`}
    </span>
  );
  if (scale.kind === "numbers") {
    return (
      <>
        {titleOf(columnText(scale.column))}
        <div className={classes["scale"]}>
          <ScaleRamp scale={scale.colors} beyond={noneBeyond} textOf={scaleText} shortTextOf={scaleText} />
        </div>
      </>
    );
  }
  return (
    <>
      {titleOf(columnTitle(scale.column))}
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
  scale.kind === "numbers" ? `Size: ${columnText(scale.column)}, ${rangeText({ from: scale.min, to: scale.max })}` : null;

function rangeText({ from, to }: { from: number; to: number }): string {
  const [first, last] = [scaleText(from), scaleText(to)];
  return first === last ? first : `${first} to ${last}`;
}
