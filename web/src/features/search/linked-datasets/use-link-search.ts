import type { DatasetDescription } from "@fairway/contract/datasets";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { toastError } from "#ui/toast/toast.ts";
import { useSinglePress } from "#ui/use-single-press.ts";
import { type LinkedDataset, linkedFilters, resolveLink, type ValueOf } from "./link-filters.ts";

/**
 * Searches linked datasets: one search each, shown one after the other; the last one stays. Links that cannot be
 * searched show why.
 */
export function useLinkSearch(): { isStarting: boolean; search: (links: readonly LinkedDataset[], valueOf: ValueOf) => void } {
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const ignoreRepeated = useSinglePress();
  const run = async (links: readonly LinkedDataset[], valueOf: ValueOf) => {
    setStarting(true);
    const prepared = await Promise.all(links.map((link) => prepare(link, valueOf)));
    setStarting(false);
    // Start in link order, regardless of which description loaded first.
    const ids = prepared.flatMap((search) =>
      search === null ? [] : openSearches.start(search.description, search.filters, { isSample: false }),
    );
    for (const id of ids) {
      const record = findRecord(id);
      if (record) await navigate({ to: "/search/$searchId", params: { searchId: record.id }, hash: searchFragment(record) });
    }
  };
  return { isStarting, search: (links, valueOf) => ignoreRepeated(() => void run(links, valueOf)) };
}

/** The search of a link; null if it cannot be searched. */
async function prepare(link: LinkedDataset, valueOf: ValueOf): Promise<{ description: DatasetDescription; filters: SearchFilters } | null> {
  const reportFailure = (reason: string): null => {
    toastError("Linked dataset not searched", `${link.display}: ${reason}`);
    return null;
  };
  try {
    const description = await queryClient.ensureQueryData(describeQuery(link.datasetCategory, link.datasetId));
    const dynamic = linkedFilters(description, resolveLink(link, valueOf).settings);
    const filters: SearchFilters = { geospatial: null, timeRange: null, dynamic };
    const { hint } = canSearch(description, filters);
    return hint === null ? { description, filters } : reportFailure(hint);
  } catch (error) {
    return reportFailure(messagesOf(error).join(" "));
  }
}
