import { formatCount, plural } from "@fairway/contract/counts";
import { useQuery } from "@tanstack/react-query";
import { rowCountQuery } from "#parts/open-searches/row-count.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import classes from "./results-page.module.css";

/** How many rows the area of a search leaves out because their coordinates are not a valid position. Nothing where there are none. */
export function OutOfRangeNote({ record }: { record: SearchRecord }) {
  const { category, datasetId } = record.datasetDescription;
  const { data: { outOfRange = 0 } = {} } = useQuery(rowCountQuery({ category: category.id, datasetId }, countDataOf(record)));
  if (outOfRange === 0) return null;
  return (
    <span className={classes["quiet"]} role="note" title="Latitudes beyond ±90, or longitudes outside of -180 to 360">
      {`${formatCount(outOfRange)} ${plural(outOfRange, "row is", "rows are")} in no area: coordinates out of range`}
    </span>
  );
}
