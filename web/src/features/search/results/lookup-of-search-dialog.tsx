import { isNumeric } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { Lookup } from "@fairway/contract/derived-columns";
import { type ReactNode, useMemo } from "react";
import type { SummaryStart } from "#features/search/summaries/model/new-summary.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { LookupDialog } from "#parts/lookup/islands.tsx";
import { freeLookupId } from "#parts/lookup/lookup-draft.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { toastAction } from "#ui/toast/toast.ts";
import { columnsForLookup, removeLookup, saveLookup } from "./added-columns.ts";

interface Props {
  opened: boolean;
  onClose: () => void;
  record: SearchRecord;
  /** Null for a new one. */
  id: string | null;
  /** The key of a new one. */
  column: string | null;
  /** Above the fields of a new one. */
  head: ReactNode;
  onSummarize: ((start: SummaryStart) => void) | undefined;
}

/** The columns of another dataset that a search looks up. */
export function LookupOfSearchDialog({ opened, onClose, record, id, column, head, onSummarize }: Props) {
  const zone = useResultZone();
  const lookups = record.added?.lookups ?? [];
  const initial = lookups.find((one) => one.id === id);
  const { columns, takenNames } = columnsForLookup(record, initial);
  const { category, datasetId } = record.datasetDescription;
  const search = useMemo(() => countDataOf(record), [record]);
  return (
    <LookupDialog
      opened={opened}
      onClose={onClose}
      subject={{ dataset: { datasetCategory: category.id, datasetId }, columns, column, search }}
      takenNames={takenNames}
      zone={zone}
      id={initial?.id ?? freeLookupId(lookups)}
      initial={initial}
      {...(initial === undefined ? { head } : {})}
      onSave={async (lookup) => {
        await saveLookup(record, lookup);
        onClose();
        if (initial === undefined) offerSummary(record.id, lookup, onSummarize);
      }}
      onRemove={
        initial &&
        (async () => {
          await removeLookup(record, initial.id);
          onClose();
        })
      }
    />
  );
}

/** Most lookups are made for groups of what they have found. */
function offerSummary(searchId: string, { columns }: Lookup, onSummarize: Props["onSummarize"]): void {
  const described = findRecord(searchId)?.datasetDescription.schema.columns ?? [];
  const group = columns.find(({ name }) => described.some((column) => column.name === name && !isNumeric(column.type)));
  const title = `${pluralize(columns.length, "column")} added`;
  if (group === undefined || onSummarize === undefined) return;
  toastAction(title, { label: `Summarize by ${group.name}`, run: () => onSummarize({ kind: "by", column: group.name, withShare: true }) });
}
