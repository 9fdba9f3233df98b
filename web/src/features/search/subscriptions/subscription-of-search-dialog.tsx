import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { searchTitle } from "#parts/open-searches/search-summary.ts";
import { serializeSearch } from "#features/search/saved-searches/saved-search-text.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import SubscriptionDialog from "./subscription-dialog.tsx";

interface Props {
  opened: boolean;
  record: SearchRecord;
  onClose: () => void;
}

/** Sends the search on the screen by email. */
export function SubscriptionOfSearchDialog({ opened, record, onClose }: Props) {
  const { category, datasetId } = record.datasetDescription;
  const name = searchTitle(record, savedSearchLimits.nameCharacters);
  const toSend = { dataset: { datasetCategory: category.id, datasetId }, query: serializeSearch(record), name };
  return <SubscriptionDialog opened={opened} subject={{ toSend }} onClose={onClose} />;
}
