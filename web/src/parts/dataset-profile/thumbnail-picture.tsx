import type { DatasetThumbnail } from "@fairway/contract/dataset-profiles";
import { IconDatabase } from "#ui/icons/database.ts";
import { coverageBars } from "./coverage-buckets.ts";
import { RowsChart } from "./rows-chart.tsx";
import { SmallMap } from "./small-map.tsx";
import classes from "./dataset-profile.module.css";

/** More bars are drawn as a line. */
const maxBars = 60;

/** A map if there are positions, otherwise the coverage if there is one. */
export function ThumbnailPicture({ thumbnail: { positions, coverage } }: { thumbnail: DatasetThumbnail }) {
  if (positions.length > 0) return <SmallMap positions={positions} />;
  const rows = coverage === null ? [] : coverageBars(coverage).map((bar) => bar.rows);
  if (rows.length < 2) return <IconDatabase size={24} stroke={1.25} className={classes["none"]} />;
  return <RowsChart rows={rows} isLine={rows.length > maxBars} />;
}
