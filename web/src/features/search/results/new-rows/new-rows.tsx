import { pluralize } from "@fairway/contract/counts";
import { search } from "@fairway/contract/search";
import { useQuery } from "@tanstack/react-query";
import { timeDistributionQuery } from "#features/search/results/time-histogram/queries.ts";
import { agoText } from "#lib/time/ago-text.ts";
import { call } from "#lib/gateway/call.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { newerRows } from "./newer-rows.ts";
import { readSeen, searchKeyOf, type SeenRows, writeSeen } from "./seen-rows.ts";
import classes from "./new-rows.module.css";

/** Number of rows that are newer than the newest one of the last run of the same search in this browser. Nothing if there are none. */
export function NewRows({ record }: { record: SearchRecord }) {
  // Known once the rows over time are; asks for nothing itself.
  const { data: distribution } = useQuery({ ...timeDistributionQuery(record), enabled: false, placeholderData: undefined });
  const newestMs = distribution?.newestMs ?? null;
  const { data } = useQuery({
    queryKey: ["new-rows", record.id, record.run, newestMs],
    queryFn: async ({ signal }): Promise<{ rows: number; seen: SeenRows } | null> => {
      if (newestMs === null) return null;
      const key = searchKeyOf(record);
      const seen = readSeen(key);
      writeSeen(key, { newestMs, ranMs: Date.now() });
      return seen !== undefined && newestMs > seen.newestMs ? { rows: await countNewer(record, seen, newestMs, signal), seen } : null;
    },
    enabled: newestMs !== null,
    staleTime: Infinity,
    gcTime: 600_000,
    retry: false,
  });
  if (!data || data.rows === 0) return null;
  return (
    <span className={classes["newRows"]} title="Rows newer than the newest one when this search last ran in this browser.">
      {pluralize(data.rows, "new row")} since {agoText(data.seen.ranMs)}
    </span>
  );
}

async function countNewer(record: SearchRecord, seen: SeenRows, newestMs: number, signal: AbortSignal): Promise<number> {
  const body = newerRows(record, seen, newestMs);
  if (body === null) return 0;
  const { category, datasetId } = record.datasetDescription;
  const count = await call(
    search.aggregate,
    { params: { category: category.id, datasetId, aggregationType: "count", column: "*" }, body },
    { signal },
  );
  const rows = count["totalResults"];
  return typeof rows === "number" ? rows : 0;
}
