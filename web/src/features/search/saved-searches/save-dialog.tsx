import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { editSearch, findSaved, saveSearch } from "./queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { SavedSearchForm } from "./saved-search-form.tsx";
import { type SavedPart, serializeSearch } from "./saved-search-text.ts";
import classes from "./saved-dialogs.module.css";

interface Props {
  opened: boolean;
  record: SearchRecord;
  onClose: () => void;
}

/** Saves the filters under a name, with the selected further settings of the search. */
export function SaveFiltersDialog({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Save Search Filters">
      <SaveForm {...rest} />
    </Dialog>
  );
}

const parts: readonly { part: SavedPart; label: string }[] = [
  { part: "columns", label: "Columns shown and their order" },
  { part: "sort", label: "Order of the rows" },
  { part: "view", label: "View (table or raw)" },
];

function SaveForm({ record, onClose }: Omit<Props, "opened">) {
  const { roles } = useCurrentUser();
  const [selectedParts, setSelectedParts] = useState<ReadonlySet<SavedPart>>(new Set());
  const { category, datasetId } = record.datasetDescription;
  const dataset = { datasetCategory: category.id, datasetId };
  const query = serializeSearch(record, selectedParts);
  const onSaved = () => {
    toastSuccess("Search filters saved");
    onClose();
  };
  return (
    <SavedSearchForm
      initialValues={{ queryName: "", description: "", sharedWithRoles: [] }}
      roles={roles}
      onCancel={onClose}
      onSave={async (formValues) => {
        await saveSearch({ ...formValues, ...dataset, query });
        onSaved();
      }}
      onReplace={async ({ queryName, description, sharedWithRoles }) => {
        const existing = await findSaved(dataset, queryName);
        // It may have been deleted meanwhile; then the name is free.
        if (!existing) await saveSearch({ ...dataset, queryName, description, sharedWithRoles, query });
        else {
          // Keep the old description and roles unless new ones are given.
          await editSearch(existing.id, {
            queryName,
            query,
            ...(description === "" ? {} : { description }),
            ...(sharedWithRoles.length > 0 ? { sharedWithRoles } : {}),
          });
        }
        onSaved();
      }}
    >
      <Checkbox.Group
        label="Save with the filters"
        value={[...selectedParts]}
        onChange={(values) => setSelectedParts(new Set(parts.flatMap(({ part }) => (values.includes(part) ? part : []))))}
      >
        <div className={classes["parts"]}>
          {parts.map(({ part, label }) => (
            <Checkbox key={part} value={part} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    </SavedSearchForm>
  );
}
