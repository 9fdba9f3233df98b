import { useEffect, useRef, useState } from "react";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { setItemFilter } from "#features/search/map/model/map-sessions.ts";
import { debounce } from "#lib/debounce.ts";
import { mapPlaceDebounceMs } from "./delays.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { useMapPlace } from "./use-map-place.ts";

/** What narrows the list of items: that of the address at first. It takes effect at once, and goes into the address after a pause. */
export function useMapFilter(record: SearchRecord, [place, changePlace]: ReturnType<typeof useMapPlace>): [string, (text: string) => void] {
  const { id } = record;
  const { itemFilter } = useMapResults(record);
  const first = useRef(place.filter);
  useEffect(() => setItemFilter(id, first.current), [id]);
  const [debounced] = useState(() => debounce(mapPlaceDebounceMs));
  useEffect(() => debounced.flush, [debounced]);
  const set = (text: string) => {
    setItemFilter(id, text);
    debounced.schedule(() => changePlace(() => ({ filter: text })));
  };
  return [itemFilter, set];
}
