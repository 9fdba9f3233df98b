import { isDay } from "@fairway/contract/columns";
import type { ReaderAccess } from "@fairway/contract/dataset-access";
import type { StaleHours } from "#features/search/map/model/item-age.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import type { MarkScale } from "#features/search/map/model/marks.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { timeText } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { ColorLegend, sizeText } from "./mark-legend.tsx";
import { hoursText } from "./path-gap-field.tsx";
import classes from "./frame/map.module.css";

/** The drawn part of paths; null without any. */
export interface PathLegend {
  readonly gapMs: number;
  /** Whether segments have the colors of values, and whether some have none. */
  readonly isColored: boolean;
  readonly hasMissing: boolean;
}

interface Props {
  time: MapItemList["fields"]["time"];
  endMs: number;
  /** Ages are measured at the end of the time, not at a playback time. */
  isAtEnd: boolean;
  colorScale: MarkScale | null;
  sizeScale: MarkScale | null;
  paths: PathLegend | null;
  access: ReaderAccess | undefined;
  coarse: CoarseColumns;
}

/** Meaning of the colors and sizes of items, and of the lines of their paths. */
export function ItemLegend({ time, endMs, isAtEnd, colorScale, sizeScale, paths, access, coarse }: Props) {
  const zone = useResultZone();
  const limits = useLimits();
  return (
    <div className={classes["legend"]} role="group" aria-label="Colors">
      {colorScale ? (
        <ColorLegend scale={colorScale} coarse={coarse} isAlong={paths?.isColored ?? false} />
      ) : (
        <Ages hours={limits} title={isAtEnd ? `Age at ${ageAtText(time, endMs, zone)}` : "Age at the playback time"} />
      )}
      {access?.rows === "some" && (
        <span className={classes["line"]}>
          <PartOfRows access={access} />
        </span>
      )}
      {sizeScale && (
        <span className={classes["size"]}>
          <CoarseMark form={coarse.get(sizeScale.column.name)} />
          {sizeText(sizeScale)}
        </span>
      )}
      {paths && (
        <>
          {paths.isColored && paths.hasMissing && (
            <span className={classes["line"]}>
              <svg width="20" height="8" aria-hidden>
                <line x1="0" y1="4" x2="20" y2="4" stroke="var(--line-mark)" strokeWidth="1" />
              </svg>
              no value
            </span>
          )}
          <span className={classes["line"]}>
            <svg width="20" height="8" aria-hidden>
              <line x1="0" y1="4" x2="20" y2="4" stroke="var(--rose-mark)" strokeWidth="2" strokeDasharray="5 3" />
            </svg>
            gap of more than {hoursText(paths.gapMs)} h
          </span>
          <span className={classes["line"]}>
            <svg width="20" height="10" aria-hidden>
              <circle cx="10" cy="5" r="3.5" fill="var(--bg)" stroke="var(--text-2)" strokeWidth="1.75" />
            </svg>
            first position
          </span>
        </>
      )}
    </div>
  );
}

function Ages({ title, hours: { staleWarningHours, staleErrorHours } }: { title: string; hours: StaleHours }) {
  return (
    <>
      <span>{title}</span>
      <span className={classes["mark"]}>
        <i className={classes["dot"]} data-stale="fresh" /> within {staleWarningHours} h
      </span>
      <span className={classes["mark"]}>
        <i className={classes["dot"]} data-stale="warning" /> {staleWarningHours} h to {staleErrorHours} h
      </span>
      <span className={classes["mark"]}>
        <i className={classes["dot"]} data-stale="error" /> over {staleErrorHours} h
      </span>
    </>
  );
}

/** A time, without midnight. */
const ageAtText = (column: Props["time"], timeMs: number, zone: string): string => {
  const text = timeText(column, timeMs, zone) ?? String(timeMs);
  return isDay(column) ? text : `${text.replace(/, 12:00:00 AM$/, "")} ${zone}`;
};
