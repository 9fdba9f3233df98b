import { formatList } from "@fairway/contract/counts";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { copyText } from "#lib/text/copy.ts";
import { searchAddress } from "#parts/search-model/search-address.ts";
import { sliceOf, withSlice } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { toastError, toastSuccess, toastWarning } from "#ui/toast/toast.ts";
import { leftOutOfAddress } from "#features/search/addressed-summaries.ts";
import type { StoredSummary } from "./model/summary.ts";

/** Copies an address of a search, and says which of its summaries it has no room for. */
export async function copySearchLink(record: SearchRecord, address: string): Promise<void> {
  if (!(await copyText(location.origin + address))) return;
  const stored = sliceOf(record, summariesExtension);
  const leftOut: object[] = Array.isArray(stored) ? leftOutOfAddress(stored) : [];
  if (leftOut.length === 0) return toastSuccess("Link copied", 1200);
  // The words for graphs without a title are those of their view.
  const { titlesOf } = await import("./model/summary-store.ts");
  toastWarning("Link copied", `A link has no room for ${formatList(titlesOf(leftOut))}.`);
}

/** Copies the address of a search with one summary only, as a search of its own. */
export async function copyGraphLink(record: SearchRecord, summary: StoredSummary): Promise<void> {
  if (leftOutOfAddress([summary]).length > 0) return toastError("Link not copied", "A link has no room for this graph.");
  const slices = withSlice(record.slices, summariesExtension, [summary]);
  const address = searchAddress({ ...record, id: crypto.randomUUID(), viewMode: "graphs", slices });
  if (await copyText(location.origin + address)) toastSuccess("Link copied", 1200);
}
