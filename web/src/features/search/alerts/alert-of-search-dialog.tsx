import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { searchTitle } from "#parts/open-searches/search-summary.ts";
import { serializeSearch } from "#features/search/saved-searches/saved-search-text.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { FigureToWatch } from "#features/search/figure-to-watch.ts";
import AlertDialog from "./alert-dialog.tsx";

interface Props {
  opened: boolean;
  record: SearchRecord;
  /** Default: new rows. */
  figure?: FigureToWatch | undefined;
  onClose: () => void;
}

/** Lets the search on the screen watch. */
export function AlertOfSearchDialog({ opened, record, figure, onClose }: Props) {
  const { access, category, datasetId } = record.datasetDescription;
  const name = searchTitle(record, savedSearchLimits.nameCharacters);
  const search = { dataset: { datasetCategory: category.id, datasetId }, query: serializeSearch(record), name };
  return <AlertDialog opened={opened} alert={null} search={search} access={access} figure={figure} onClose={onClose} />;
}
