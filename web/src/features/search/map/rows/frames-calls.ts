import { distributions } from "@fairway/contract/distributions";
import { call } from "#lib/gateway/call.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { FramesSession } from "./frames-session.ts";
import { askGridOf, countedSearch } from "./grid-call.ts";

/** A session that plays the rows of a search as it is now. */
export function framesSessionOf(record: SearchRecord): FramesSession {
  const { category, datasetId } = record.datasetDescription;
  const params = { category: category.id, datasetId };
  return new FramesSession(
    {
      overTime: (within, signal) => call(distributions.overTime, { params, body: { ...countedSearch(record), within } }, { signal }),
      grid: askGridOf(record),
    },
    currentLimits,
  );
}
