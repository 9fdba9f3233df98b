import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { editSearch, findSaved, saveSearch } from "./queries.ts";
import { Dialog } from "#ui/dialog.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { SavedSearchForm } from "./saved-search-form.tsx";
import { type SavedPart, savedTextOf } from "./saved-search-text.ts";
import classes from "./saved-dialogs.module.css";

interface Props {
  opened: boolean;
  record: SearchRecord;
  onClose: () => void;
}

/** Asks for a name and saves the filters under it, and of the rest of the search what is ticked. */
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
  const [ticked, setTicked] = useState<ReadonlySet<SavedPart>>(new Set());
  const { category, datasetId } = record.datasetDescription;
  const dataset = { datasetCategory: category.id, datasetId };
  const query = savedTextOf(record, ticked);
  const saved = () => {
    toastSuccess("Search filters saved");
    onClose();
  };
  return (
    <SavedSearchForm
      begin={{ queryName: "", description: "", sharedWithRoles: [] }}
      roles={roles}
      onCancel={onClose}
      onSave={async (said) => {
        await saveSearch({ ...said, ...dataset, query });
        saved();
      }}
      onReplace={async ({ queryName, description, sharedWithRoles }) => {
        const old = await findSaved(dataset, queryName);
        // It may be gone by now: then the name is free.
        if (!old) await saveSearch({ ...dataset, queryName, description, sharedWithRoles, query });
        else {
          // What was said of the old one stays where nothing is said now.
          await editSearch(old.id, {
            queryName,
            query,
            ...(description === "" ? {} : { description }),
            ...(sharedWithRoles.length > 0 ? { sharedWithRoles } : {}),
          });
        }
        saved();
      }}
    >
      <Checkbox.Group
        label="Save with the filters"
        value={[...ticked]}
        onChange={(values) => setTicked(new Set(parts.flatMap(({ part }) => (values.includes(part) ? part : []))))}
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
