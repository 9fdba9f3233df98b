import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { canSearch } from "#parts/filters/can-search.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { searchFragment } from "#parts/open-searches/search-address.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { toastError } from "#ui/toast.ts";
import { type LinkedDataset, linkedFilters, linkSettings, type ValueOf } from "./link-filters.ts";

/** Searches linked datasets: one search each, shown one after the other, the last one stays. A link that cannot be searched says why. */
export function useLinkSearch(): { isStarting: boolean; search: (links: readonly LinkedDataset[], valueOf: ValueOf) => void } {
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const run = async (links: readonly LinkedDataset[], valueOf: ValueOf) => {
    setStarting(true);
    const ids = await Promise.all(links.map((link) => start(link, valueOf)));
    setStarting(false);
    for (const id of ids) {
      const record = id === null ? undefined : findRecord(id);
      if (record) await navigate({ to: "/search/$searchId", params: { searchId: record.id }, hash: searchFragment(record) });
    }
  };
  return { isStarting, search: (links, valueOf) => void run(links, valueOf) };
}

/** The id of the search; null where there could be none. */
async function start(link: LinkedDataset, valueOf: ValueOf): Promise<string | null> {
  const refuse = (reason: string): null => {
    toastError("Linked dataset not searched", `${link.display}: ${reason}`);
    return null;
  };
  try {
    const description = await queryClient.ensureQueryData(describeQuery(link.datasetCategory, link.datasetId));
    const dynamic = linkedFilters(description, linkSettings(link, valueOf).settings);
    const filters: SearchFilters = { geospatial: null, timeRange: null, dynamic };
    const { hint } = canSearch(description, filters);
    return hint === null ? openSearches.start(description, filters, { isSample: false }) : refuse(hint);
  } catch (error) {
    return refuse(messagesOf(error).join(" "));
  }
}
