import type { DatasetDescription } from "@fairway/contract/datasets";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { toastError } from "#ui/toast.ts";
import { useSinglePress } from "#ui/use-single-press.ts";
import { type LinkedDataset, linkedFilters, linkSettings, type ValueOf } from "./link-filters.ts";

/** Searches linked datasets: one search each, shown one after the other, the last one stays. A link that cannot be searched says why. */
export function useLinkSearch(): { isStarting: boolean; search: (links: readonly LinkedDataset[], valueOf: ValueOf) => void } {
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const once = useSinglePress();
  const run = async (links: readonly LinkedDataset[], valueOf: ValueOf) => {
    setStarting(true);
    const prepared = await Promise.all(links.map((link) => prepare(link, valueOf)));
    setStarting(false);
    // Started in the links' order, whichever description came first.
    const ids = prepared.flatMap((of) => (of === null ? [] : openSearches.start(of.description, of.filters, { isSample: false })));
    for (const id of ids) {
      const record = findRecord(id);
      if (record) await navigate({ to: "/search/$searchId", params: { searchId: record.id }, hash: searchFragment(record) });
    }
  };
  return { isStarting, search: (links, valueOf) => once(() => void run(links, valueOf)) };
}

/** What a link asks; null where it cannot be asked. */
async function prepare(link: LinkedDataset, valueOf: ValueOf): Promise<{ description: DatasetDescription; filters: SearchFilters } | null> {
  const refuse = (reason: string): null => {
    toastError("Linked dataset not searched", `${link.display}: ${reason}`);
    return null;
  };
  try {
    const description = await queryClient.ensureQueryData(describeQuery(link.datasetCategory, link.datasetId));
    const dynamic = linkedFilters(description, linkSettings(link, valueOf).settings);
    const filters: SearchFilters = { geospatial: null, timeRange: null, dynamic };
    const { hint } = canSearch(description, filters);
    return hint === null ? { description, filters } : refuse(hint);
  } catch (error) {
    return refuse(messagesOf(error).join(" "));
  }
}
