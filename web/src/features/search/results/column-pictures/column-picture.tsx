import type { Column } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { useMemo } from "react";
import { useResultZone } from "#lib/time/result-zone.ts";
import { pictureOf } from "./picture.ts";
import classes from "./column-picture.module.css";

const barHeight = 20;
/** Steps with few rows stay visible. */
const minBarHeight = 1.5;

export interface ColumnPictureProps {
  column: Column;
  distributions: ColumnDistributions;
  /** Says the same in words, too. */
  withText?: boolean;
}

/** A tiny histogram, or a bar of frequent values. The column's menu says the same in words. */
export default function ColumnPicture({ column, distributions, withText = false }: ColumnPictureProps) {
  const zone = useResultZone();
  const picture = useMemo(() => pictureOf(column, distributions, zone), [column, distributions, zone]);
  if (picture === undefined) return null;
  const { bars, shares, captions, text } = picture;
  return (
    <>
      <span className={classes["picture"]} aria-hidden>
        {bars.length > 0 && <Bars bars={bars} />}
        {shares.length > 0 && (
          <span className={classes["shares"]}>
            {shares.map((share, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- shares never move
              <span key={index} style={{ flexGrow: share }} />
            ))}
            <span className={classes["rest"]} style={{ flexGrow: Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0)) }} />
          </span>
        )}
        <span className={classes["captions"]}>
          {captions.map((caption) => (
            <span key={caption}>{caption}</span>
          ))}
        </span>
      </span>
      {withText && text}
    </>
  );
}

function Bars({ bars }: { bars: readonly number[] }) {
  const most = Math.max(...bars, 1);
  const path = bars.map((rows, index) => {
    const height = rows === 0 ? 0 : Math.max(minBarHeight, (rows / most) * barHeight);
    return `M${index} ${barHeight}V${(barHeight - height).toFixed(2)}h.85V${barHeight}z`;
  });
  return (
    <svg viewBox={`0 0 ${bars.length} ${barHeight}`} preserveAspectRatio="none">
      <path d={path.join("")} />
    </svg>
  );
}
