import type { DatasetDescription } from "@fairway/contract/datasets";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Button, Group, Modal, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";
import { saveSearch } from "#parts/saved-searches/queries.ts";
import { toastSuccess } from "#ui/toast.ts";
import { useOpening } from "#ui/use-opening.ts";
import { savedTextOf } from "./saved-filters.ts";
import classes from "./saved-dialogs.module.css";

interface Props {
  opened: boolean;
  description: DatasetDescription;
  filters: SearchFilters;
  onClose: () => void;
}

/** Asks for a name and saves the filters under it. */
export function SaveFiltersDialog({ opened, ...rest }: Props) {
  return (
    <Modal opened={useOpening(opened)} onClose={rest.onClose} title="Save Search Filters">
      <SaveForm {...rest} />
    </Modal>
  );
}

function SaveForm({ description, filters, onClose }: Omit<Props, "opened">) {
  const { roles } = useCurrentUser();
  const [name, setName] = useState("");
  const [about, setAbout] = useState("");
  const [sharedWithRoles, setSharedWithRoles] = useState<string[]>([]);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<readonly string[]>([]);
  const queryName = name.trim();

  const save = async () => {
    if (queryName === "" || saving) return;
    setSaving(true);
    setFailure([]);
    try {
      await saveSearch({
        datasetCategory: description.category.id,
        datasetId: description.datasetId,
        queryName,
        query: savedTextOf(description, filters),
        description: about.trim(),
        sharedWithRoles,
      });
      toastSuccess("Search filters saved");
      onClose();
    } catch (error) {
      setFailure(messagesOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className={classes["dialog"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        required
        data-autofocus
        maxLength={savedSearchLimits.nameCharacters}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <Textarea
        label="Description"
        value={about}
        rows={2}
        maxLength={savedSearchLimits.descriptionCharacters}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      {roles.length > 0 && (
        <MultiSelect label="Share with roles" data={roles} value={sharedWithRoles} onChange={setSharedWithRoles} clearable />
      )}
      {failure.length > 0 && (
        <p role="alert" className={classes["failure"]}>
          {`Save failed: ${failure.join(" ")}`}
        </p>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={queryName === ""} loading={saving}>
          Save
        </Button>
      </Group>
    </form>
  );
}
